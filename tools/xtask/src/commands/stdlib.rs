//! CPython's own tests over standard-library modules whose functions run in object mode.

use anyhow::Result;

use super::build;
use crate::process;
use crate::progress::headline;
use crate::workspace::Workspace;

/// Builds and runs the driver; `false` when a process crashed or too much was refused or failed.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Result<bool> {
    build::run(workspace)?;
    headline("stdlib");
    let mut driver = workspace.python(&workspace.root.join("tools"));
    driver.args(["-m", "stdlib"]).args(arguments);
    process::succeeds(&mut driver)
}
