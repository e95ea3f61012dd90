//! Numba's own test modules, whose use-case functions pyopt compiles.

use anyhow::Result;

use super::{bench, build};
use crate::process;
use crate::progress::headline;
use crate::workspace::Workspace;

/// Installs Numba, builds and runs the driver; `false` when an area of the language misses its share.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<bool> {
    bench::install_numba(workspace)?;
    build::run(workspace)?;
    headline("numba-tests");
    let mut driver = workspace.python(&workspace.root.join("tools"));
    driver.args(["-m", "numba_tests"]).args(arguments);
    process::succeeds(&mut driver)
}
