//! Generated documentation: the dialect reference, from the `.td` files, and what pages show of programs.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::workspace::Workspace;

/// The dialects: the name in the IR and the folder of its `.td` files. `<Folder>Ops.td` includes
/// the others.
const DIALECTS: &[(&str, &str)] = &[
    ("py", "Py"),
    ("typed", "Typed"),
    ("parfor", "Parfor"),
    ("stencil", "Stencil"),
];

/// Writes `docs/dialects/<dialect>.md` and the output that pages show; with `check`, reports stale pages
/// instead.
pub fn run(workspace: &Workspace, check: bool) -> Result<bool> {
    let folder = workspace.root.join("docs/dialects");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut current = true;
    for (dialect, td_folder) in DIALECTS {
        let reference = reference(workspace, dialect, td_folder)?;
        let page = folder.join(format!("{dialect}.md"));
        if fs::read_to_string(&page).is_ok_and(|found| found == reference) {
            continue;
        }
        if check {
            eprintln!("docs/dialects/{dialect}.md is stale; run `cargo xtask docs`");
            current = false;
        } else {
            fs::write(&page, reference)
                .with_context(|| format!("cannot write {}", page.display()))?;
            eprintln!("wrote docs/dialects/{dialect}.md");
        }
    }
    Ok(current & program_output(workspace, check)?)
}

/// Puts what programs print into the pages that show it; with `check`, reports stale pages instead. The
/// programs have to be built.
fn program_output(workspace: &Workspace, check: bool) -> Result<bool> {
    let mut driver = workspace.python(&workspace.root.join("tools"));
    driver.args(["-m", "pages"]);
    if check {
        driver.arg("--check");
    }
    process::succeeds(&mut driver)
}

/// One dialect's page, as mlir-tblgen makes it.
fn reference(workspace: &Workspace, dialect: &str, td_folder: &str) -> Result<String> {
    let include = workspace.root.join("dialects/include");
    let tblgen = workspace.llvm_program("mlir-tblgen");
    let output = Command::new(&tblgen)
        .arg("-gen-dialect-doc")
        .arg(format!("-dialect={dialect}"))
        .arg("-I")
        .arg(&include)
        .arg("-I")
        .arg(workspace.llvm_prefix().join("include"))
        .arg(
            include
                .join("pyopt")
                .join(td_folder)
                .join(format!("{td_folder}Ops.td")),
        )
        .output()
        .with_context(|| format!("cannot run {}", tblgen.display()))?;
    if !output.status.success() {
        bail!(
            "mlir-tblgen on {td_folder}Ops.td:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    // The generator leaves blanks at line ends and blank lines at the end of the file.
    let text = String::from_utf8(output.stdout).context("mlir-tblgen wrote something not UTF-8")?;
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    Ok(lines.join("\n") + "\n")
}
