//! From the lowered module to code that can be called.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use melior::Context;
use melior::ir::Module;
use pyopt_passes::compile::to_llvm_ir;
use pyopt_runtime::engine::{
    self, EngineError, LlvmContext, LlvmModule, LoadedCode, Tier, emit_assembly, optimize,
};

use super::{CompileError, Entry, ErrorKind, module};

type Result<T> = std::result::Result<T, Box<CompileError>>;

/// Generates and loads code: the entry and what keeps it loaded.
pub fn load(context: &Context, module: &Module) -> Result<(Entry, Arc<LoadedCode>)> {
    let mut llvm = translate(context, module)?;
    let object = engine::compile(&mut llvm, Tier::Lean).map_err(failed)?;
    let code = LoadedCode::load(&object).map_err(failed)?;
    let address = code
        .lookup(&format!("pyopt_entry_{}", module::ENTRY))
        .map_err(failed)?;
    // SAFETY: the lowering gives every entry function a wrapper of this type and name.
    let entry = unsafe { std::mem::transmute::<NonNull<c_void>, Entry>(address) };
    Ok((entry, Arc::new(code)))
}

/// The optimised LLVM IR.
pub fn llvm_text(context: &Context, module: &Module) -> Result<String> {
    let mut llvm = translate(context, module)?;
    optimize(&mut llvm, Tier::Lean).map_err(failed)?;
    Ok(llvm.to_text())
}

/// The assembly.
pub fn assembly(context: &Context, module: &Module) -> Result<String> {
    let mut llvm = translate(context, module)?;
    optimize(&mut llvm, Tier::Lean).map_err(failed)?;
    emit_assembly(&llvm, Tier::Lean).map_err(failed)
}

pub(super) fn translate(context: &Context, module: &Module) -> Result<LlvmModule> {
    let llvm = LlvmContext::new();
    // SAFETY: the context is fresh; the module is made in it, which goes with it.
    unsafe {
        let raw = to_llvm_ir(context, module, llvm.as_raw().cast());
        LlvmModule::from_raw(raw.cast(), llvm).map_err(failed)
    }
}

pub(super) fn failed(error: EngineError) -> Box<CompileError> {
    CompileError::plain(ErrorKind::Lowering, error.to_string())
}
