//! An LLVM module together with the context it lives in.

use std::{ptr, ptr::NonNull, slice};

use llvm_sys::{
    LLVMModule as RawModule,
    analysis::{LLVMVerifierFailureAction, LLVMVerifyModule},
    bit_reader::LLVMParseBitcodeInContext2,
    bit_writer::LLVMWriteBitcodeToMemoryBuffer,
    core::{
        LLVMCloneModule, LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMDisposeMemoryBuffer,
        LLVMDisposeModule, LLVMGetBufferSize, LLVMGetBufferStart, LLVMPrintModuleToString,
    },
    ir_reader::LLVMParseIRInContext2,
    prelude::{LLVMMemoryBufferRef, LLVMModuleRef},
};
use serde::{Deserialize, Serialize};

use super::{
    context::LlvmContext,
    error::{EngineError, Phase, take_message},
};

/// A module in LLVM's binary form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bitcode(Box<[u8]>);

/// A module and the context that only it uses.
#[derive(Debug)]
pub struct LlvmModule {
    raw: NonNull<RawModule>,
    /// Kept for its lifetime: `Drop` below runs before the field's.
    context: LlvmContext,
}

// SAFETY: the module and everything it refers to belong to this value alone.
unsafe impl Send for LlvmModule {}

impl LlvmModule {
    /// Takes over a module, as `mlirTranslateModuleToLLVMIR` returns one; null is an error.
    ///
    /// # Safety
    ///
    /// `raw` is null or a module made in `context` that nothing else owns, and nothing else uses
    /// `context` from now on.
    pub unsafe fn from_raw(raw: LLVMModuleRef, context: LlvmContext) -> Result<Self, EngineError> {
        match NonNull::new(raw) {
            Some(raw) => Ok(Self { raw, context }),
            None => Err(EngineError::new(
                Phase::Verify,
                "translation to LLVM IR failed",
            )),
        }
    }

    /// Parses textual LLVM IR.
    pub fn from_ir(text: &str) -> Result<Self, EngineError> {
        let context = LlvmContext::new();
        let mut raw = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: the buffer ends with the null byte that the parser needs; the context and the two
        // result slots are live.
        let failed = with_buffer(text.as_bytes(), |buffer| unsafe {
            LLVMParseIRInContext2(context.as_raw(), buffer, &mut raw, &mut message)
        });
        // SAFETY: on failure LLVM allocated the message, otherwise it is null.
        let message = unsafe { take_message(message) };
        if failed != 0 {
            return Err(EngineError::new(Phase::Parse, message));
        }
        context.check_diagnostics(Phase::Parse)?;
        // SAFETY: the parser made the module in `context`, which is given up with it.
        unsafe { Self::from_raw(raw, context) }
    }

    /// Reads bitcode that [`Self::to_bitcode`] made.
    pub fn from_bitcode(code: &Bitcode) -> Result<Self, EngineError> {
        let context = LlvmContext::new();
        let mut raw = ptr::null_mut();
        // SAFETY: the buffer, the context and the result slot are live.
        let failed = with_buffer(&code.0, |buffer| unsafe {
            LLVMParseBitcodeInContext2(context.as_raw(), buffer, &mut raw)
        });
        context.check_diagnostics(Phase::Parse)?;
        if failed != 0 {
            return Err(EngineError::new(Phase::Parse, "not LLVM bitcode"));
        }
        // SAFETY: the parser made the module in `context`, which is given up with it.
        unsafe { Self::from_raw(raw, context) }
    }

    /// The module in LLVM's binary form, a fraction of its size in memory.
    pub fn to_bitcode(&self) -> Bitcode {
        // SAFETY: the module is live; the buffer is ours until disposed of and copied before.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.as_raw());
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).into();
            LLVMDisposeMemoryBuffer(buffer);
            Bitcode(bytes)
        }
    }

    /// The module as textual LLVM IR.
    pub fn to_text(&self) -> String {
        // SAFETY: the module is live; the string is ours.
        unsafe { take_message(LLVMPrintModuleToString(self.as_raw())) }
    }

    /// Checks the module. Everything past this point may abort on what it rejects.
    pub fn verify(&self) -> Result<(), EngineError> {
        let mut message = ptr::null_mut();
        // SAFETY: the module is live; the action only returns a status and a message.
        let broken = unsafe {
            LLVMVerifyModule(
                self.as_raw(),
                LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &mut message,
            )
        };
        // SAFETY: the verifier always allocates the message.
        let message = unsafe { take_message(message) };
        if broken != 0 {
            return Err(EngineError::new(Phase::Verify, message));
        }
        self.context.check_diagnostics(Phase::Verify)
    }

    /// The raw module.
    pub fn as_raw(&self) -> LLVMModuleRef {
        self.raw.as_ptr()
    }

    pub(super) fn context(&self) -> &LlvmContext {
        &self.context
    }

    /// Runs `work` on a scratch copy, for code generation, which changes what it reads.
    pub(super) fn with_copy<R>(&self, work: impl FnOnce(LLVMModuleRef) -> R) -> R {
        // SAFETY: the module is live; the clone shares its context, which outlives this call.
        let copy = unsafe { LLVMCloneModule(self.as_raw()) };
        let result = work(copy);
        // SAFETY: the clone is ours and `work` had only the loan of it.
        unsafe { LLVMDisposeModule(copy) };
        result
    }
}

/// Lends a copy of bytes, with a null byte behind them.
fn with_buffer<R>(bytes: &[u8], read: impl FnOnce(LLVMMemoryBufferRef) -> R) -> R {
    // SAFETY: the bytes are copied; `read` has only the loan of the buffer.
    unsafe {
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
            bytes.as_ptr().cast(),
            bytes.len(),
            c"module".as_ptr(),
        );
        let result = read(buffer);
        LLVMDisposeMemoryBuffer(buffer);
        result
    }
}

impl Drop for LlvmModule {
    fn drop(&mut self) {
        // SAFETY: the module is ours; its context is dropped after this.
        unsafe { LLVMDisposeModule(self.raw.as_ptr()) };
    }
}
