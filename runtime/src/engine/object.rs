//! Machine code as a relocatable object or as assembly text.

use std::{ptr, slice};

use llvm_sys::{
    core::{LLVMDisposeMemoryBuffer, LLVMGetBufferSize, LLVMGetBufferStart},
    prelude::LLVMModuleRef,
    target_machine::{LLVMCodeGenFileType, LLVMTargetMachineEmitToMemoryBuffer},
};

use super::{
    Tier,
    error::{EngineError, Phase, take_message},
    module::LlvmModule,
    target::with_machine,
};

/// A relocatable object file. It holds no addresses, so it can be kept on disk and loaded by
/// another process on the same kind of host.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// Generates object code for a module, which should have been optimised for the same tier.
pub fn emit_object(module: &LlvmModule, tier: Tier) -> Result<ObjectCode, EngineError> {
    emit(module, tier, LLVMCodeGenFileType::LLVMObjectFile).map(ObjectCode)
}

/// Generates assembly text for a module, which should have been optimised for the same tier.
pub fn emit_assembly(module: &LlvmModule, tier: Tier) -> Result<String, EngineError> {
    let bytes = emit(module, tier, LLVMCodeGenFileType::LLVMAssemblyFile)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn emit(
    module: &LlvmModule,
    tier: Tier,
    kind: LLVMCodeGenFileType,
) -> Result<Vec<u8>, EngineError> {
    module.verify()?;
    // Code generation rewrites the IR; a copy keeps the module as inspection should show it.
    module.with_copy(|copy| emit_in_place(copy, tier, kind)).and_then(|bytes| {
        module.context().check_diagnostics(Phase::Codegen)?;
        Ok(bytes)
    })
}

fn emit_in_place(
    module: LLVMModuleRef,
    tier: Tier,
    kind: LLVMCodeGenFileType,
) -> Result<Vec<u8>, EngineError> {
    with_machine(tier, |machine| {
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
    })
}
