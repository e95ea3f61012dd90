//! What a change can affect.
//!
//! [`RULES`] say it by the beginnings of paths; the first that fits counts, and a file that none
//! fits affects everything. A change of the compiler affects all Python tests, and of the FileCheck
//! tests those that name a pass or pipeline of a module that imports what was changed, directly or
//! through others. Tests that name none are taken to be affected by everything.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::rust_tests::PACKAGES;
use crate::layers;
use crate::lit_tests::{self, LitTest};
use crate::process;
use crate::workspace::Workspace;

/// What a changed file affects.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Effect {
    Everything,
    /// The tests of a crate.
    Package(&'static str),
    /// The FileCheck tests whose path starts so.
    Lit(&'static str),
    /// The Python tests whose path starts so.
    Pytest(&'static str),
    /// The FileCheck tests that run passes of the changed module, or of one that imports it.
    Stage,
    /// The test that the file is, or the tests of its folder, where it isn't one.
    Itself,
    /// The generated references.
    Docs,
    /// The order of the layers.
    Layers,
    /// The extensions outside the workspace.
    Extensions,
}

use Effect::{Docs, Everything, Extensions, Itself, Layers, Lit, Package, Pytest, Stage};

/// What files affect, by the beginnings of their paths.
const RULES: &[(&str, &[Effect])] = &[
    ("docs/", &[Docs]),
    ("README.md", &[]),
    ("extensions/", &[Extensions]),
    (
        "plugin/",
        &[Package("pyopt-plugin"), Package("pyopt-passes"), Extensions],
    ),
    // These have commands of their own, which nothing else runs.
    ("fuzz/", &[]),
    ("tools/numba_tests/", &[]),
    ("tools/builtin_tests/", &[]),
    ("tools/stdlib/", &[]),
    ("tools/xtask/", &[Package("xtask"), Docs, Layers]),
    (
        "tools/pyopt/",
        &[Package("pyopt"), Lit(""), Pytest(""), Docs],
    ),
    (
        "tools/py-translate/",
        &[Package("py-translate"), Lit(""), Pytest("")],
    ),
    ("bench/", &[Pytest("python/tests/test_bench")]),
    // Python tests run the programs as well.
    (
        "lit-tests/programs/",
        &[Itself, Pytest("python/tests/test_")],
    ),
    ("lit-tests/lit.cfg.py", &[Lit("")]),
    ("lit-tests/", &[Itself, Docs]),
    ("python/tests/", &[Itself]),
    // Compiled into what the passes call.
    (
        "python/pyopt/library/",
        &[
            Package("pyopt-library-bytecode"),
            Package("pyopt-passes"),
            Lit(""),
            Pytest(""),
        ],
    ),
    ("python/pyopt/", &[Pytest("")]),
    ("python/src/", &[Package("pyopt-python"), Pytest("")]),
    (
        "runtime/",
        &[
            Package("pyopt-runtime"),
            Package("pyopt-passes"),
            Package("pyopt-python"),
            Lit("lit-tests/programs/"),
            Pytest(""),
        ],
    ),
    ("passes/tests/", &[Package("pyopt-passes")]),
    (
        "passes/src/extension",
        &[
            Package("pyopt-passes"),
            Lit(""),
            Pytest(""),
            Extensions,
            Layers,
        ],
    ),
    (
        "passes/src/",
        &[
            Package("pyopt-passes"),
            Package("pyopt-python"),
            Package("pyopt"),
            Package("py-translate"),
            Stage,
            Pytest(""),
            Docs,
            Layers,
        ],
    ),
];

/// What is affected.
#[derive(Default)]
pub struct Affected {
    /// The packages whose tests are.
    pub packages: BTreeSet<&'static str>,
    /// The FileCheck tests that are.
    pub lit: BTreeSet<String>,
    /// The Python tests that are, by the files that hold them.
    pub pytest: Prefixes,
    /// Whether the order of the layers may be.
    pub layers: bool,
    /// Whether the generated references may be.
    pub docs: bool,
    /// Whether the extensions outside the workspace may be.
    pub extensions: bool,
}

/// Files whose paths start with one of some texts.
#[derive(Default)]
pub struct Prefixes(BTreeSet<String>);

impl Prefixes {
    /// Whether a file is among them.
    pub fn contains(&self, file: &str) -> bool {
        self.0.iter().any(|prefix| file.starts_with(prefix))
    }
}

/// Finds what the changes since a revision can affect: since the merge base with the main branch,
/// when none is given. Files that aren't committed count.
pub fn find(workspace: &Workspace, base: Option<&str>) -> Result<Affected> {
    let files = changed_files(workspace, base)?;
    eprintln!("{} files have changed", files.len());
    let tests = lit_tests::find(workspace)?;
    let stages = files.iter().filter_map(|file| stage_of(file)).collect();
    let stages = layers::dependents(workspace, &stages)?;
    let passes = passes_of(workspace, &stages)?;
    Ok(affected_by(&files, &tests, &passes))
}

fn affected_by(files: &BTreeSet<String>, tests: &[LitTest], passes: &Passes) -> Affected {
    let mut affected = Affected::default();
    for file in files {
        let rule = RULES.iter().find(|(prefix, _)| file.starts_with(prefix));
        let effects = rule.map_or(&[Everything][..], |(_, effects)| effects);
        for effect in effects {
            affected.add(*effect, file, tests, passes);
        }
    }
    affected
}

impl Affected {
    fn add(&mut self, effect: Effect, file: &str, tests: &[LitTest], passes: &Passes) {
        let mut add_lit = |keep: &dyn Fn(&LitTest) -> bool| {
            let kept = tests.iter().filter(|test| keep(test));
            self.lit.extend(kept.map(|test| test.file.clone()));
        };
        match effect {
            Everything => {
                self.packages
                    .extend(PACKAGES.iter().map(|(_, package)| package));
                add_lit(&|_| true);
                self.pytest.0.insert(String::new());
                self.layers = true;
                self.docs = true;
                self.extensions = true;
            }
            Package(package) => {
                self.packages.insert(package);
            }
            Lit(prefix) => add_lit(&|test| test.file.starts_with(prefix)),
            Stage => add_lit(&|test| passes.are_run_by(test)),
            Pytest(prefix) => {
                self.pytest.0.insert(prefix.to_owned());
            }
            Itself => {
                let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
                let folder = folder.trim_end_matches("/Inputs");
                if file.starts_with("lit-tests/") {
                    let is_test = tests.iter().any(|test| test.file == file);
                    add_lit(&|test| match is_test {
                        true => test.file == file,
                        false => test.file.starts_with(&format!("{folder}/")),
                    });
                } else {
                    let name = file.rsplit('/').next().unwrap_or_default();
                    let part = if name.starts_with("test_") {
                        file
                    } else {
                        folder
                    };
                    self.pytest.0.insert(part.to_owned());
                }
            }
            Docs => self.docs = true,
            Layers => self.layers = true,
            Extensions => self.extensions = true,
        }
    }
}

/// The module at the root of `passes/src` that a file is part of.
fn stage_of(file: &str) -> Option<String> {
    let rest = file.strip_prefix("passes/src/")?;
    let top = rest.split('/').next()?;
    Some(top.trim_end_matches(".rs").to_owned())
}

/// The names that the sources of the compiler give to passes and pipelines.
struct Passes {
    /// Those of modules that are affected.
    affected: BTreeSet<String>,
    /// The others.
    other: BTreeSet<String>,
}

impl Passes {
    /// Whether a test runs one that is affected, or may do so.
    fn are_run_by(&self, test: &LitTest) -> bool {
        let names = |passes: &BTreeSet<String>| passes.iter().any(|pass| test.names(pass));
        // What translates Python runs passes that the test doesn't name.
        let translates = test.runs.contains("%py-translate") || test.runs.contains("%python");
        translates || names(&self.affected) || !names(&self.other)
    }
}

/// Sorts the passes and pipelines by whether one of some modules defines them.
fn passes_of(workspace: &Workspace, stages: &BTreeSet<String>) -> Result<Passes> {
    let mut passes = Passes {
        affected: BTreeSet::new(),
        other: BTreeSet::new(),
    };
    for file in layers::files(workspace)? {
        let text = fs::read_to_string(workspace.root.join(&file))?;
        let stage = stage_of(&file).unwrap_or_default();
        // Every pipeline runs passes of most modules.
        let all = stage == "pipelines" || stages.contains(&stage);
        let kind = match all {
            true => &mut passes.affected,
            false => &mut passes.other,
        };
        kind.extend(names_in(&text));
    }
    Ok(passes)
}

/// The names in tables of passes and pipelines.
fn names_in(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for start in ["PassSpec::new(", "name:"] {
        for (at, _) in text.match_indices(start) {
            let rest = text[at + start.len()..].trim_start();
            if let Some(name) = rest
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next())
            {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// The files that differ from a revision, and those that git doesn't know.
fn changed_files(workspace: &Workspace, base: Option<&str>) -> Result<BTreeSet<String>> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        process::output(command.current_dir(&workspace.root).args(arguments))
    };
    let merge_base = || {
        let mut branches = ["origin/HEAD", "origin/main", "main", "master"].into_iter();
        branches.find_map(|branch| git(&["merge-base", "HEAD", branch]))
    };
    let base = match base {
        Some(base) => base.to_owned(),
        None => merge_base().context("there is no main branch to compare with; name a --base")?,
    };
    let differing = git(&["diff", "--name-only", "--no-renames", base.trim()])
        .with_context(|| format!("git can't compare with '{}'", base.trim()))?;
    let unknown = git(&["ls-files", "--others", "--exclude-standard"]).unwrap_or_default();
    let files = differing.lines().chain(unknown.lines());
    Ok(files.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn affected(files: &[&str]) -> Affected {
        let test = |file: &str, runs: &str| LitTest {
            file: file.into(),
            runs: runs.into(),
        };
        let tests = [
            test("lit-tests/parfor/fuse.mlir", "RUN: %pyopt --parfor-fuse"),
            test("lit-tests/py/a.mlir", "RUN: %pyopt --py-inline"),
            test("lit-tests/py/verify.mlir", "RUN: not %pyopt"),
            test(
                "lit-tests/programs/b.py",
                "RUN: %py-translate | %pyopt --py-inline",
            ),
        ];
        let passes = Passes {
            affected: set(&["parfor-fuse"]),
            other: set(&["py-inline"]),
        };
        affected_by(&set(files), &tests, &passes)
    }

    #[test]
    fn tests_affect_themselves() {
        let found = affected(&["lit-tests/py/a.mlir", "python/tests/object/test_a.py"]);
        assert_eq!(found.lit, set(&["lit-tests/py/a.mlir"]));
        assert!(found.pytest.contains("python/tests/object/test_a.py"));
        assert!(!found.pytest.contains("python/tests/object/test_b.py"));
        assert!(found.packages.is_empty() && !found.layers);
    }

    #[test]
    fn helpers_affect_their_folder() {
        let found = affected(&["lit-tests/py/Inputs/x.txt", "python/tests/object/probes.py"]);
        assert_eq!(
            found.lit,
            set(&["lit-tests/py/a.mlir", "lit-tests/py/verify.mlir"])
        );
        assert!(found.pytest.contains("python/tests/object/test_b.py"));
        assert!(!found.pytest.contains("python/tests/test_b.py"));
    }

    #[test]
    fn passes_affect_the_tests_that_may_run_them() {
        let found = affected(&["passes/src/parfor/fuse.rs"]);
        assert_eq!(
            found.lit,
            set(&[
                "lit-tests/parfor/fuse.mlir",
                "lit-tests/programs/b.py",
                "lit-tests/py/verify.mlir"
            ])
        );
        assert!(found.packages.contains("pyopt-passes") && !found.packages.contains("xtask"));
        assert!(found.pytest.contains("python/tests/test_b.py") && found.layers && found.docs);
    }

    #[test]
    fn what_no_rule_knows_affects_everything() {
        for file in [
            "Cargo.toml",
            "dialects/include/a.td",
            "frontend/src/lib.rs",
            "new",
        ] {
            let found = affected(&[file]);
            assert_eq!(found.packages.len(), PACKAGES.len(), "{file}");
            assert_eq!(found.lit.len(), 4);
            assert!(found.pytest.contains("python/tests/test_b.py"));
        }
        let found = affected(&["README.md", "fuzz/Cargo.toml"]);
        assert!(found.packages.is_empty() && found.lit.is_empty() && !found.docs);
    }

    #[test]
    fn names_of_passes_and_pipelines_are_found() {
        let text = "PassSpec::new(\n  \"a-b\", \"x\") name: \"c-d\",";
        assert_eq!(names_in(text), ["a-b", "c-d"]);
    }
}
