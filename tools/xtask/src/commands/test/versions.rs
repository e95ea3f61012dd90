//! Tests in another CPython than the main one.
//!
//! All versions whole would take hours. One of those that are here is tested in a run, and a third of the
//! Python tests in it; which ones, the commit says, so that some runs later all have been.

use std::process::Command;

use anyhow::Result;

use super::durations::Durations;
use super::plan::{FAST_PYTEST, all_python_tests};
use super::{Outcomes, pytest_in_parallel};
use crate::commands::build;
use crate::process;
use crate::progress::headline;
use crate::setup;
use crate::workspace::{MAIN_PYTHON, PYTHONS, Workspace};

/// How many runs have all Python tests between them.
const PARTS: u32 = 3;

/// What of this version is tested in a run.
pub struct Choice {
    /// The version, as in `3.13`.
    pub version: String,
    /// Which part of the Python tests.
    part: u32,
}

impl Choice {
    /// The files of its part, and those that are in each.
    fn tests(&self, all: Vec<String>) -> Vec<String> {
        let files = all.into_iter().zip((0..PARTS).cycle());
        files
            .filter(|(file, part)| *part == self.part || FAST_PYTEST.contains(&file.as_str()))
            .map(|(file, _)| file)
            .collect()
    }

    /// Chooses by the commit; `None` where the main version is the only one.
    pub fn of_commit(workspace: &Workspace) -> Option<Self> {
        choose(&others(), commit(workspace))
    }
}

/// The supported versions that are here, without the main one.
pub fn others() -> Vec<&'static str> {
    let others = PYTHONS.iter().copied().filter(|one| *one != MAIN_PYTHON);
    others
        .filter(|version| setup::find_interpreter(version).is_some())
        .collect()
}

fn choose(versions: &[&str], commit: u32) -> Option<Choice> {
    let count = u32::try_from(versions.len()).ok()?;
    let version = *versions.get(usize::try_from(commit.checked_rem(count)?).ok()?)?;
    Some(Choice {
        version: version.to_owned(),
        part: commit / count % PARTS,
    })
}

/// The first digits of the commit's hash; 0 where there is none.
fn commit(workspace: &Workspace) -> u32 {
    let mut git = Command::new("git");
    git.args(["rev-parse", "--short=8", "HEAD"])
        .current_dir(&workspace.root);
    let hash = process::output(&mut git).unwrap_or_default();
    u32::from_str_radix(hash.trim().get(..8).unwrap_or_default(), 16).unwrap_or(0)
}

/// Lifts the standard library of the version, builds the package for it and runs tests.
pub fn run(main: &Workspace, durations: &mut Durations, outcomes: &mut Outcomes) -> Result<()> {
    let Some(choice) = Choice::of_commit(main) else {
        headline("other versions");
        let supported = PYTHONS.join(", ");
        eprintln!("no other CPython is here; pyopt supports {supported}");
        return Ok(());
    };
    let version = &choice.version;
    let workspace = main.with_python(version);
    setup::run(&workspace)?;
    outcomes.record(format!("{version}: lifting"), || lift(main, &workspace));
    let is_built = outcomes.record(format!("{version}: build"), || {
        build::run(&workspace).map(|()| true)
    });
    if is_built {
        let files = choice.tests(all_python_tests(main)?);
        outcomes.record(format!("{version}: pytest"), || {
            pytest_in_parallel(&workspace, &files, None, durations)
        });
    }
    Ok(())
}

/// Whether everything in the standard library lifts and verifies.
fn lift(main: &Workspace, workspace: &Workspace) -> Result<bool> {
    let python = workspace.venv_program("python");
    let question = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    let folder = process::output(Command::new(&python).args(["-c", question])).unwrap_or_default();
    let mut check = Command::new(main.release().join("py-translate"));
    check
        .args(["--check-lifting", "--python"])
        .arg(&python)
        .arg(folder.trim());
    process::succeeds(&mut check)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_take_turns() {
        let of = |commit| choose(&["3.12", "3.13"], commit).map(|one| (one.version, one.part));
        let six: Vec<_> = (0..6).filter_map(of).collect();
        let of_one = |version: &str| six.iter().filter(|one| one.0 == version).count();
        assert_eq!((of_one("3.12"), of_one("3.13")), (3, 3));
        let mut parts: Vec<_> = six.iter().map(|one| one.1).collect();
        parts.sort();
        assert_eq!(parts, [0, 0, 1, 1, 2, 2]);
        assert!(choose(&[], 7).is_none());
    }

    #[test]
    fn parts_have_all_tests_between_them() {
        let files: Vec<_> = (0..10).map(|number| format!("test_{number}.py")).collect();
        let part = |part| {
            let version = String::new();
            Choice { version, part }.tests(files.clone())
        };
        assert_eq!((part(0).len(), part(1).len(), part(2).len()), (4, 3, 3));
        let with_smoke = FAST_PYTEST.iter().map(|file| (*file).to_owned());
        let choice = Choice {
            version: String::new(),
            part: 1,
        };
        assert_eq!(choice.tests(with_smoke.collect()).len(), FAST_PYTEST.len());
    }
}
