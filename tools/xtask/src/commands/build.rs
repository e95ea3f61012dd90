//! The tools and the Python extension.
//!
//! The extension is a plain `cargo build` that the package folder links to, not `maturin develop`:
//! maturin copies the library (about 175 MB, MLIR is linked statically) into the environment at
//! every build and passes flags of its own, so that cargo's next build of the workspace would start
//! over. A symbolic link always shows the last build. maturin is for making wheels.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::environment::Environment;
use crate::process;
use crate::progress::{Step, headline};
use crate::shared;
use crate::workspace::Workspace;

/// The library cargo makes of the crate `pyopt-core`.
const EXTENSION_LIBRARY: &str = "libpyopt_core.so";

/// The start-up hook that heeds `PYOPT_AS_NUMBA`; wheels have it too.
const HOOK: &str = "pyopt_as_numba.pth";

/// Builds the workspace and installs the Python package into the environment.
pub fn run(workspace: &Workspace) -> Result<()> {
    headline("build");
    if !workspace.has_main_python() {
        // The tools are the same for all versions, and so is most of what the extension links.
        let step = Step::start("taking over what is built for all versions");
        shared::take_over(&workspace.main_release(), &workspace.release())?;
        step.done();
        let extension = ["build", "--release", "--package", "pyopt-core", "--lib"];
        process::check(workspace.cargo().args(extension))?;
        return install_extension(workspace);
    }
    // xtask is running; building it again here would only link it twice.
    process::check(workspace.cargo().args([
        "build",
        "--release",
        "--workspace",
        "--exclude",
        "xtask",
        "--lib",
        "--bins",
        // The FileCheck tests run the out-of-tree tool of the examples.
        "--examples",
    ]))?;
    install_extension(workspace)
}

/// Puts the package folder on the environment's path and links the extension into it.
fn install_extension(workspace: &Workspace) -> Result<()> {
    let environment = Environment::query(workspace)?;
    let package_root = workspace.root.join("python");
    let path_file = format!("{}\n", package_root.display());
    write_if_different(&environment.site_packages.join("pyopt.pth"), &path_file)?;
    // Python reads these files in the order of their names: the package is on the path by then.
    let hook = package_root.join("wheel-data/purelib").join(HOOK);
    let hook =
        fs::read_to_string(&hook).with_context(|| format!("cannot read {}", hook.display()))?;
    write_if_different(&environment.site_packages.join(HOOK), &hook)?;

    let library = workspace.release().join(EXTENSION_LIBRARY);
    ensure!(
        library.exists(),
        "cargo did not build {}",
        library.display()
    );
    let link = package_root
        .join("pyopt")
        .join(format!("_core{}", environment.extension_suffix));
    if fs::read_link(&link).is_ok_and(|target| target == library) {
        return Ok(());
    }
    if link.symlink_metadata().is_ok() {
        fs::remove_file(&link).with_context(|| format!("cannot replace {}", link.display()))?;
    }
    symlink(&library, &link).with_context(|| format!("cannot link {}", link.display()))
}

/// Writes a file whose content changes.
fn write_if_different(file: &Path, content: &str) -> Result<()> {
    if fs::read_to_string(file).is_ok_and(|found| found == content) {
        return Ok(());
    }
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))
}
