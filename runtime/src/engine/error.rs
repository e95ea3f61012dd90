//! The one error type of the engine, and how LLVM's own error values become it.

use std::{ffi::CStr, fmt};

use libc::c_char;
use llvm_sys::{
    core::LLVMDisposeMessage,
    error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage},
};

/// What the engine was doing when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Reading textual LLVM IR.
    Parse,
    /// Checking a module before anything is done with it.
    Verify,
    /// Finding or making the target machine.
    Target,
    /// Running an optimisation pipeline.
    Optimize,
    /// Generating machine code.
    Codegen,
    /// Loading object code into the process.
    Load,
    /// Finding a symbol in loaded code, which also links it.
    Lookup,
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Parse => "cannot parse LLVM IR",
            Self::Verify => "invalid LLVM module",
            Self::Target => "no target machine",
            Self::Optimize => "optimization failed",
            Self::Codegen => "code generation failed",
            Self::Load => "cannot load object code",
            Self::Lookup => "cannot link",
        })
    }
}

/// A failure of the engine. LLVM's message is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    phase: Phase,
    message: String,
}

impl EngineError {
    pub(super) fn new(phase: Phase, message: impl Into<String>) -> Self {
        Self {
            phase,
            message: message.into(),
        }
    }

    /// What the engine was doing.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// What LLVM said.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}: {}", self.phase, self.message.trim_end())
    }
}

impl std::error::Error for EngineError {}

/// Takes a message LLVM allocated; null becomes the empty string.
///
/// # Safety
///
/// `message` is null or a C string that `LLVMDisposeMessage` may free, not used afterwards.
pub(super) unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: not null, hence a C string by the caller's promise.
    let text = unsafe { CStr::from_ptr(message) }
        .to_string_lossy()
        .into_owned();
    // SAFETY: the caller gave up the message and the text was copied.
    unsafe { LLVMDisposeMessage(message) };
    text
}

/// Turns an `LLVMErrorRef` into a result.
///
/// # Safety
///
/// `error` is null (success) or an error that nobody else consumes.
pub(super) unsafe fn check(error: LLVMErrorRef, phase: Phase) -> Result<(), EngineError> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is ours; taking its message consumes it.
    let message = unsafe { LLVMGetErrorMessage(error) };
    // SAFETY: LLVM returned a C string.
    let text = unsafe { CStr::from_ptr(message) }
        .to_string_lossy()
        .into_owned();
    // SAFETY: the message came from `LLVMGetErrorMessage` and was copied.
    unsafe { LLVMDisposeErrorMessage(message) };
    Err(EngineError::new(phase, text))
}
