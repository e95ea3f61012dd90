//! Running other programs: with their output shown, captured to a log behind a spinner, or read.

use std::env;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::progress::Step;

/// How often a captured program's log is read for the spinner.
const POLL: Duration = Duration::from_millis(100);

/// How many lines of a failed program's log are shown.
const FAILURE_LINES: usize = 30;

/// Runs a program with its output shown; how it ended.
pub fn status(command: &mut Command) -> Result<ExitStatus> {
    command
        .status()
        .with_context(|| format!("cannot run {}", name(command)))
}

/// Runs a program with its output shown; whether it succeeded.
pub fn succeeds(command: &mut Command) -> Result<bool> {
    Ok(status(command)?.success())
}

/// Runs a program with its output shown and fails when it fails.
pub fn check(command: &mut Command) -> Result<()> {
    if !succeeds(command)? {
        bail!("{} failed", name(command));
    }
    Ok(())
}

/// Runs a program and returns its standard output; `None` when it fails or doesn't exist.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program with its output in the file `log`; `step` shows the last line of it. The tail of
/// the log is part of the error when the program fails.
pub fn captured(command: &mut Command, step: &Step, log: &Path) -> Result<()> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()
        .with_context(|| format!("cannot run {}", name(command)))?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        step.detail(last_lines(log, 1).trim());
        thread::sleep(POLL);
    };
    if !status.success() {
        bail!(
            "{} failed ({status}); the end of {}:\n{}",
            name(command),
            log.display(),
            last_lines(log, FAILURE_LINES)
        );
    }
    Ok(())
}

/// Every file called `program` in the folders of `PATH`, first one first.
pub fn on_path(program: &str) -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .filter(|file| file.is_file())
        .collect()
}

/// The program a command runs, for messages.
fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

/// The last non-empty lines of a file. Progress bars overwrite a line with `\r`; each of their
/// states counts as a line.
fn last_lines(file: &Path, count: usize) -> String {
    const TAIL_BYTES: u64 = 16 * 1024;
    let mut bytes = Vec::new();
    if let Ok(mut file) = File::open(file) {
        let start = file
            .metadata()
            .map_or(0, |data| data.len().saturating_sub(TAIL_BYTES));
        // A log that can't be read only loses the detail line, never the step.
        let _ = file
            .seek(SeekFrom::Start(start))
            .and_then(|_| file.read_to_end(&mut bytes));
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text
        .split(['\n', '\r'])
        .filter(|line| !line.trim().is_empty())
        .collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}
