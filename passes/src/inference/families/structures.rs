//! Structures of the host's that the compiler makes itself: typed containers, and tuples of any length.

use crate::{
    inference::{
        emit::Emit,
        families::lists,
        issue::{Stop, Typing},
        val::Val,
    },
    infra::ops::typed,
    types::{lists::list_item, tables::Table, tuples::elements},
};
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;

/// An empty typed container of a type, in the place of one of which nobody knew what it holds. What else that
/// has, such as a greatest length, goes over.
pub(crate) fn new_container<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    open: Val<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let only = |ty: Type<'c>| elements(ty)?.first().copied();
    let [
        TypedType::Sequence(before, _),
        TypedType::Sequence(parts, class),
    ] = [open.ty, ty].map(TypedType::from)
    else {
        return Err(Stop::Unknown);
    };
    let memory = only(parts).ok_or(Stop::Unknown)?;
    let fields = list_item(memory).and_then(elements).ok_or(Stop::Unknown)?;
    let (&held, others) = fields.split_first().ok_or(Stop::Unknown)?;
    let container = match Table::of(held) {
        Some(_) => e.op(held, |b| typed::TableNew::create(b, held)),
        None => e.op(held, |b| typed::ListNew::create(b, held)),
    };
    let structure = e.op(memory, |b| typed::StructNew::create(b, memory));
    e.effect(|b| typed::FieldSet::create(b, container.ir(), structure.ir(), 0));
    let before = e.op(before, |b| typed::AsTuple::create(b, open.ir()));
    let before = e.tuple_get(before, 0);
    for (at, &field) in (1..).zip(others) {
        let value = e.op(field, |b| {
            typed::FieldGet::create(b, before.ir(), at, field)
        });
        e.effect(|b| typed::FieldSet::create(b, value.ir(), structure.ir(), at));
    }
    let parts = e.tuple(&[structure]);
    Ok(e.of_class(parts, class))
}

/// A tuple of any length of the items of one whose length is known.
pub(crate) fn long_tuple<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    items: &[Val<'c, 'a>],
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let TypedType::Sequence(parts, class) = TypedType::from(ty) else {
        return Err(Stop::Unknown);
    };
    let only = |ty: Type<'c>| elements(ty)?.first().copied();
    let memory = only(parts).ok_or(Stop::Unknown)?;
    let held = list_item(memory).and_then(only).ok_or(Stop::Unknown)?;
    let list = e.op(held, |b| typed::ListNew::create(b, held));
    for &item in items {
        lists::append(e, list, item)?;
    }
    let structure = e.op(memory, |b| typed::StructNew::create(b, memory));
    e.effect(|b| typed::FieldSet::create(b, list.ir(), structure.ir(), 0));
    let parts = e.tuple(&[structure]);
    Ok(e.of_class(parts, class))
}
