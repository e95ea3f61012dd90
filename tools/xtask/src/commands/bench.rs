//! The benchmark harness.

use std::path::Path;

use anyhow::Result;

use super::build;
use crate::process;
use crate::progress::headline;
use crate::setup::install_requirements;
use crate::workspace::Workspace;

/// Builds and runs the harness; Numba takes part when it is installed.
pub fn run(
    workspace: &Workspace,
    with_numba: bool,
    json: Option<&Path>,
    arguments: &[String],
) -> Result<bool> {
    if with_numba {
        install_numba(workspace)?;
    }
    build::run(workspace)?;
    headline("bench");
    let mut harness = workspace.bench_python();
    harness.args(["-m", "bench"]).args(arguments);
    if let Some(file) = json {
        harness.arg("--json").arg(file);
    }
    process::succeeds(&mut harness)
}

/// Installs the pinned Numba into the environment.
pub fn install_numba(workspace: &Workspace) -> Result<()> {
    let requirements = workspace.root.join("bench/requirements-numba.txt");
    install_requirements(workspace, &requirements)
}
