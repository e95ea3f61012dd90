//! Dicts and sets in which iterations look keys up.
//!
//! Nobody changes a table while threads read it. But one that the host has filled gets its slots when
//! something is looked up, so that is done before the loop.

use super::lists;
use crate::{
    analysis::sizes::library_role,
    infra::{
        Builder, OperationExt, ValueExt,
        emit::Emit,
        ops::{builtin, scf, typed},
    },
    types::{
        containers::{held_types, is_opaque, may_hold},
        lists::list_item,
        sequences::is_container,
        tuples::elements,
    },
};
use melior::ir::{Type, Value};
use pyopt_dialects::{
    enums::{CompareKind, LibraryRole, TableNumber},
    typed::TypedType,
};

/// Tables from around a loop in which iterations look keys up, or typed containers of such, with calls that
/// make slots of tables of their types.
pub(super) struct Lookups<'c, 'a>(Vec<(Value<'c, 'a>, typed::Call<'c, 'a>)>);

impl<'c: 'a, 'a> Lookups<'c, 'a> {
    /// Finds the tables of a loop; `None` where something else holds one, which can't be prepared.
    pub fn of(each: scf::For<'c, 'a>) -> Option<Self> {
        let mut shared: Vec<Value<'c, 'a>> = Vec::new();
        for operand in each
            .pre_order()
            .into_iter()
            .flat_map(OperationExt::operand_values)
        {
            let is_shared = !operand.is_inside(*each) && !lists::is_constant(operand);
            if is_shared && may_hold_table(operand.ty()) && !shared.contains(&operand) {
                shared.push(operand);
            }
        }
        let calls = match shared.is_empty() {
            true => Vec::new(),
            false => calls_making_slots(each),
        };
        let mut lookups = Vec::new();
        for value in shared {
            let (table, held) = match table_of(value.ty()) {
                Some(table) => (Some(table), held_types(table)),
                None => (None, vec![value.ty()]),
            };
            let is_looked_up = |ty: Type<'c>| calls.iter().any(|call| may_hold(ty, slotted(*call)));
            if held.into_iter().any(is_looked_up) {
                return None;
            }
            // There is such a call wherever keys are looked up in tables of a type.
            let call = calls.iter().find(|call| Some(slotted(**call)) == table);
            lookups.extend(call.map(|call| (value, *call)));
        }
        Some(Self(lookups))
    }

    /// Makes the slots of the tables that have none.
    pub fn prepare(&self, builder: &Builder<'c, 'a>) {
        for &(value, call) in &self.0 {
            let given = call.operand_values()[0];
            let table = match value.ty() == given.ty() {
                true => value,
                false => held_table(builder, value, given.ty()),
            };
            let number = |kind| typed::TableGet::create(builder, kind, table).result();
            let (mask, end) = (number(TableNumber::Mask), number(TableNumber::End));
            let zero = builder.cast(builder.index(0), mask.ty());
            let compare = |kind, value| typed::Compare::create(builder, kind, value, zero).result();
            let has_none = compare(CompareKind::Eq, mask);
            let has_entries = compare(CompareKind::Ne, end);
            let is_needed = builder.and(has_none, has_entries);
            let (branch, yes, no) = builder.scf_if(is_needed, &[]);
            builder.at_end(yes);
            builder.clone_op(*call, &[(given, table)]);
            builder.scf_yield(&[]);
            builder.at_end(no);
            builder.scf_yield(&[]);
            builder.after(branch);
        }
    }
}

/// The type of the table that a value of a type is, or has as a typed container.
fn table_of(ty: Type<'_>) -> Option<Type<'_>> {
    let table = match TypedType::from(ty) {
        TypedType::Sequence(parts, _) if is_container(ty) => {
            let memory = elements(parts)?.first().copied().and_then(list_item)?;
            *elements(memory)?.first()?
        }
        _ => ty,
    };
    matches!(
        TypedType::from(table),
        TypedType::Dict(_) | TypedType::Set(_)
    )
    .then_some(table)
}

/// The table of a typed container.
fn held_table<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    container: Value<'c, 'a>,
    table: Type<'c>,
) -> Value<'c, 'a> {
    let parts = typed::AsTuple::create(builder, container).result();
    let memory = elements(parts.ty()).expect("a typed container is a reference to memory")[0];
    let memory = typed::TupleGet::create(builder, parts, 0, memory).result();
    typed::FieldGet::create(builder, memory, 0, table).result()
}

/// Whether values of a type are tables, or may hold some.
fn may_hold_table(ty: Type) -> bool {
    table_of(ty).is_some() || is_opaque(ty) || held_types(ty).into_iter().any(may_hold_table)
}

/// The type of the table whose slots a call makes.
fn slotted<'c: 'a, 'a>(call: typed::Call<'c, 'a>) -> Type<'c> {
    call.operand_values()[0].ty()
}

/// The calls of the module that make the slots of tables.
fn calls_making_slots<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> Vec<typed::Call<'c, 'a>> {
    let module = each.ancestor::<builtin::Module>();
    let mut calls = module.map_or_else(Vec::new, |module| module.nested_ops::<typed::Call>());
    calls.retain(|call| {
        library_role(*call) == Some(LibraryRole::Slots) && call.operand_values().len() == 1
    });
    calls
}
