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
    Ok(as_written(&lines.join("\n"), dialect) + "\n")
}

/// Has the syntax of attributes that are enums said as MLIR reads it: the generator takes all attributes
/// to have their parameters in brackets behind their names.
fn as_written(text: &str, dialect: &str) -> String {
    let start = format!("```\n#{dialect}.");
    let mut parts = text.split(start.as_str());
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let body = part.split_once("```").map_or("", |(body, _)| body);
        match body.split_once("<\n") {
            Some((name, parameter)) if body.ends_with("# value\n>\n") => {
                let class = parameter.split_whitespace().next().unwrap_or_default();
                let kind = class.rsplit(':').next().unwrap_or_default();
                result += &format!("```\n#{dialect}<{name} KEYWORD>   # of {kind}\n");
                result += &part[body.len()..];
            }
            _ => result += &format!("{start}{part}"),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enums_are_shown_as_they_are_read() {
        let text = "Syntax:\n\n```\n#typed.binary_kind<\n  ::pyopt::typed::BinaryKind   # value\n>\n```\nEnd";
        let shown = "Syntax:\n\n```\n#typed<binary_kind KEYWORD>   # of BinaryKind\n```\nEnd";
        assert_eq!(as_written(text, "typed"), shown);
        let other = "```\n#parfor.pattern<\n  ::K,   # kind\n  StringAttr   # detail\n>\n```";
        assert_eq!(as_written(other, "parfor"), other);
    }
}
