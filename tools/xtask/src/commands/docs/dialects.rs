//! The dialect reference, generated from the `.td` files.

use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Page;
use crate::workspace::Workspace;

/// The dialects: the name in the IR and the `.td` file that includes the others.
const DIALECTS: &[(&str, &str)] = &[
    ("py", "Py/PyOps.td"),
    ("typed", "Typed/TypedOps.td"),
    ("parfor", "Parfor/ParforOps.td"),
    ("stencil", "Stencil/StencilOps.td"),
    ("pyopt", "Marks/MarksDialect.td"),
];

/// The page of every dialect.
pub fn pages(workspace: &Workspace) -> Result<Vec<Page>> {
    let pages = DIALECTS.iter().map(|(dialect, td_file)| {
        Ok(Page {
            file: format!("docs/dialects/{dialect}.md"),
            text: reference(workspace, dialect, td_file)?,
        })
    });
    pages.collect()
}

/// One dialect's page, as mlir-tblgen makes it.
fn reference(workspace: &Workspace, dialect: &str, td_file: &str) -> Result<String> {
    let include = workspace.root.join("dialects/include");
    let tblgen = workspace.llvm_program("mlir-tblgen");
    let output = Command::new(&tblgen)
        .arg("-gen-dialect-doc")
        .arg(format!("-dialect={dialect}"))
        .arg("-I")
        .arg(&include)
        .arg("-I")
        .arg(workspace.llvm_prefix().join("include"))
        .arg(include.join("pyopt").join(td_file))
        .output()
        .with_context(|| format!("cannot run {}", tblgen.display()))?;
    if !output.status.success() {
        bail!(
            "mlir-tblgen on {td_file}:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    // The generator leaves blanks at line ends and blank lines at the end of the file.
    let text = String::from_utf8(output.stdout).context("mlir-tblgen wrote something not UTF-8")?;
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    Ok(lines.join("\n") + "\n")
}
