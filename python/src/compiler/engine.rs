//! From the lowered module to code that can be called.

use std::sync::Arc;

use melior::Context;
use melior::ir::Module;
use pyopt_passes::compile::to_llvm_ir;
use pyopt_runtime::engine::{
    Clock, CompiledModule, EngineError, LlvmContext, LlvmModule, Remark, Tier, TieredCode,
    emit_assembly, optimize, optimize_with_remarks,
};

use super::{CompileError, ErrorKind, module};

type Result<T> = std::result::Result<T, Box<CompileError>>;

/// Generates code: its entry points are of the type [`super::Entry`].
pub fn compile(context: &Context, module: &Module, unoptimized: bool) -> Result<CompiledModule> {
    let llvm = translate(context, module)?;
    let entry = format!("pyopt_entry_{}", module::ENTRY);
    match unoptimized {
        true => CompiledModule::compile_unoptimized(llvm, &entry),
        false => CompiledModule::compile(llvm, &entry),
    }
    .map_err(failed)
}

/// Loads code, which runs on several threads if it is parallel.
pub fn load(module: CompiledModule, parallel: bool) -> Result<Arc<TieredCode>> {
    let clock = match parallel {
        true => Clock::Wall,
        false => Clock::Thread,
    };
    TieredCode::load(module, clock).map_err(failed)
}

/// The LLVM IR that a tier makes.
pub fn llvm_text(context: &Context, module: &Module, tier: Tier) -> Result<String> {
    let mut llvm = translate(context, module)?;
    optimize(&mut llvm, tier).map_err(failed)?;
    Ok(llvm.to_text())
}

/// The assembly that a tier makes.
pub fn assembly(context: &Context, module: &Module, tier: Tier) -> Result<String> {
    let mut llvm = translate(context, module)?;
    optimize(&mut llvm, tier).map_err(failed)?;
    emit_assembly(&llvm, tier).map_err(failed)
}

/// What LLVM says of the loops that it optimises for a tier.
pub fn remarks(context: &Context, module: &Module, tier: Tier) -> Result<Vec<Remark>> {
    let mut llvm = translate(context, module)?;
    optimize_with_remarks(&mut llvm, tier).map_err(failed)
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
