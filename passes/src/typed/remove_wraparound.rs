//! Removes the wrap-around of indices that are never negative.
//!
//! Testing an index for being negative costs a comparison in each access, and hides the stride from
//! LLVM. Intervals come from the enclosing loops: induction variables that start at 0, items of
//! ranges, extents, and arithmetic on these.

use super::interval::Intervals;
use crate::infra::{
    OperationAttributes, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
};
use melior::ir::OperationRef;

/// Removes `wraparound` from loads and stores.
pub static PASS: PassSpec = PassSpec {
    description: "An access keeps its wrap-around unless every index is known not to be negative. \
        Sums are taken not to wrap where they would have to pass 2^62 in a loop that counts one by \
        one, or where the wrapped index would be outside of any array.",
    anchor: "func.func",
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

    for access in root.pre_order() {
        // The indices come after the stored value and the array.
        let first = match access.full_name() {
            "typed.load" => 1,
            "typed.store" => 2,
            _ => continue,
        };
        if !access.flag_attr("wraparound") {
            continue;
        }
        let indices = &access.operand_values()[first..];
        if indices
            .iter()
            .all(|index| intervals.of_index(*index).is_index())
        {
            access.remove_attr("wraparound");
            cx.bump("removed", 1);
        } else {
            cx.bump("kept", 1);
        }
    }
    Ok(())
}
