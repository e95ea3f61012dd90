//! Items of lists.

use super::{
    changing::{as_changing, changed, check_item, holding},
    make::{call_with, len},
};
use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing},
        val::Val,
    },
    infra::ops::typed,
    types::{
        display::display,
        lists::{is_nothing, list_item},
    },
};
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;

/// What is said of an item that isn't there.
const OUTSIDE: &str = "list index out of range";

fn require_items<'c>(list: Val<'c, '_>) -> Typing<Type<'c>> {
    match list_item(list.ty) {
        Some(item) if !is_nothing(item) => Ok(item),
        _ => Err(Stop::issue("the type of this list's items isn't known")
            .hint("put something into the list, or make it with an item")),
    }
}

/// `list[index]`.
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let list = changed(e, list)?;
    if let TypedType::Slice(_) = TypedType::from(index.ty) {
        return call_with(e, "__getitem__", &[list, index]);
    }
    if list_item(list.ty).is_some_and(is_nothing) && e.is_int(index.ty) {
        // Nothing is ever put in.
        return Err(Stop::Raises("IndexError", OUTSIDE.into()));
    }
    let item = require_items(list)?;
    let position = position(e, list, index, OUTSIDE)?;
    Ok(e.op(item, |b| {
        typed::ListGet::create(b, list.ir(), position.ir())
    }))
}

fn position<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    index: Val<'c, 'a>,
    message: &str,
) -> Typing<Val<'c, 'a>> {
    if !e.is_int(index.ty) {
        return Err(
            Stop::issue(format!("a list can't be indexed by {}", display(index.ty)))
                .hint("use an integer or a slice"),
        );
    }
    if e.is_library() {
        let si64 = e.si64();
        return Ok(e.cast(index, si64));
    }
    let length = len(e, list);
    e.wrap_index(index, length, message)
}

/// `list[index] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    if let TypedType::Slice(_) = TypedType::from(index.ty) {
        let list = changed(e, list)?;
        return call_with(e, "__setitem__", &[list, index, value]).map(drop);
    }
    let joined = holding(e, list, value)?;
    let list = as_changing(e, list, joined)?;
    let item = require_items(list)?;
    check_item(item)?;
    let position = position(e, list, index, "list assignment index out of range")?;
    let value = e.coerce(value, item)?;
    e.effect(|b| typed::ListSet::create(b, value.ir(), list.ir(), position.ir()));
    Ok(())
}

/// `del list[index]`.
pub(crate) fn delete_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<()> {
    let list = changed(e, list)?;
    call_with(e, "__delitem__", &[list, index]).map(drop)
}

/// So many items of a list that has them.
pub(crate) fn first_items<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    count: usize,
) -> Typing<Vec<Val<'c, 'a>>> {
    let item = require_items(list)?;
    Ok((0..count)
        .map(|at| {
            let at = e.int(at as i64);
            e.op(item, |b| typed::ListGet::create(b, list.ir(), at.ir()))
        })
        .collect())
}
