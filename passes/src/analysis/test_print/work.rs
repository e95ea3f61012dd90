//! Prints estimates of cost.

use super::tagged;
use crate::{
    analysis::work::{Known, of_call, of_simple},
    infra::{
        PassContext, PassResult, PassSpec,
        ops::{AnyOp, typed},
    },
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `test-print-work` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reports the cost of each operation with a `tag`, in simple operations.",
    ..PassSpec::new("test-print-work", "print the cost of operations", run)
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    for (operation, tag) in tagged(module) {
        let cost = match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::Call(call)) => of_call(module, call),
            _ => of_simple(operation),
        };
        let text = match cost {
            Known::Simple(cost) => format!("'{tag}' costs {cost}"),
            Known::Any => format!("'{tag}' may take any time"),
        };
        cx.remark(operation.location(), text);
    }
    Ok(())
}
