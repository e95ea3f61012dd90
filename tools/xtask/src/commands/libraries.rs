//! Libraries built on Numba, whose own tests run under Numba and under pyopt.

use anyhow::Result;

use super::build;
use crate::process;
use crate::progress::headline;
use crate::workspace::Workspace;

/// Builds and runs the driver; `false` when a library misses its share of tests.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<bool> {
    build::run(workspace)?;
    headline("libraries");
    let mut driver = workspace.python(&workspace.root.join("tools"));
    driver.args(["-m", "libraries"]).args(arguments);
    process::succeeds(&mut driver)
}
