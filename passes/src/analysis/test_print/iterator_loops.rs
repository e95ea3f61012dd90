//! Prints loops over iterators.

use crate::{
    analysis::iterator_loops::IteratorLoop,
    infra::{Dominance, OperationExt, PassContext, PassResult, PassSpec, ops::func},
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `test-print-iterator-loops` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reports each loop over an iterator, outer ones first: how many blocks its body \
                  has, how many edges lead into and back to it, and whether it is left early.",
    anchor: func::Func::NAME,
    ..PassSpec::new(
        "test-print-iterator-loops",
        "print loops over iterators",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    for region in function.region_list() {
        let dominance = Dominance::new(function);
        for one in IteratorLoop::outermost_first(region, &dominance) {
            let early = match one.early_exit() {
                Some(_) => "left early",
                None => "left at its end",
            };
            cx.remark(
                one.for_iter.location(),
                format!(
                    "a loop of {} blocks, {} entries and {} latches, {early}",
                    one.body.len(),
                    one.entries.len(),
                    one.latches.len(),
                ),
            );
        }
    }
    Ok(())
}
