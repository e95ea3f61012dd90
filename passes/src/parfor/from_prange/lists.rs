//! Lists, dicts and sets that are defined outside of a loop.

use crate::{
    analysis::container_changes::Summaries,
    infra::{
        OperationExt, ValueExt,
        ops::{scf, typed},
    },
    types::{
        sequences::{is_constant_container, is_container},
        tables::Table,
    },
};
use melior::ir::{Type, Value};

/// The type of a list, dict, set or structure that iterations share and change, or that holds one. What a lookup
/// does to a dict counts as a change; those of globals have their slots.
pub(super) fn changed<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> Option<Type<'c>> {
    let changed = Summaries::default().changed_by(*each);
    let is_constant =
        |value: &Value<'c, 'a>| is_constant_container(value.ty()) || is_held_by_constant(*value);
    let shared = changed.into_iter().find(|value| !is_constant(value));
    shared.map(|value| value.ty())
}

/// Whether iterations use typed containers, which they may share and change in functions that they call; globals
/// are never changed.
pub(super) fn use_containers<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> bool {
    each.pre_order()
        .into_iter()
        .flat_map(OperationExt::operand_values)
        .any(|operand| is_container(operand.ty()) && !is_constant_container(operand.ty()))
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

/// Whether iterations use dicts or sets that they don't make themselves: what is looked up may be changed by
/// another iteration, and those of the host get their slots when something is looked up.
pub(super) fn share_tables<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> bool {
    let shared = |table: Value<'c, 'a>| {
        let made = typed::TableNew::defining(table);
        Table::is_in(table.ty())
            && !is_constant_container(table.ty())
            && !is_held_by_constant(table)
            && !made.is_some_and(|made| made.result().is_inside(*each))
    };
    each.pre_order()
        .into_iter()
        .any(|operation| operation.operand_values().into_iter().any(shared))
}
