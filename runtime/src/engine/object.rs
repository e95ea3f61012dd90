//! Machine code as a relocatable object or as assembly text.

use std::{ptr, slice};

use llvm_sys::{
    core::{LLVMDisposeMemoryBuffer, LLVMGetBufferSize, LLVMGetBufferStart},
    prelude::{LLVMContextRef, LLVMModuleRef},
    target_machine::{LLVMCodeGenFileType, LLVMTargetMachineEmitToMemoryBuffer},
};
use serde::{Deserialize, Serialize};

use super::{
    Tier,
    error::{EngineError, Phase, take_message},
    module::LlvmModule,
    optimize::run_passes,
    target::{TargetMachine, with_machine},
};
use crate::fork::FirstGuarded;

/// A relocatable object file. It holds no addresses, so it can be kept on disk and loaded by
/// another process on the same kind of host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectCode(Vec<u8>);

impl ObjectCode {
    /// Takes bytes that [`ObjectCode::bytes`] gave earlier. Loading checks the format; that the
    /// code does what it should is the promise of whoever kept it.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The object file's bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Generates object code for a module that [`optimize`](super::optimize) has verified, and that
/// nobody looks at afterwards.
pub(super) fn generate(module: LlvmModule, tier: Tier) -> Result<ObjectCode, EngineError> {
    let bytes = at_tier(&module, tier, |machine| {
        let kind = LLVMCodeGenFileType::LLVMObjectFile;
        let bytes = emit_in_place(module.as_raw(), kind, machine)?;
        module.context().check_diagnostics(Phase::Codegen)?;
        Ok(bytes)
    });
    bytes.map(ObjectCode)
}

/// Generates object code for a module, which should have been optimised for the same tier.
pub fn emit_object(module: &LlvmModule, tier: Tier) -> Result<ObjectCode, EngineError> {
    emit(module, tier, LLVMCodeGenFileType::LLVMObjectFile).map(ObjectCode)
}

/// Generates assembly text for a module, which should have been optimised for the same tier.
pub fn emit_assembly(module: &LlvmModule, tier: Tier) -> Result<String, EngineError> {
    emit(module, tier, LLVMCodeGenFileType::LLVMAssemblyFile).map(text)
}

/// Optimises a module for an NVIDIA architecture, such as `sm_90`, and generates PTX for it. Its
/// kernels are the functions with the `ptx_kernel` calling convention.
pub fn compile_ptx(module: &mut LlvmModule, chip: &str) -> Result<String, EngineError> {
    // LLVM warns about an unknown name and compiles for another architecture.
    let number = chip
        .strip_prefix("sm_")
        .map(|rest| rest.trim_end_matches(['a', 'f']));
    if number.is_none_or(|number| number.parse::<u16>().is_err()) {
        let message = format!("'{chip}' is not an NVIDIA architecture such as 'sm_90'");
        return Err(EngineError::new(Phase::Target, message));
    }
    module.verify()?;
    let mut machine = TargetMachine::nvptx(chip)?;
    run_passes(module, c"default<O3>", &mut machine)?;
    let bytes = emit_checked(module, LLVMCodeGenFileType::LLVMAssemblyFile, &mut machine)?;
    Ok(text(bytes))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn emit(
    module: &LlvmModule,
    tier: Tier,
    kind: LLVMCodeGenFileType,
) -> Result<Vec<u8>, EngineError> {
    module.verify()?;
    at_tier(module, tier, |machine| emit_checked(module, kind, machine))
}

/// Generates code of a module with the machine and the passes of a tier.
fn at_tier(
    module: &LlvmModule,
    tier: Tier,
    emit: impl FnOnce(&mut TargetMachine) -> Result<Vec<u8>, EngineError>,
) -> Result<Vec<u8>, EngineError> {
    let context = module.context().as_raw();
    // SAFETY: the context is the module's, which is borrowed; the gates are never freed.
    let set_gate = |lean| unsafe { pyoptSetLeanGate(context, lean) };
    set_gate(tier == Tier::Lean);
    // LLVM registers the passes of code generation when they are first used, under locks of its own.
    static FIRST: [FirstGuarded; 3] = [const { FirstGuarded::new() }; 3];
    let code = with_machine(tier, |machine| FIRST[tier as usize].run(|| emit(machine)));
    set_gate(false);
    code
}

unsafe extern "C" {
    fn pyoptSetLeanGate(context: LLVMContextRef, lean: bool);
}

/// Generates code for a verified module.
fn emit_checked(
    module: &LlvmModule,
    kind: LLVMCodeGenFileType,
    machine: &mut TargetMachine,
) -> Result<Vec<u8>, EngineError> {
    // Code generation rewrites the IR; a copy keeps the module as inspection should show it.
    let bytes = module.with_copy(|copy| emit_in_place(copy, kind, machine))?;
    module.context().check_diagnostics(Phase::Codegen)?;
    Ok(bytes)
}

fn emit_in_place(
    module: LLVMModuleRef,
    kind: LLVMCodeGenFileType,
    machine: &mut TargetMachine,
) -> Result<Vec<u8>, EngineError> {
    // SAFETY: the module is live and only ours.
    unsafe { machine.adopt(module) };
    let mut message = ptr::null_mut();
    let mut buffer = ptr::null_mut();
    // SAFETY: module and machine are live, the module is valid, the result slots are live.
    let failed = unsafe {
        LLVMTargetMachineEmitToMemoryBuffer(
            machine.as_raw(),
            module,
            kind,
            &mut message,
            &mut buffer,
        )
    };
    if failed != 0 {
        // SAFETY: LLVM allocates the message on failure.
        let message = unsafe { take_message(message) };
        return Err(EngineError::new(Phase::Codegen, message));
    }
    // SAFETY: the buffer is live until disposed of and its bytes are copied out before.
    unsafe {
        let start = LLVMGetBufferStart(buffer).cast::<u8>();
        let bytes = slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
        LLVMDisposeMemoryBuffer(buffer);
        Ok(bytes)
    }
}
