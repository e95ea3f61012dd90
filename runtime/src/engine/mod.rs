//! From LLVM IR to callable machine code.
//!
//! A [`LlvmModule`] is optimised by a [`Tier`]'s pipeline, turned into [`ObjectCode`] (which can
//! be cached), and loaded into the process as [`LoadedCode`]; dropping that frees the code.
//! [`TieredCode`] runs a [`CompiledModule`] and compiles it once more when it stays hot. LLVM is set up on first use, and every step may
//! run on any thread.
//!
//! LLVM aborts the process on some invalid input, so every step verifies the module first and
//! error diagnostics are collected: what is wrong comes back as an [`EngineError`].

pub mod background;
mod compiled_module;
mod context;
mod conversions;
mod debuggers;
mod error;
mod first_tier;
mod jit;
mod module;
mod object;
mod optimize;
mod remarks;
mod target;
#[cfg(test)]
mod tests;
mod tiered;

pub use compiled_module::CompiledModule;
pub use context::LlvmContext;
pub use debuggers::{has_debuggers, has_gdb};
pub use error::{EngineError, Phase};
pub use first_tier::first_tier;
pub use jit::{LoadedCode, show_to_gdb};
pub use module::{Bitcode, LlvmModule};
pub use object::{ObjectCode, compile_ptx, emit_assembly, emit_object};
pub use optimize::{Tier, optimize, optimize_with_remarks, run_pipeline};
pub use remarks::{Remark, RemarkArgument, RemarkKind};
pub use target::{Host, TargetMachine};
pub use tiered::{Clock, TieredCode};

/// Verifies and optimises a module and generates its object code.
pub fn compile(mut module: LlvmModule, tier: Tier) -> Result<ObjectCode, EngineError> {
    optimize(&mut module, tier)?;
    object::generate(module, tier)
}
