//! `typed-canonicalize`: upstream's canonicalisation, made safe for signed integers.
//!
//! Some upstream patterns for `arith.select` treat any integer type as signless and make operations
//! that don't verify. This pass leaves those out; folding is upstream's. Identical blocks aren't
//! merged, because operations that raise in them have different lines.

use crate::infra::{
    OperationExt, PassContext, PassFailure, PassResult, PassSpec,
    ops::{py, typed},
};
use melior::{dialect::DialectRegistry, ir::OperationRef};
use mlir_sys::{MlirDialectRegistry, MlirOperation};

/// The `typed-canonicalize` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Folds and rewrites to canonical form, as `canonicalize` does, but for the \
                  rewrites of `arith.select`, which are wrong on `si64` and `ui64`, and for the \
                  merging of equal blocks, whose lines differ in tracebacks. Where there are \
                  handlers of exceptions, no blocks are joined.",
    anchor: "",
    dialects: &["arith", "cf", "scf", "typed"],
    ..PassSpec::new(
        "typed-canonicalize",
        "canonicalize code that has signed integers",
        run,
    )
};

unsafe extern "C" {
    fn pyoptRegisterCanonicalizer(registry: MlirDialectRegistry);
    fn pyoptCanonicalize(root: MlirOperation, joins_blocks: bool) -> bool;
}

/// Lets contexts made from a registry keep the patterns, which are built once per context.
pub(crate) fn register(registry: &DialectRegistry) {
    // SAFETY: the registry is valid.
    unsafe { pyoptRegisterCanonicalizer(registry.to_raw()) }
}

fn run<'c>(_: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    // What a handler gets is defined before the block that may raise: blocks with handlers stay
    // apart from those before them.
    let catches = root
        .pre_order()
        .into_iter()
        .any(|operation| operation.isa::<py::TryBr>() || operation.isa::<typed::TryBr>());
    // SAFETY: the pass manager lends the operation for the run.
    match unsafe { pyoptCanonicalize(root.to_raw(), !catches) } {
        true => Ok(()),
        false => Err(PassFailure::Message(
            "the context's registry wasn't made by register_all_dialects".into(),
        )),
    }
}
