//! From the lowered module to code that can be called, and what the host has to know of it.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use melior::Context;
use melior::ir::attribute::{DictionaryAttribute, IntegerAttribute, StringAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, Module};
use pyopt_frontend::attributes::{attribute_text, elements};
use pyopt_runtime::engine::{
    self, EngineError, LlvmContext, LlvmModule, LoadedCode, Tier, emit_assembly, optimize,
};

use super::{CompileError, Entry, ErrorKind, Place, RaiseSite, module};

type Result<T> = std::result::Result<T, Box<CompileError>>;

/// The module attribute with the raise sites.
const SITES: &str = "pyopt.sites";

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
    melior::utility::register_all_llvm_translations(context);
    let llvm = LlvmContext::new();
    // SAFETY: the module is made in the fresh context, which goes with it.
    unsafe {
        let raw = mlir_sys::mlirTranslateModuleToLLVMIR(
            module.as_operation().to_raw(),
            llvm.as_raw().cast(),
        );
        LlvmModule::from_raw(raw.cast(), llvm).map_err(failed)
    }
}

pub(super) fn failed(error: EngineError) -> Box<CompileError> {
    CompileError::plain(ErrorKind::Lowering, error.to_string())
}

/// The table of raise sites that the lowering left in the module.
pub fn sites(module: &Module) -> Vec<RaiseSite> {
    let table = module
        .as_operation()
        .attribute(SITES)
        .ok()
        .and_then(elements);
    table.into_iter().flatten().filter_map(site).collect()
}

fn site(entry: Attribute) -> Option<RaiseSite> {
    let fields = DictionaryAttribute::try_from(entry).ok()?;
    let number = |name: &str| {
        let value = fields.element_by_name(name)?;
        IntegerAttribute::try_from(value)
            .ok()
            .map(|integer| integer.value())
    };
    let text = |name: &str| {
        let value = fields.element_by_name(name)?;
        StringAttribute::try_from(value)
            .ok()
            .and_then(attribute_text)
            .map(str::to_string)
    };
    let position = |name: &str| {
        number(name)
            .and_then(|value| u32::try_from(value).ok())
            .unwrap_or(0)
    };
    Some(RaiseSite {
        id: i32::try_from(number("id")?).ok()?,
        exception: text("exception").unwrap_or_default(),
        message: text("message"),
        place: Place {
            file: text("file").unwrap_or_default(),
            line: position("line"),
            column: position("column"),
            end_column: position("end_column"),
            function: text("function").unwrap_or_default(),
        },
    })
}
