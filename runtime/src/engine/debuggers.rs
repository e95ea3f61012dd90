//! What gdb and perf learn of loaded code: functions and Python lines.

use std::env;

use llvm_sys::{error::LLVMErrorRef, orc2::lljit::LLVMOrcLLJITRef};

use super::error::{EngineError, Phase, check};

unsafe extern "C" {
    fn pyoptDescribeToGdb(jit: LLVMOrcLLJITRef) -> LLVMErrorRef;
    fn pyoptDescribeToPerf(jit: LLVMOrcLLJITRef) -> LLVMErrorRef;
}

/// Names who shall know loaded code: `gdb`, `perf`, or both with a comma between.
const VARIABLE: &str = "PYOPT_DEBUGGERS";

/// Whether somebody shall know loaded code, so that it needs lines.
pub fn has_debuggers() -> bool {
    env::var_os(VARIABLE).is_some_and(|names| !names.is_empty())
}

/// Describes what is loaded from now on to the debuggers that the environment names. It is slower
/// then, so by default there are none.
///
/// # Safety
///
/// The LLJIT is live, and nobody else uses it yet.
pub(super) unsafe fn describe(jit: LLVMOrcLLJITRef) -> Result<(), EngineError> {
    let names = env::var(VARIABLE).unwrap_or_default();
    for name in names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        let describe = match name {
            "gdb" => pyoptDescribeToGdb,
            "perf" => pyoptDescribeToPerf,
            _ => {
                let message = format!("{VARIABLE} names '{name}', which is neither gdb nor perf");
                return Err(EngineError::new(Phase::Target, message));
            }
        };
        // SAFETY: the caller's promise; the returned error is ours.
        unsafe { check(describe(jit), Phase::Target)? };
    }
    Ok(())
}
