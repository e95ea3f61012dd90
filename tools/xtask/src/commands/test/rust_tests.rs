//! The Rust tests of the workspace, found without compiling them.
//!
//! A test executable of the compiler takes minutes to build, so which crates a pattern can be about
//! is read from the sources. Doc tests are not looked for.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::workspace::Workspace;

/// The crates with tests: the folder and the package.
pub const PACKAGES: &[(&str, &str)] = &[
    ("dialects", "pyopt-dialects"),
    ("frontend", "pyopt-frontend"),
    ("passes", "pyopt-passes"),
    ("passes/library", "pyopt-library"),
    ("passes/library/bytecode", "pyopt-library-bytecode"),
    ("plugin", "pyopt-plugin"),
    ("runtime", "pyopt-runtime"),
    ("python", "pyopt-python"),
    ("tools/py-translate", "py-translate"),
    ("tools/pyopt", "pyopt"),
    ("tools/xtask", "xtask"),
];

/// A test function.
#[derive(Debug, PartialEq)]
pub struct RustTest {
    pub package: &'static str,
    /// The file below the workspace root.
    pub file: String,
    pub name: String,
}

/// Finds the tests of all crates.
pub fn find(workspace: &Workspace) -> Result<Vec<RustTest>> {
    let mut tests = Vec::new();
    for &(folder, package) in PACKAGES {
        for part in ["src", "tests"] {
            let path = workspace.root.join(folder).join(part);
            if path.is_dir() {
                find_below(&workspace.root, &path, package, &mut tests)?;
            }
        }
    }
    Ok(tests)
}

fn find_below(
    root: &Path,
    folder: &Path,
    package: &'static str,
    tests: &mut Vec<RustTest>,
) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_below(root, &path, package, tests)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = path.strip_prefix(root)?.to_string_lossy();
            for name in names(&fs::read_to_string(&path)?) {
                tests.push(RustTest {
                    package,
                    file: file.clone().into_owned(),
                    name,
                });
            }
        }
    }
    Ok(())
}

/// The names of the functions behind `#[test]`.
fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        if line == "#[test]" {
            is_test = true;
        } else if is_test
            && !line.starts_with('#')
            && let Some((_, rest)) = line.split_once("fn ")
        {
            names.extend(rest.split('(').next().map(str::to_owned));
            is_test = false;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found() {
        let text = "
            fn helper() {}
            #[test]
            #[should_panic(expected = \"fn\")]
            fn one() {}
            #[test]
            fn two() -> Result<()> {
                fn inner() {}
            }
        ";
        assert_eq!(names(text), ["one", "two"]);
    }
}
