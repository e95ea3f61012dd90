//! Finds out which sizes of arrays are equal, and writes it into the program.
//!
//! A size is a sum of atoms: dimensions, integers, and what slices, masks and broadcasts make of
//! them ([`size`], [`slices`], [`derive`]). A walk in the order of execution collects what checks
//! and asserts say ([`conditions`], [`walk`]); where it is, equal sizes are written alike. The first
//! array of each class gives the value that stands for the class ([`rewrite`]).

mod conditions;
mod derive;
mod rewrite;
mod size;
mod slices;
mod walk;

pub(super) use derive::Derivation;
pub(super) use size::{Key, Size};

use crate::infra::{Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec};
use melior::ir::OperationRef;

/// The `parfor-array-analysis` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Equal dimensions become one value: `typed.with_shape` says so of arrays whose \
                  sizes don't show it, `typed.dim` of one becomes that of the first, and fills and \
                  loops take the same sizes. Known are the sizes of slices, masks, broadcasts, \
                  transposes and new arrays, what loops and branches leave as it is, and what \
                  asserts and other checks compare. Checks of what is known are gone. A slice \
                  such as `a[i:j]` has a size of its own: only one with equal bounds of an equal \
                  dimension is known to have it too, as bounds may be cut off or count from the \
                  end.",
    anchor: "func.func",
    dialects: &["arith", "typed"],
    statistics: &[
        StatisticSpec::new("shaped", "arrays whose sizes are written down"),
        StatisticSpec::new("proven", "checks that can't fail"),
    ],
    ..PassSpec::new(
        "parfor-array-analysis",
        "find equal sizes of arrays and write them down",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let operations = function.pre_order();
    if !operations.iter().any(|one| profits(*one)) {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), function);
    let mut walk = walk::Walk::new(&operations);
    walk.regions(&mut rewrite::Rewrite::new(cx, &builder), function);
    Ok(())
}

/// Whether what is known of sizes makes a difference to an operation.
fn profits<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    matches!(
        operation.full_name(),
        "typed.array_expr"
            | "typed.assign"
            | "typed.reduce"
            | "typed.generate"
            | "typed.require_equal"
            | "parfor.loop"
    )
}
