//! How long tests take.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::workspace::Workspace;

/// The seconds of each test of this run, by suite and name.
#[derive(Default)]
pub struct Durations(BTreeMap<String, f64>);

/// What `lit --output` writes.
#[derive(Deserialize)]
struct LitReport {
    tests: Vec<LitResult>,
}

#[derive(Deserialize)]
struct LitResult {
    name: String,
    elapsed: Option<f64>,
}

impl Durations {
    /// Takes what lit wrote. It writes nothing when it doesn't come to running tests.
    pub fn read_lit(&mut self, results: &Path, suite: &str) -> Result<()> {
        let Ok(text) = fs::read_to_string(results) else {
            return Ok(());
        };
        let report: LitReport =
            serde_json::from_str(&text).context("cannot read the report of lit")?;
        for test in report.tests {
            // `suite :: file`
            let name = test.name.rsplit(" :: ").next().unwrap_or_default();
            let seconds = test.elapsed.unwrap_or_default();
            self.0.insert(format!("{suite} {name}"), seconds);
        }
        Ok(())
    }

    /// Takes what the tests' conftest.py wrote: a map from names to seconds.
    pub fn read_pytest(&mut self, results: &Path) -> Result<()> {
        let Ok(text) = fs::read_to_string(results) else {
            return Ok(());
        };
        let seconds: BTreeMap<String, f64> =
            serde_json::from_str(&text).context("cannot read the durations of pytest")?;
        let named = seconds.into_iter();
        self.0
            .extend(named.map(|(name, seconds)| (format!("pytest {name}"), seconds)));
        Ok(())
    }

    /// The slowest tests of this run, slowest first.
    pub fn slowest(&self, count: usize) -> Vec<(&str, f64)> {
        let mut all: Vec<_> = self.0.iter().map(|(name, time)| (&**name, *time)).collect();
        all.sort_by(|one, other| other.1.total_cmp(&one.1));
        all.truncate(count);
        all
    }

    /// Writes target/test-durations.json, where tests that this run left out keep their times.
    pub fn store(&self, workspace: &Workspace) -> Result<()> {
        let file = workspace.target().join("test-durations.json");
        let known = fs::read_to_string(&file).ok();
        let mut all: BTreeMap<String, f64> = known
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        all.extend(self.0.clone());
        let text = serde_json::to_string_pretty(&all)? + "\n";
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
    }
}

/// Removes the report of an earlier run and makes the folder of the next.
pub fn clear(results: &Path) -> Result<()> {
    if let Some(folder) = results.parent() {
        fs::create_dir_all(folder)?;
    }
    match results.exists() {
        true => fs::remove_file(results).context("cannot remove an old report"),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_come_first() {
        let durations = Durations(BTreeMap::from([
            ("a".to_owned(), 0.5),
            ("b".to_owned(), 2.0),
            ("c".to_owned(), 1.0),
        ]));
        assert_eq!(durations.slowest(2), [("b", 2.0), ("c", 1.0)]);
    }

    #[test]
    fn reports_are_read() {
        let report = std::env::temp_dir().join(format!("lit-{}.json", std::process::id()));
        fs::write(
            &report,
            r#"{"elapsed": 1, "tests": [{"name": "pyopt :: a/b.mlir", "elapsed": 0.25, "code": "PASS"}]}"#,
        )
        .unwrap();
        let mut durations = Durations::default();
        durations.read_lit(&report, "lit").unwrap();
        assert_eq!(durations.slowest(1), [("lit a/b.mlir", 0.25)]);
        fs::write(&report, r#"{"tests/test_a.py::test_b": 3.5}"#).unwrap();
        durations.read_pytest(&report).unwrap();
        clear(&report).unwrap();
        assert!(!report.exists());
        assert_eq!(
            durations.slowest(1),
            [("pytest tests/test_a.py::test_b", 3.5)]
        );
    }
}
