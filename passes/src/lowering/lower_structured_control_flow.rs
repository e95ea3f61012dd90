//! `lower-structured-control-flow`: loops and conditionals become branches.
//!
//! Upstream's `convert-scf-to-cf`, with one step before it. The assembly of `scf` prints no
//! location for the arguments of a loop's regions, so a parsed module has other locations there
//! than the module that was printed. As block arguments they would become visible in debug
//! information; here they get the location of their loop, however the module was made.

use crate::infra::{
    BlockExt, OperationExt, PassContext, PassFailure, PassResult, PassSpec, RegionExt,
};
use melior::ir::{OperationRef, ValueLike, operation::OperationLike};
use mlir_sys::{MlirOperation, mlirBlockArgumentSetLocation};

/// The `lower-structured-control-flow` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Converts `scf` to `cf` as `convert-scf-to-cf` does. The arguments of a loop's \
                  blocks have the location of the loop.",
    dialects: &["arith", "cf", "scf"],
    ..PassSpec::new(
        "lower-structured-control-flow",
        "turn loops and conditionals into branches",
        run,
    )
};

unsafe extern "C" {
    fn pyoptConvertScfToCf(root: MlirOperation) -> bool;
}

fn run<'c>(_: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    for operation in root.pre_order() {
        if operation.dialect() != "scf" {
            continue;
        }
        let location = operation.location();
        let regions = operation.region_list().into_iter();
        let blocks = regions.flat_map(|region| region.block_list());
        for argument in blocks.flat_map(|block| block.argument_values()) {
            // SAFETY: the argument is a block's, and the pass may change the module.
            unsafe { mlirBlockArgumentSetLocation(argument.to_raw(), location.to_raw()) }
        }
    }
    // SAFETY: the pass manager lends the operation for the run.
    match unsafe { pyoptConvertScfToCf(root.to_raw()) } {
        true => Ok(()),
        false => Err(PassFailure::Reported),
    }
}
