//! CPython's own tests: over standard-library modules whose functions run in object mode, and of its
//! built-in types with their expressions in compiled code.

use anyhow::Result;

use super::build;
use crate::process;
use crate::progress::headline;
use crate::workspace::Workspace;

/// Builds and runs a driver, a package in `tools/`; `false` when a process crashed, or too much was
/// refused or failed.
pub fn run(workspace: &Workspace, driver: &str, arguments: &[String]) -> Result<bool> {
    build::run(workspace)?;
    headline(driver);
    let mut command = workspace.python(&workspace.root.join("tools"));
    command.args(["-m", driver]).args(arguments);
    process::succeeds(&mut command)
}
