//! Structures of the host's that the compiler makes itself: typed containers.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing},
        val::Val,
    },
    infra::ops::typed,
    types::{lists::list_item, tables::Table, tuples::elements},
};
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;

/// An empty typed container of a type.
pub(crate) fn new_container<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, ty: Type<'c>) -> Typing<Val<'c, 'a>> {
    let only = |ty: Type<'c>| elements(ty)?.first().copied();
    let TypedType::Sequence(parts, class) = TypedType::from(ty) else {
        return Err(Stop::Unknown);
    };
    let memory = only(parts).ok_or(Stop::Unknown)?;
    let held = list_item(memory).and_then(only).ok_or(Stop::Unknown)?;
    let container = match Table::of(held) {
        Some(_) => e.op(held, |b| typed::TableNew::create(b, held)),
        None => e.op(held, |b| typed::ListNew::create(b, held)),
    };
    let structure = e.op(memory, |b| typed::StructNew::create(b, memory));
    e.effect(|b| typed::FieldSet::create(b, container.ir(), structure.ir(), 0));
    let parts = e.tuple(&[structure]);
    Ok(e.of_class(parts, class))
}
