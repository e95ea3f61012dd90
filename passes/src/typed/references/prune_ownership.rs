//! Removes an acquire of a view together with the release of the array that it is a view of.

use crate::infra::{
    OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
    ops::{func, typed},
    view_root,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};

/// Cancels pairs of `typed.acquire` and `typed.release`.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.acquire` of a value and `typed.release` of the same one, or of the array \
                  that it is a view of, cancel out where nothing but other reference counting \
                  stands between them: the reference changes hands.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    statistics: &[StatisticSpec::new("pairs", "pairs removed")],
    ..PassSpec::new(
        "typed-prune-ownership",
        "remove reference counting that cancels out",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    for acquire in function.nested_ops::<typed::Acquire>() {
        let owner = view_root(acquire.value());
        if let Some(release) = matching_release(acquire, owner) {
            acquire.erase();
            release.erase();
            cx.bump("pairs", 1);
        }
    }
    Ok(())
}

/// The next release of `owner`, if only reference counting stands before it.
fn matching_release<'c: 'a, 'a>(
    acquire: typed::Acquire<'c, 'a>,
    owner: Value<'c, 'a>,
) -> Option<typed::Release<'c, 'a>> {
    let mut next = acquire.next_in_block();
    while let Some(operation) = next {
        match typed::Op::of(operation)? {
            typed::Op::Release(release) if view_root(release.value()) == owner => {
                return Some(release);
            }
            typed::Op::Acquire(_) | typed::Op::Release(_) => next = operation.next_in_block(),
            _ => return None,
        }
    }
    None
}
