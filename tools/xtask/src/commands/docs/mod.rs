//! Generated documentation: the dialects from their `.td` files, passes and pipelines from the tables
//! that the tool has of them, and what pages show of programs.

mod dialects;
mod passes;

use std::fs;

use anyhow::{Context, Result};

use crate::process;
use crate::workspace::Workspace;

/// A generated page.
struct Page {
    /// The file below the workspace root.
    file: String,
    text: String,
}

/// Writes the pages; with `check`, reports stale ones instead. The tool must be built. `false` when
/// a page is stale or lacks what it should tell.
pub fn run(workspace: &Workspace, check: bool) -> Result<bool> {
    let mut pages = dialects::pages(workspace)?;
    let (page, gaps) = passes::page(workspace)?;
    pages.push(page);
    for gap in &gaps {
        eprintln!("{gap}");
    }
    let mut current = gaps.is_empty();
    for Page { file, text } in pages {
        let path = workspace.root.join(&file);
        if fs::read_to_string(&path).is_ok_and(|found| found == text) {
            continue;
        }
        if check {
            eprintln!("{file} is stale; run `cargo xtask docs`");
            current = false;
        } else {
            fs::create_dir_all(path.parent().context("pages are in folders")?)?;
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            eprintln!("wrote {file}");
        }
    }
    current &= program_output(workspace, check)?;
    Ok(current & (!check || reference(workspace)?))
}

/// The crates that extensions use.
const PUBLIC: &[&str] = &[
    "pyopt-build",
    "pyopt-dialects",
    "pyopt-driver",
    "pyopt-passes",
    "pyopt-plugin",
    "pyopt-python",
];

/// Makes the reference of the crates that extensions use; a link that leads nowhere is an error.
fn reference(workspace: &Workspace) -> Result<bool> {
    let mut doc = workspace.cargo();
    doc.args(["doc", "--release", "--no-deps", "--lib"])
        .args(PUBLIC.iter().flat_map(|name| ["--package", name]))
        .env(
            "RUSTDOCFLAGS",
            "-D warnings -A rustdoc::private_intra_doc_links",
        );
    process::succeeds(&mut doc)
}

/// Puts what programs print into the pages that show it; with `check`, reports stale pages instead.
/// The programs have to be built.
fn program_output(workspace: &Workspace, check: bool) -> Result<bool> {
    let mut driver = workspace.python(&workspace.root.join("tools"));
    driver.args(["-m", "pages"]);
    if check {
        driver.arg("--check");
    }
    process::succeeds(&mut driver)
}
