//! Removes an acquire of a view together with the release of the array that it is a view of.

use super::ownership::is_view;
use crate::infra::{OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt};
use melior::ir::{OperationRef, Value, operation::OperationLike};

/// Cancels pairs of `typed.acquire` and `typed.release`.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.acquire` of a value and `typed.release` of the same one, or of the array \
                  that it is a view of, cancel out where nothing but other reference counting \
                  stands between them: the reference changes hands.",
    anchor: "func.func",
    dialects: &["typed"],
    statistics: &[StatisticSpec::new("pairs", "pairs removed")],
    ..PassSpec::new(
        "typed-prune-ownership",
        "remove reference counting that cancels out",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    for acquire in function.nested("typed.acquire") {
        let owner = viewed(acquire.operand_value(0));
        if let Some(release) = matching_release(acquire, owner) {
            acquire.erase();
            release.erase();
            cx.bump("pairs", 1);
        }
    }
    Ok(())
}

/// The array that a view is a view of.
fn viewed<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    while let Some(view) = value.defining_op().filter(|view| is_view(view.full_name())) {
        value = view.operand_value(0);
    }
    value
}

/// The next release of `owner`, if only reference counting stands before it.
fn matching_release<'c: 'a, 'a>(
    acquire: OperationRef<'c, 'a>,
    owner: Value<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let mut next = acquire.next_in_block();
    while let Some(operation) = next {
        match operation.full_name() {
            "typed.release" if viewed(operation.operand_value(0)) == owner => {
                return Some(operation);
            }
            "typed.acquire" | "typed.release" => next = operation.next_in_block(),
            _ => return None,
        }
    }
    None
}
