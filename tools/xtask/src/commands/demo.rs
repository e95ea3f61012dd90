//! The demo: ordinary Python functions, compiled, timed and checked.

use anyhow::Result;

use super::build;
use crate::process;
use crate::progress::headline;
use crate::workspace::Workspace;

/// Builds and runs the demo programs (all when none is named).
pub fn run(workspace: &Workspace, programs: &[String]) -> Result<bool> {
    build::run(workspace)?;
    headline("demo");
    process::succeeds(
        workspace
            .bench_python()
            .args(["-m", "bench.demo"])
            .args(programs),
    )
}
