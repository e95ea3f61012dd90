//! The FileCheck tests and what they run.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::workspace::Workspace;

/// A FileCheck test: its path below the workspace root, and its RUN lines.
pub struct LitTest {
    pub file: String,
    pub runs: String,
}

impl LitTest {
    /// Whether the test runs a pass or pipeline by its name: `--name`, or in a textual pipeline.
    pub fn names(&self, pass: &str) -> bool {
        named_in(&self.runs, pass)
    }
}

/// Finds all tests, sorted by file.
pub fn find(workspace: &Workspace) -> Result<Vec<LitTest>> {
    let mut tests = Vec::new();
    find_below(
        &workspace.root,
        &workspace.root.join("lit-tests"),
        &mut tests,
    )?;
    tests.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(tests)
}

/// Reads the RUN lines of all tests below a folder.
fn find_below(root: &Path, folder: &Path, tests: &mut Vec<LitTest>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_below(root, &path, tests)?;
            continue;
        }
        // Inputs of tests may be binary.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let runs = text.lines().filter(|line| line.contains("RUN:"));
        let runs = runs.collect::<Vec<_>>().join("\n");
        if !runs.is_empty() {
            let file = path.strip_prefix(root)?.to_string_lossy().into_owned();
            tests.push(LitTest { file, runs });
        }
    }
    Ok(())
}

/// Whether a pass is named in RUN lines, and not only as the beginning or end of another's name.
fn named_in(runs: &str, pass: &str) -> bool {
    let part_of_name = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    runs.match_indices(pass).any(|(at, _)| {
        let before = runs[..at].trim_end_matches('-');
        let dashes = at - before.len();
        let starts = dashes != 1 || before.ends_with(char::is_whitespace);
        starts
            && !before.ends_with(part_of_name)
            && !runs[at + pass.len()..].starts_with(part_of_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_named_as_a_whole() {
        for runs in [
            "// RUN: %pyopt %s --typed-fold | FileCheck %s",
            "// RUN: %pyopt -typed-fold %s",
            "// RUN: %pyopt --pass-pipeline='builtin.module(func.func(a,typed-fold{x=1},b))'",
            "// RUN: %pyopt --pass-pipeline='builtin.module(\n// RUN:   typed-fold)'",
            "// RUN: %pyopt --mlir-print-ir-after=typed-fold",
        ] {
            assert!(named_in(runs, "typed-fold"), "{runs}");
        }
        for runs in [
            "// RUN: %pyopt --typed-fold-views",
            "// RUN: %pyopt --pass-pipeline='builtin.module(untyped-fold,re-typed-fold)'",
            "// RUN: %pyopt %s.typed-fold",
        ] {
            assert!(!named_in(runs, "typed-fold"), "{runs}");
        }
    }
}
