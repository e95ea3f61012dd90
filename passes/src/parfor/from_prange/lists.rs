//! Lists, dicts, sets and structures that are defined outside of a loop.

use crate::{
    analysis::container_changes::Summaries,
    infra::{
        ValueExt,
        ops::{scf, typed},
    },
    types::sequences::is_constant_container,
};
use melior::ir::{Type, Value};

/// The type of a list, dict, set or structure that iterations share and change, or that holds one. That a lookup
/// makes the slots of a dict is no change: these are made before.
pub(super) fn changed<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> Option<Type<'c>> {
    let changed = Summaries::of_entries().changed_by(*each);
    let shared = changed.into_iter().find(|value| !is_constant(*value));
    shared.map(|value| value.ty())
}

/// Whether a value is a global container, or what such a one holds.
pub(super) fn is_constant<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    is_constant_container(value.ty()) || is_held_by_constant(value)
}

/// Whether a value is what a global container holds.
fn is_held_by_constant<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let memory = typed::FieldGet::defining(value).map(typed::FieldGet::structure);
    let parts = memory
        .and_then(typed::TupleGet::defining)
        .map(typed::TupleGet::tuple);
    let container = parts
        .and_then(typed::AsTuple::defining)
        .map(typed::AsTuple::sequence);
    container.is_some_and(|container| is_constant_container(container.ty()))
}
