//! An LLVM context whose error diagnostics, and remarks if asked for, are collected instead of printed.

use std::{
    ptr::NonNull,
    sync::{Mutex, MutexGuard, PoisonError},
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

use super::{
    error::{EngineError, Phase, take_message},
    remarks::{RawRemark, Remark, pyoptCollectRemarks},
};

/// What LLVM reported.
#[derive(Debug, Default)]
struct Reports {
    errors: Vec<String>,
    remarks: Vec<Remark>,
}

/// An LLVM context. Every module owns one, so modules compile independently on any thread.
#[derive(Debug)]
pub struct LlvmContext {
    raw: NonNull<RawContext>,
    /// Boxed because LLVM keeps its address; a mutex only to have interior mutability that is
    /// `Send`: one context is never used by two threads at a time.
    reports: Box<Mutex<Reports>>,
}

// SAFETY: a context has no thread affinity; `&mut`/ownership rules keep its use to one thread.
unsafe impl Send for LlvmContext {}

impl LlvmContext {
    /// Creates an empty context.
    pub fn new() -> Self {
        let reports = Box::<Mutex<Reports>>::default();
        // SAFETY: creating a context has no precondition and never returns null.
        let raw = unsafe { LLVMContextCreate() };
        let address: *const Mutex<Reports> = &*reports;
        // SAFETY: the box outlives the context (`Drop` disposes of the context first).
        unsafe {
            LLVMContextSetDiagnosticHandler(raw, Some(collect_error), address as *mut c_void);
        }
        Self {
            raw: NonNull::new(raw).expect("LLVM made a context"),
            reports,
        }
    }

    /// From now on remarks of passes over loops are collected.
    pub(super) fn collect_remarks(&self) {
        // SAFETY: the context is live; the sink gets the address that `new` gave its handler.
        unsafe { pyoptCollectRemarks(self.as_raw(), collect_remark) };
    }

    /// Takes the remarks there have been.
    pub(super) fn take_remarks(&self) -> Vec<Remark> {
        std::mem::take(&mut self.lock().remarks)
    }

    fn lock(&self) -> MutexGuard<'_, Reports> {
        lock(&self.reports)
    }

    /// The raw context, for `mlirTranslateModuleToLLVMIR`.
    pub fn as_raw(&self) -> LLVMContextRef {
        self.raw.as_ptr()
    }

    /// Fails with the errors LLVM reported since the last call, if any.
    pub(super) fn check_diagnostics(&self, phase: Phase) -> Result<(), EngineError> {
        let errors = std::mem::take(&mut self.lock().errors);
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
extern "C" fn collect_error(info: LLVMDiagnosticInfoRef, reports: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic.
    let severity = unsafe { LLVMGetDiagInfoSeverity(info) };
    if severity != LLVMDiagnosticSeverity::LLVMDSError {
        return;
    }
    // SAFETY: the diagnostic is live, and its description is ours to free.
    let text = unsafe { take_message(LLVMGetDiagInfoDescription(info)) };
    // SAFETY: `LlvmContext::new` installed this handler with the address of its boxed reports.
    let reports = unsafe { &*(reports as *const Mutex<Reports>) };
    lock(reports).errors.push(text);
}

unsafe extern "C" fn collect_remark(reports: *mut c_void, remark: *const RawRemark) {
    // SAFETY: the glue lends a live remark.
    let remark = unsafe { (*remark).to_remark() };
    // SAFETY: as in `collect_error`, whose handler this one has taken the place of.
    let reports = unsafe { &*(reports as *const Mutex<Reports>) };
    lock(reports).remarks.push(remark);
}

fn lock(reports: &Mutex<Reports>) -> MutexGuard<'_, Reports> {
    reports.lock().unwrap_or_else(PoisonError::into_inner)
}
