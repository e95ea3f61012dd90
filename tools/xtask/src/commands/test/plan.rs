//! What a run tests.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::affected::{self, Affected};
use super::selection::{Files, RustPlan, normal};
use super::{Choice, EXTENSION, Suite};
use crate::lit_tests;
use crate::workspace::Workspace;

/// What `--fast` leaves of the Rust suite: crates whose tests need no build of the compiler.
const FAST_PACKAGES: &[&str] = &["pyopt-frontend", "xtask"];

/// What `--fast` leaves of the Python tests: each family of values and statements, parallel loops,
/// object mode, universal functions and errors.
pub const FAST_PYTEST: &[&str] = &[
    "python/tests/differential/test_branches.py",
    "python/tests/differential/test_calls.py",
    "python/tests/differential/test_exceptions.py",
    "python/tests/differential/test_generators.py",
    "python/tests/differential/test_lists.py",
    "python/tests/differential/test_loops.py",
    "python/tests/differential/test_ownership.py",
    "python/tests/differential/test_records.py",
    "python/tests/object/test_functions.py",
    "python/tests/parallel/test_diagnostics.py",
    "python/tests/test_decorators.py",
    "python/tests/test_errors.py",
    "python/tests/test_pipelines.py",
    "python/tests/ufuncs/test_loops.py",
];

/// What a run tests.
pub struct Plan {
    /// Whether the order of the layers is checked.
    pub layers: bool,
    /// The Rust tests.
    pub rust: RustPlan,
    /// The FileCheck tests.
    pub lit: Files,
    /// Whether these run under --verify-roundtrip as well.
    pub roundtrip: bool,
    /// The files of the Python tests.
    pub pytest: Files,
    /// What the names of the tests in these are selected by, in pytest's own syntax.
    pub pytest_pattern: Option<String>,
    /// Whether the generated references are checked.
    pub docs: bool,
    /// Whether the extensions outside the workspace are built and tested.
    pub extensions: bool,
    /// Whether one other version of CPython is tested: only where its suite is asked for.
    pub versions: bool,
}

impl Plan {
    /// Narrows everything down to what was chosen.
    pub fn new(workspace: &Workspace, choice: &Choice) -> Result<Self> {
        let mut plan = Self::everything(workspace)?;
        if !choice.suite.is_empty() {
            plan.keep_suites(&choice.suite);
        }
        if choice.fast {
            plan.keep_fast();
        }
        if choice.changed {
            let affected = affected::find(workspace, choice.base.as_deref())?;
            plan.keep_affected(&affected);
        }
        if let Some(pattern) = &choice.filter {
            plan.keep_matching(workspace, pattern)?;
        }
        Ok(plan)
    }

    fn everything(workspace: &Workspace) -> Result<Self> {
        let tests = lit_tests::find(workspace)?;
        let lit = tests.into_iter().map(|test| test.file);
        Ok(Self {
            layers: true,
            rust: RustPlan::everything(),
            lit: Files::new("lit-tests", lit.collect()),
            roundtrip: true,
            pytest: Files::new("python/tests", all_python_tests(workspace)?),
            pytest_pattern: None,
            docs: true,
            extensions: true,
            versions: false,
        })
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        let compares = self.layers || self.docs || self.extensions || self.versions;
        !compares && !self.needs_tools() && self.rust.packages.is_empty()
    }

    /// Whether the tools and the extension have to be built first.
    pub fn needs_build(&self) -> bool {
        self.docs
            || self.extensions
            || self.versions
            || self.needs_tools()
            || self.rust.packages.contains_key(EXTENSION)
    }

    fn needs_tools(&self) -> bool {
        !self.lit.is_empty() || !self.pytest.is_empty()
    }

    pub fn keep_suites(&mut self, suites: &[Suite]) {
        self.layers &= suites.contains(&Suite::Layers);
        self.docs &= suites.contains(&Suite::Docs);
        self.extensions &= suites.contains(&Suite::Extensions);
        self.versions = suites.contains(&Suite::Versions);
        if !suites.contains(&Suite::Rust) {
            self.rust.packages.clear();
        }
        self.lit.retain(|_| suites.contains(&Suite::Lit));
        self.pytest.retain(|_| suites.contains(&Suite::Pytest));
    }

    fn keep_fast(&mut self) {
        self.rust
            .packages
            .retain(|package, _| FAST_PACKAGES.contains(package));
        // They take less than a second each; the second round is what is left out.
        self.roundtrip = false;
        self.extensions = false;
        self.versions = false;
        self.pytest.retain(|file| FAST_PYTEST.contains(&file));
    }

    fn keep_affected(&mut self, affected: &Affected) {
        self.layers &= affected.layers;
        self.docs &= affected.docs;
        self.extensions &= affected.extensions;
        self.versions = false;
        self.rust
            .packages
            .retain(|package, _| affected.packages.contains(package));
        self.lit.retain(|file| affected.lit.contains(file));
        self.pytest.retain(|file| affected.pytest.contains(file));
    }

    fn keep_matching(&mut self, workspace: &Workspace, pattern: &str) -> Result<()> {
        let pattern = normal(pattern);
        self.layers &= "layers".contains(&pattern);
        self.docs &= "docs".contains(&pattern);
        self.extensions &= "extensions".contains(&pattern);
        self.versions = false;
        self.rust.keep_matching(workspace, &pattern)?;
        let tests = lit_tests::find(workspace)?;
        let by_pass = tests
            .iter()
            .filter(|test| normal(&test.runs).contains(&pattern));
        let by_pass: BTreeSet<_> = by_pass.map(|test| test.file.as_str()).collect();
        self.lit
            .retain(|file| normal(file).contains(&pattern) || by_pass.contains(file));
        let in_path = |file: &str| normal(file).contains(&pattern);
        self.pytest.retain(|file| {
            in_path(file) || {
                let text = fs::read_to_string(workspace.root.join(file)).unwrap_or_default();
                has_test(&text, &pattern)
            }
        });
        // pytest compares with names of files and tests, but not with paths.
        if !self.pytest.chosen.iter().all(|file| in_path(file)) {
            self.pytest_pattern = Some(format!("{pattern} or {}", pattern.replace('_', "-")));
        }
        Ok(())
    }
}

/// What a run comes to, a line for each suite.
impl Display for Plan {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        if self.layers {
            writeln!(formatter, "layers")?;
        }
        for (packages, arguments) in self.rust.runs() {
            let names = arguments.iter().skip_while(|argument| *argument != "--");
            let names: Vec<_> = names.skip(1).map(String::as_str).collect();
            let packages = packages.join(", ");
            match names.is_empty() {
                true => writeln!(formatter, "Rust: {packages}")?,
                false => writeln!(formatter, "Rust: {packages}: {}", names.join(", "))?,
            }
        }
        for (name, files) in [("lit", &self.lit), ("pytest", &self.pytest)] {
            if !files.is_empty() {
                let chosen = files.chosen.len();
                writeln!(formatter, "{name}: {chosen} of {} files", files.count)?;
            }
        }
        let others = [
            ("docs", self.docs),
            ("extensions", self.extensions),
            ("one other version of CPython", self.versions),
        ];
        for (name, is_chosen) in others {
            if is_chosen {
                writeln!(formatter, "{name}")?;
            }
        }
        Ok(())
    }
}

/// Whether a Python file has a test function whose name matches.
fn has_test(text: &str, pattern: &str) -> bool {
    text.lines().any(|line| {
        let definition = line.trim_start().strip_prefix("def test_");
        definition.is_some_and(|rest| {
            let name = rest.split('(').next().unwrap_or_default();
            normal(&format!("test_{name}")).contains(pattern)
        })
    })
}

/// The files of all Python tests, sorted.
pub fn all_python_tests(workspace: &Workspace) -> Result<Vec<String>> {
    let folder = workspace.root.join("python/tests");
    let mut files = Vec::new();
    python_tests(&workspace.root, &folder, &mut files)?;
    files.sort();
    Ok(files)
}

/// Finds the files of Python tests below a folder.
fn python_tests(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            python_tests(root, &path, files)?;
        } else if name.starts_with("test_") && name.ends_with(".py") {
            files.push(path.strip_prefix(root)?.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(choice: &Choice) -> Plan {
        Plan::new(&Workspace::locate().unwrap(), choice).unwrap()
    }

    fn choice() -> Choice {
        Choice {
            suite: vec![],
            filter: None,
            changed: false,
            base: None,
            fast: false,
            dry_run: false,
        }
    }

    #[test]
    fn by_default_everything() {
        let plan = plan(&choice());
        assert!(plan.rust.is_everything() && plan.layers && plan.docs && plan.roundtrip);
        assert!(plan.extensions);
        assert!(!plan.versions);
        assert_eq!(plan.lit.arguments(), ["lit-tests"]);
        assert_eq!(plan.pytest.arguments(), ["python/tests"]);
    }

    #[test]
    fn a_pattern_selects_files_and_names() {
        let plan = plan(&Choice {
            filter: Some("print-pipeline".into()),
            ..choice()
        });
        assert_eq!(
            plan.lit.arguments(),
            ["devices.mlir", "extensions.test", "print-pipeline.test"]
                .map(|name| format!("lit-tests/infra/{name}"))
        );
        assert!(plan.pytest.is_empty() && !plan.layers && !plan.docs && !plan.versions);
    }

    #[test]
    fn a_pass_selects_the_tests_that_name_it() {
        let plan = plan(&Choice {
            filter: Some("parfor-fuse".into()),
            ..choice()
        });
        for file in ["parfor/fuse.mlir", "parfor/walk_through.py"] {
            assert!(
                plan.lit.chosen.contains(&format!("lit-tests/{file}")),
                "{file}"
            );
        }
        assert!(!plan.lit.is_everything());
    }

    #[test]
    fn a_pattern_selects_rust_tests_by_name() {
        let plan = plan(&Choice {
            filter: Some("by-default-everything".into()),
            ..choice()
        });
        let arguments = ["--tests", "--", "by_default_everything"].map(str::to_owned);
        assert_eq!(plan.rust.runs(), [(vec!["xtask"], arguments.to_vec())]);
        assert!(!plan.needs_build());
    }

    #[test]
    fn a_pattern_of_python_tests_is_pytests_as_well() {
        let plan = plan(&Choice {
            filter: Some("test_what_there_is_not".into()),
            suite: vec![Suite::Pytest],
            ..choice()
        });
        assert_eq!(
            plan.pytest.arguments(),
            ["pipelines", "placed_passes"].map(|name| format!("python/tests/test_{name}.py"))
        );
        assert!(
            plan.pytest_pattern
                .unwrap()
                .starts_with("test_what_there_is_not or ")
        );
    }

    #[test]
    fn nothing_matches_a_wrong_pattern() {
        // Put together, so that it isn't found here.
        let pattern = ["no", "such", "thing"].join("-of-a-");
        assert!(
            plan(&Choice {
                filter: Some(pattern),
                ..choice()
            })
            .is_empty()
        );
    }

    #[test]
    fn what_is_fast_exists() {
        let all = plan(&choice());
        for file in FAST_PYTEST {
            assert!(all.pytest.chosen.iter().any(|one| one == file), "{file}");
        }
        let fast = plan(&Choice {
            fast: true,
            ..choice()
        });
        assert!(!fast.roundtrip && !fast.versions && !fast.rust.is_everything());
        assert_eq!(fast.pytest.chosen.len(), FAST_PYTEST.len());
        assert_eq!(fast.rust.runs(), [(FAST_PACKAGES.to_vec(), vec![])]);
    }
}
