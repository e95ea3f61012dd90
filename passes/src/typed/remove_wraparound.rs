//! Removes the wrap-around of indices that are never negative.
//!
//! Testing an index for being negative costs a comparison in each access, and hides the stride from
//! LLVM. Intervals come from the enclosing loops: induction variables that start at 0, items of
//! ranges, extents, and arithmetic on these.

use crate::{
    analysis::{element_access::ElementAccess, interval::Intervals},
    infra::{OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ops::func},
};
use melior::ir::OperationRef;

/// Removes `wraparound` from loads and stores.
pub static PASS: PassSpec = PassSpec {
    description: "An access keeps its wrap-around unless every index is known not to be negative. \
        Sums are taken not to wrap where they would have to pass 2^62 in a loop that counts one by \
        one, or where the wrapped index would be outside of any array.",
    anchor: func::Func::NAME,
    statistics: &[
        StatisticSpec::new("removed", "accesses whose indices are not negative"),
        StatisticSpec::new("kept", "accesses with an index that may be negative"),
    ],
    ..PassSpec::new(
        "typed-remove-wraparound",
        "remove the wrap-around of indices that aren't negative",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let mut intervals = Intervals::default();

    let accesses = root.pre_order().into_iter();
    for access in accesses.filter_map(ElementAccess::of) {
        if !access.wraparound() {
            continue;
        }
        if access
            .indices()
            .iter()
            .all(|index| intervals.of_index(*index).is_index())
        {
            access.set_wraparound(false);
            cx.bump("removed", 1);
        } else {
            cx.bump("kept", 1);
        }
    }
    Ok(())
}
