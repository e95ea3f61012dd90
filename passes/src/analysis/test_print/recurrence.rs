//! Prints how near the iterations of a loop are that depend on each other.

use super::tagged;
use crate::{
    analysis::recurrence::shortest_distance,
    infra::{BlockExt, OperationExt, PassContext, PassResult, PassSpec, RegionExt, ops::scf},
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `test-print-recurrences` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reports the shortest distance between iterations of each loop with a `tag` of \
                  which one stores an element that the other loads.",
    ..PassSpec::new(
        "test-print-recurrences",
        "print distances of loop-carried dependences",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    for (operation, tag) in tagged(module) {
        let body = scf::For::of(operation).and_then(|r#loop| r#loop.region().entry());
        let Some(body) = body else { continue };
        let found = shortest_distance(body.argument_value(0), &operation.pre_order());
        let text = match found {
            Some(distance) => format!("'{tag}' has the distance {distance}"),
            None => format!("'{tag}' has none"),
        };
        cx.remark(operation.location(), text);
    }
    Ok(())
}
