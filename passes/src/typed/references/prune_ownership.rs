//! Removes an acquire of a view or tuple together with the release of what it is of, and the release of what a
//! container has just got.

use crate::{
    analysis::ownership::{HANDED_OVER, owns},
    infra::{
        OperationExt, OperationInterfaces, PassContext, PassResult, PassSpec, StatisticSpec,
        ValueExt,
        ops::{func, typed},
        view_root,
    },
};
use melior::ir::{Attribute, OperationRef, Value, operation::OperationLike};

/// Cancels pairs of `typed.acquire` and `typed.release`.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.acquire` of a value and `typed.release` of the same one, of the array \
                  that it is a view of, or of the one part of it that owns, cancel out where nothing but other reference counting \
                  stands between them: the reference changes hands. So does that of an item that is \
                  released behind the `typed.list_push` or `typed.table_push` that puts it in, where \
                  nothing in between has effects: the operation is marked as getting it.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    statistics: &[
        StatisticSpec::new("pairs", "pairs removed"),
        StatisticSpec::new("items", "items handed over to containers"),
    ],
    ..PassSpec::new(
        "typed-prune-ownership",
        "remove reference counting that cancels out",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    for acquire in function.nested_ops::<typed::Acquire>() {
        let owner = sole_owner(acquire.value());
        if let Some(release) = matching_release(acquire, owner) {
            acquire.erase();
            release.erase();
            cx.bump("pairs", 1);
        }
    }
    // Only pushes are kept in the list: releases are erased meanwhile.
    let pushes = function.pre_order().into_iter();
    let pushes: Vec<_> = pushes.filter(|one| pushed(*one).is_some()).collect();
    for operation in pushes {
        if let Some(releases) = releases_of_items(operation) {
            cx.bump("items", releases.len() as u64);
            for release in releases {
                release.erase();
            }
            operation.set_attr(HANDED_OVER, Attribute::unit(cx.context()));
        }
    }
    Ok(())
}

/// The items that an operation puts into a container.
fn pushed<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    match typed::Op::of(operation)? {
        typed::Op::ListPush(push) => Some(push.items().to_vec()),
        typed::Op::TablePush(push) => Some(push.parts().to_vec()),
        _ => None,
    }
}

/// The releases of all items that an operation puts into a container, if there are any and each is behind it.
fn releases_of_items<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
) -> Option<Vec<typed::Release<'c, 'a>>> {
    let mut releases: Vec<typed::Release<'c, 'a>> = Vec::new();
    for item in pushed(operation)?
        .into_iter()
        .filter(|item| owns(item.ty()))
    {
        // Of one that is put in twice there are two references to be had.
        let release = release_behind(operation, item)?;
        if releases.iter().any(|other| **other == *release) {
            return None;
        }
        releases.push(release);
    }
    (!releases.is_empty()).then_some(releases)
}

/// The release of a value behind an operation, if nothing before it has other effects than on reference counts.
fn release_behind<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    item: Value<'c, 'a>,
) -> Option<typed::Release<'c, 'a>> {
    let is_pure =
        |one: OperationRef<'c, 'a>| one.effects().is_some_and(|effects| effects.is_empty());
    next_release(operation, is_pure, |value| value == item)
}

/// The next release of `owner`, if only reference counting stands before it.
fn matching_release<'c: 'a, 'a>(
    acquire: typed::Acquire<'c, 'a>,
    owner: Value<'c, 'a>,
) -> Option<typed::Release<'c, 'a>> {
    next_release(*acquire, |_| false, |value| sole_owner(value) == owner)
}

/// What has the one reference that a value has, or the value itself: the array that it is a view of, the one
/// part that owns of a tuple or of an instance of a class.
fn sole_owner<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut value = view_root(value);
    loop {
        let part = match value.defining_op().and_then(typed::Op::of) {
            Some(typed::Op::AsSequence(sequence)) => Some(sequence.items()),
            Some(typed::Op::Tuple(tuple)) => {
                let parts = tuple.elements().to_vec();
                let mut owning = parts.into_iter().filter(|part| owns(part.ty()));
                owning.next().filter(|_| owning.next().is_none())
            }
            _ => None,
        };
        match part {
            Some(part) => value = view_root(part),
            None => return value,
        }
    }
}

/// The next release of a value that is sought, if nothing but other reference counting and what is passed by stands
/// before it.
fn next_release<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    is_passed: impl Fn(OperationRef<'c, 'a>) -> bool,
    is_sought: impl Fn(Value<'c, 'a>) -> bool,
) -> Option<typed::Release<'c, 'a>> {
    let mut next = operation.next_in_block();
    while let Some(operation) = next {
        match typed::Op::of(operation) {
            Some(typed::Op::Release(release)) if is_sought(release.value()) => {
                return Some(release);
            }
            Some(typed::Op::Acquire(_) | typed::Op::Release(_)) => {}
            _ if is_passed(operation) => {}
            _ => return None,
        }
        next = operation.next_in_block();
    }
    None
}
