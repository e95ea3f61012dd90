//! A build for another version of CPython begins with what is built for the main one.
//!
//! Cargo keeps what it has made beside what it knows of it, and finds both in another folder as well:
//! it then builds again what PyO3 and the interpreter have a part in, a fraction of the whole.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use anyhow::{Context, Result};

/// The folders of a build that cargo reads: libraries, what build scripts wrote, and what is known of both.
const FOLDERS: &[&str] = &["deps", "build", ".fingerprint"];

/// Endings of files that no build writes into, as the compiler renames a finished one into their place:
/// both builds can have the same file. Other ones are copied.
const IMMUTABLE: &[&str] = &["rlib", "rmeta", "so"];

/// What is made for one version only, by the beginnings of names.
const OWN: &[&str] = &["libpyopt_core", "libpyopt_python"];

/// Where a build script has run. With it cargo would move the paths that the script watches to this
/// folder, see that they aren't those it has noted, and run the script of `mlir-sys` again, with all
/// that is built on it; without it they stay the paths of the build that they come from.
const PLACE: &str = "root-output";

/// Takes over from a build what another one doesn't have, or has in an older form.
pub fn take_over(from: &Path, to: &Path) -> Result<()> {
    for folder in FOLDERS {
        let (from, to) = (from.join(folder), to.join(folder));
        if from.exists() {
            take_folder(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        }
    }
    Ok(())
}

fn take_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            take_folder(&source, &target)?;
        } else if is_wanted(&source) && is_newer(&source, &target)? {
            take_file(&source, &target)?;
        }
    }
    Ok(())
}

/// Whether a file is neither the place of a build nor the extension nor, among the libraries, a program
/// of tests.
fn is_wanted(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let is_program =
        file.parent().is_some_and(|folder| folder.ends_with("deps")) && file.extension().is_none();
    !is_program && name != PLACE && !OWN.iter().any(|own| name.starts_with(own))
}

fn is_newer(source: &Path, target: &Path) -> io::Result<bool> {
    match target.symlink_metadata() {
        Ok(there) => Ok(source.metadata()?.modified()? > there.modified()?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// Links or copies a file, with its time, by which cargo knows whether it is up to date.
fn take_file(source: &Path, target: &Path) -> io::Result<()> {
    if target.symlink_metadata().is_ok() {
        fs::remove_file(target)?;
    }
    let ending = source.extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| IMMUTABLE.contains(&ending)) {
        return fs::hard_link(source, target);
    }
    fs::copy(source, target)?;
    let time = source.metadata()?.modified()?;
    // Opened for reading: what may not be written has a time, too.
    File::open(target)?.set_modified(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_or_missing_is_taken_over() {
        let folder = std::env::temp_dir().join(format!("shared-{}", std::process::id()));
        let (from, to) = (folder.join("from"), folder.join("to"));
        fs::create_dir_all(from.join("deps")).unwrap();
        for name in ["liba.rlib", "a.d", "test-0123", "libpyopt_core.so"] {
            fs::write(from.join("deps").join(name), "new").unwrap();
        }
        let script = Path::new("build/a-0123");
        fs::create_dir_all(from.join(script)).unwrap();
        for name in ["output", "root-output"] {
            fs::write(from.join(script).join(name), "new").unwrap();
        }
        take_over(&from, &to).unwrap();
        let taken = |name: &str| fs::read_to_string(to.join("deps").join(name)).ok();
        assert_eq!(taken("liba.rlib").as_deref(), Some("new"));
        assert_eq!(taken("a.d").as_deref(), Some("new"));
        assert_eq!(
            (taken("test-0123"), taken("libpyopt_core.so")),
            (None, None)
        );
        assert!(to.join(script).join("output").exists());
        assert!(!to.join(script).join("root-output").exists());

        // What the other build has made since stays.
        fs::write(to.join("deps/a.d"), "own").unwrap();
        take_over(&from, &to).unwrap();
        assert_eq!(taken("a.d").as_deref(), Some("own"));
        fs::remove_dir_all(folder).unwrap();
    }
}
