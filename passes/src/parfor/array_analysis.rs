//! Array analysis: finds equal extents of arrays, and makes the equality explicit in the IR.
//!
//! A size is an affine form over atoms: dimensions, integers, and the sizes of slices, masks and
//! broadcasts ([`crate::analysis::sizes`]). A walk in the order of execution collects the
//! equations that checks and asserts establish ([`conditions`], [`walk`]); where they hold, equal
//! sizes have the same normal form. The first array in each class of equal sizes provides the SSA
//! value that represents the class ([`rewrite`]).

mod conditions;
mod hoist;
mod rewrite;
mod source;
mod walk;

use crate::infra::{
    Builder, OperationExt, OperationInterfaces, PassContext, PassResult, PassSpec, StatisticSpec,
    ops::{func, typed},
};
use melior::ir::OperationRef;

/// The `parfor-array-analysis` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Equal dimensions become one value: `typed.with_shape` says so of arrays whose \
                  sizes don't show it, `typed.dim` of one becomes that of the first, and fills and \
                  loops take the same sizes. Known are the sizes of slices, masks, broadcasts, \
                  transposes and new arrays, what loops and branches leave as it is, and what \
                  asserts and other checks compare. Checks of what is known are gone; a \
                  `typed.require_equal` that every run of a loop comes to first stands before the \
                  loop. A slice \
                  such as `a[i:j]` has a size of its own: only one with equal bounds of an equal \
                  dimension is known to have it too, as bounds may be cut off or count from the \
                  end.",
    anchor: func::Func::NAME,
    dialects: &["arith", "scf", "typed"],
    statistics: &[
        StatisticSpec::new("shaped", "arrays whose sizes are written down"),
        StatisticSpec::new("proven", "checks that can't fail"),
        StatisticSpec::new("hoisted", "checks taken out of loops"),
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

/// Whether the transformation of an operation depends on known sizes.
fn profits<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    operation.is_element_loop() || operation.isa::<typed::RequireEqual>()
}
