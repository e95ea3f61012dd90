//! Chosen tests of one kind.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::EXTENSION;
use super::rust_tests::{self, PACKAGES};
use crate::workspace::Workspace;

/// Case doesn't matter, and neither does which of `-`, `_` and `/` it is: `parfor-fuse` is found in
/// `parfor/fuse.rs`.
pub fn normal(text: &str) -> String {
    text.to_lowercase().replace(['-', '/'], "_")
}

/// Test files of one kind.
pub struct Files {
    /// The folder that stands for all of them.
    folder: &'static str,
    /// How many there are.
    pub count: usize,
    /// Those that are to run.
    pub chosen: Vec<String>,
}

impl Files {
    /// All files of a folder.
    pub fn new(folder: &'static str, files: Vec<String>) -> Self {
        Self {
            folder,
            count: files.len(),
            chosen: files,
        }
    }

    /// Drops files.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.chosen.retain(|file| keep(file));
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// Whether none was dropped.
    pub fn is_everything(&self) -> bool {
        self.chosen.len() == self.count
    }

    /// The arguments that make a test runner run these.
    pub fn arguments(&self) -> Vec<&str> {
        match self.is_everything() {
            true => vec![self.folder],
            false => self.chosen.iter().map(String::as_str).collect(),
        }
    }
}

/// The Rust tests: of each package all, or those with certain names.
pub struct RustPlan {
    pub packages: BTreeMap<&'static str, Option<BTreeSet<String>>>,
}

impl RustPlan {
    /// All tests.
    pub fn everything() -> Self {
        Self {
            packages: PACKAGES
                .iter()
                .map(|(_, package)| (*package, None))
                .collect(),
        }
    }

    /// Whether nothing is left out.
    pub fn is_everything(&self) -> bool {
        self.packages.len() == PACKAGES.len() && self.packages.values().all(Option::is_none)
    }

    /// Keeps the tests whose file or name holds a pattern.
    pub fn keep_matching(&mut self, workspace: &Workspace, pattern: &str) -> Result<()> {
        let mut chosen: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for test in rust_tests::find(workspace)? {
            let matches =
                normal(&test.file).contains(pattern) || normal(&test.name).contains(pattern);
            if matches && self.packages.contains_key(test.package) {
                chosen.entry(test.package).or_default().insert(test.name);
            }
        }
        self.packages = chosen
            .into_iter()
            .map(|(package, names)| (package, Some(names)))
            .collect();
        Ok(())
    }

    /// The runs of `cargo test`, each with its packages and further arguments. The extension, which is
    /// built in another way, has one of its own.
    pub fn runs(&self) -> Vec<(Vec<&'static str>, Vec<String>)> {
        let mut whole = Vec::new();
        let mut runs = Vec::new();
        for (&package, names) in &self.packages {
            let Some(names) = names else {
                match package == EXTENSION {
                    true => runs.push((vec![package], vec![])),
                    false => whole.push(package),
                }
                continue;
            };
            let mut arguments = vec!["--".to_owned()];
            // Without doc tests; those of the extension are chosen already.
            if package != EXTENSION {
                arguments.insert(0, "--tests".to_owned());
            }
            arguments.extend(names.iter().cloned());
            runs.push((vec![package], arguments));
        }
        if !whole.is_empty() {
            runs.insert(0, (whole, vec![]));
        }
        runs
    }
}
