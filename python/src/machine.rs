//! What the compiler knows of the machine that it compiles for.

use pyo3::prelude::*;
use pyopt_runtime::engine::Host;

/// The version of LLVM and MLIR, and the machine's triple, processor and features.
#[pyfunction]
pub fn machine() -> (String, &'static str, &'static str, &'static str) {
    let host = Host::current();
    let (major, minor, patch) = host.llvm;
    let llvm = format!("{major}.{minor}.{patch}");
    (
        llvm,
        host.triple.as_str(),
        host.cpu.as_str(),
        host.features.as_str(),
    )
}

/// Stands for the initialisation of code generators that the build script leaves out: LLVM then has no
/// target of their names.
#[unsafe(no_mangle)]
extern "C" fn pyopt_target_left_out() {}
