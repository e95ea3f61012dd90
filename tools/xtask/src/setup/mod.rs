//! Everything the build needs beyond Rust: LLVM/MLIR 22 with the libraries it links, a C++
//! compiler, and the Python environment.

mod debian;
mod generic;
mod python;

use anyhow::Result;

use crate::workspace::Workspace;

pub use python::{find_interpreter, install_requirements};

/// Installs what is missing. When nothing is, this only asks the package database and reads one
/// stamp file.
pub fn run(workspace: &Workspace) -> Result<()> {
    if debian::is_this_system() {
        // In one go: who can't install packages is told of all that are missing.
        let python = python::debian_packages(workspace)?;
        debian::install_missing(workspace, debian::PACKAGES, python)?;
        debian::offer(workspace, debian::DEVICE_PACKAGES, "tests on devices")?;
    } else {
        generic::check(workspace)?;
    }
    python::ensure_environment(workspace)
}
