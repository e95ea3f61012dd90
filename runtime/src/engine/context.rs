//! An LLVM context whose error diagnostics are collected instead of printed.

use std::{
    ptr::NonNull,
    sync::{Mutex, PoisonError},
};

use libc::c_void;
use llvm_sys::{
    LLVMContext as RawContext, LLVMDiagnosticSeverity,
    core::{
        LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler,
        LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
    },
    prelude::{LLVMContextRef, LLVMDiagnosticInfoRef},
};

use super::error::{EngineError, Phase, take_message};

/// An LLVM context. Every module owns one, so modules compile independently on any thread.
#[derive(Debug)]
pub struct LlvmContext {
    raw: NonNull<RawContext>,
    /// Boxed because LLVM keeps its address; a mutex only to have interior mutability that is
    /// `Send`: one context is never used by two threads at a time.
    errors: Box<Mutex<Vec<String>>>,
}

// SAFETY: a context has no thread affinity; `&mut`/ownership rules keep its use to one thread.
unsafe impl Send for LlvmContext {}

impl LlvmContext {
    /// Creates an empty context.
    pub fn new() -> Self {
        let errors = Box::new(Mutex::new(Vec::new()));
        // SAFETY: creating a context has no precondition and never returns null.
        let raw = unsafe { LLVMContextCreate() };
        let address: *const Mutex<Vec<String>> = &*errors;
        // SAFETY: the box outlives the context (`Drop` disposes of the context first).
        unsafe {
            LLVMContextSetDiagnosticHandler(raw, Some(collect_error), address as *mut c_void);
        }
        Self {
            raw: NonNull::new(raw).expect("LLVM made a context"),
            errors,
        }
    }

    /// The raw context, for `mlirTranslateModuleToLLVMIR`.
    pub fn as_raw(&self) -> LLVMContextRef {
        self.raw.as_ptr()
    }

    /// Fails with the errors LLVM reported since the last call, if any.
    pub(super) fn check_diagnostics(&self, phase: Phase) -> Result<(), EngineError> {
        let errors =
            std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner));
        if errors.is_empty() {
            Ok(())
        } else {
            Err(EngineError::new(phase, errors.join("\n")))
        }
    }
}

impl Default for LlvmContext {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for LlvmContext {
    fn drop(&mut self) {
        // SAFETY: modules own their context and drop it last, so nothing in it is used any more.
        unsafe { LLVMContextDispose(self.raw.as_ptr()) };
    }
}

/// LLVM's default handler exits the process on an error; this one keeps the text.
extern "C" fn collect_error(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic.
    let severity = unsafe { LLVMGetDiagInfoSeverity(info) };
    if severity != LLVMDiagnosticSeverity::LLVMDSError {
        return;
    }
    // SAFETY: the diagnostic is live, and its description is ours to free.
    let text = unsafe { take_message(LLVMGetDiagInfoDescription(info)) };
    // SAFETY: `LlvmContext::new` installed this handler with the address of its boxed list.
    let errors = unsafe { &*(errors as *const Mutex<Vec<String>>) };
    errors
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(text);
}
