//! Systems without apt: nothing is installed, what is missing is named.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::workspace::Workspace;

/// Files of LLVM's installation that stand for a component.
const LLVM_FILES: &[(&str, &str)] = &[
    ("include/mlir/IR/MLIRContext.h", "MLIR 22 headers"),
    ("lib/libMLIRIR.a", "MLIR 22 static libraries"),
    ("lib/libLLVMCore.a", "LLVM 22 static libraries"),
    ("bin/llvm-config", "llvm-config"),
    ("bin/mlir-tblgen", "mlir-tblgen"),
    ("bin/FileCheck", "FileCheck"),
    ("bin/split-file", "split-file"),
    ("bin/ld.lld", "lld"),
];

/// Libraries LLVM links, by the name the linker knows.
const LIBRARIES: &[(&str, &str)] = &[
    ("zstd", "zstd with headers"),
    ("z", "zlib with headers"),
    ("z3", "z3 with headers"),
    ("xml2", "libxml2 with headers"),
];

/// Fails with the list of everything missing.
pub fn check(workspace: &Workspace) -> Result<()> {
    let prefix = workspace.llvm_prefix();
    let mut missing = llvm_problems(&prefix);
    if process::on_path("c++").is_empty() {
        missing.push("a C++ compiler (c++ on PATH)".to_owned());
    } else {
        missing.extend(
            LIBRARIES
                .iter()
                .filter(|(library, _)| !links(library))
                .map(|(library, component)| format!("{component} (c++ cannot link -l{library})")),
        );
    }
    if missing.is_empty() {
        return Ok(());
    }
    bail!(
        "set-up can install packages on Debian and Ubuntu only; install these and try again \
         (MLIR_SYS_220_PREFIX names LLVM's folder, now {}):\n  {}",
        prefix.display(),
        missing.join("\n  ")
    );
}

/// What LLVM's folder lacks, or that it is another version.
fn llvm_problems(prefix: &Path) -> Vec<String> {
    let version = process::output(Command::new(prefix.join("bin/llvm-config")).arg("--version"));
    if let Some(version) = version.filter(|version| !version.starts_with("22.")) {
        return vec![format!(
            "LLVM 22 (found {} in {})",
            version.trim(),
            prefix.display()
        )];
    }
    LLVM_FILES
        .iter()
        .filter(|(file, _)| !prefix.join(file).exists())
        .map(|(file, component)| format!("{component} ({})", prefix.join(file).display()))
        .collect()
}

/// Whether the C++ compiler finds a library.
fn links(library: &str) -> bool {
    let mut command = Command::new("c++");
    command
        .args(["-shared", "-x", "c++", "/dev/null", "-o", "/dev/null"])
        .arg(format!("-l{library}"));
    process::output(&mut command).is_some()
}
