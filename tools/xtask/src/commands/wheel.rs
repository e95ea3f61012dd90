//! Wheels and the source distribution, made by maturin as `pip install .` has it do, and tried.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::process;
use crate::progress::{Step, headline};
use crate::workspace::Workspace;

/// What package indices take by default is 100 MB for a file; a wheel is kept well below.
const LARGEST: u64 = 60_000_000;

/// What a wheel is tried with, in an environment of its own.
const TRIAL: &str = "tools/wheel_trial.py";

/// Makes the wheel of the workspace's CPython and tries it.
pub fn run(workspace: &Workspace) -> Result<()> {
    headline("wheel");
    let folder = workspace.root.join("target/wheels");
    let made = folder.join(format!("of-{}", workspace.python));
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    let mut maturin = maturin(workspace, "build");
    maturin
        .args(["--release", "--auditwheel", "check", "--interpreter"])
        .arg(workspace.venv_program("python"))
        .arg("--out")
        .arg(&made);
    process::check(&mut maturin)?;
    let wheel = only_file(&made)?;
    let size = fs::metadata(&wheel)?.len();
    ensure!(
        size <= LARGEST,
        "{} has {size} bytes, more than {LARGEST}",
        wheel.display()
    );
    try_out(workspace, &wheel)?;
    let name = wheel.file_name().context("a wheel has a name")?;
    let kept = folder.join(name);
    fs::rename(&wheel, &kept)?;
    fs::remove_dir(&made)?;
    let megabytes = size as f64 / 1e6;
    eprintln!("{} ({megabytes:.1} MB)", shown(workspace, &kept));
    Ok(())
}

/// Makes the source distribution.
pub fn source_distribution(workspace: &Workspace) -> Result<()> {
    headline("source distribution");
    let folder = workspace.root.join("target/wheels");
    process::check(maturin(workspace, "sdist").arg("--out").arg(folder))
}

/// A command of maturin's in this workspace.
fn maturin(workspace: &Workspace, command: &str) -> Command {
    let mut maturin = workspace.building(workspace.venv_program("maturin"));
    maturin.arg(command);
    maturin
}

/// The file of a folder that has one.
fn only_file(folder: &Path) -> Result<PathBuf> {
    let files: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    ensure!(files.len() == 1, "maturin made {} files", files.len());
    Ok(files[0].path())
}

/// Installs a wheel twice into a fresh environment, uses it, and removes it.
fn try_out(workspace: &Workspace, wheel: &Path) -> Result<()> {
    let step = Step::start("trying the wheel");
    let environment = workspace.target().join("wheel-trial");
    let mut trial = Command::new(workspace.venv_program("python"));
    trial
        .arg(workspace.root.join(TRIAL))
        .arg(&environment)
        .arg(wheel);
    process::captured(&mut trial, &step, &workspace.log("wheel-trial"))?;
    step.done();
    Ok(())
}

fn shown(workspace: &Workspace, file: &Path) -> String {
    let below = file.strip_prefix(&workspace.root).unwrap_or(file);
    below.display().to_string()
}
