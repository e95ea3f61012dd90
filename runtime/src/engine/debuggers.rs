//! What gdb and perf learn of loaded code: functions, Python lines and variables.

use std::{env, sync::Once};

use llvm_sys::{error::LLVMErrorRef, orc2::lljit::LLVMOrcLLJITRef};

use super::error::{EngineError, Phase, check};

unsafe extern "C" {
    fn pyoptDescribeToGdb(jit: LLVMOrcLLJITRef) -> LLVMErrorRef;
    fn pyoptDescribeToPerf(jit: LLVMOrcLLJITRef) -> LLVMErrorRef;
}

/// Names who shall know loaded code: `gdb`, `perf`, or both with a comma between.
const VARIABLE: &str = "PYOPT_DEBUGGERS";

const GDB: &str = "gdb";

/// Whether somebody shall know loaded code, so that it needs lines.
pub fn has_debuggers() -> bool {
    env::var_os(VARIABLE).is_some_and(|names| !names.is_empty())
}

/// Whether gdb shall know loaded code, and so its variables.
pub fn has_gdb() -> bool {
    env::var(VARIABLE).is_ok_and(|names| names.split(',').any(|name| name.trim() == GDB))
}

/// Describes what is loaded from now on to gdb, if that isn't done already.
///
/// # Safety
///
/// The LLJIT is live.
pub(super) unsafe fn describe_to_gdb(jit: LLVMOrcLLJITRef) -> Result<(), EngineError> {
    static DONE: Once = Once::new();
    let mut done = Ok(());
    // SAFETY: the caller's promise; layers take further plugins under a lock of theirs.
    DONE.call_once(|| done = unsafe { check(pyoptDescribeToGdb(jit), Phase::Target) });
    done
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
        match name {
            // SAFETY: the caller's promise.
            GDB => unsafe { describe_to_gdb(jit)? },
            // SAFETY: the caller's promise; the returned error is ours.
            "perf" => unsafe { check(pyoptDescribeToPerf(jit), Phase::Target)? },
            _ => {
                let message = format!("{VARIABLE} names '{name}', which is neither gdb nor perf");
                return Err(EngineError::new(Phase::Target, message));
            }
        }
    }
    Ok(())
}
