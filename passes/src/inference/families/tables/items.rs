//! Looking things up in dicts and sets, and going through them.

use super::{
    calls::{call_at, call_library, call_with, lookup, viewed},
    make::check_key,
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    infra::ops::typed,
    types::{
        display::display,
        join::join_types,
        number::Number,
        sequences::{held_number, is_list},
        tables::{Table, part_of_view},
        tuples::elements,
    },
};
use melior::ir::Type;
use pyopt_dialects::{enums::CompareKind, typed::TypedType};

/// Raises the error of a key that is taken out of a dict or set that nothing is ever put into.
pub(super) fn never_there<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, key: Val<'c, 'a>) -> Stop {
    let raised = check_key(e, key.ty)
        .and_then(|()| call_library(e, "dict", "key_error", &Arguments::new(&[key], None)));
    match raised {
        Ok(_) => Stop::Raises("KeyError", "nothing is put into this dict or set".into()),
        Err(stop) => stop,
    }
}

/// Whether a value can be narrowed to a key that it may equal: a number, or a tuple of such.
fn may_equal(found: Type, key: Type) -> bool {
    // A named tuple equals a tuple of the same items; keys are no lists.
    if !is_list(found)
        && let (Some(found), Some(key)) = (elements(found), elements(key))
    {
        return found.len() == key.len()
            && found
                .into_iter()
                .zip(key)
                .all(|(a, b)| a == b || may_equal(a, b));
    }
    // Complex numbers have no type of reals to be narrowed to.
    let number = held_number(found).filter(|number| !matches!(number, Number::Complex(_)));
    number.is_some() && Number::of(key).is_some()
}

/// What is looked up: a key of the table's type, or a number that may equal one.
pub(crate) fn lookup_key<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    table: Table<'c>,
    key: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    check_key(e, key.ty)?;
    if key.ty == table.key {
        return Ok(key);
    }
    let joined = join_types(e.context(), table.key, key.ty);
    match joined {
        Some(joined) if joined == table.key => e.coerce(key, joined),
        _ if may_equal(key.ty, table.key) => Ok(key),
        _ => Err(Stop::issue(format!(
            "{} is looked up in a {} of {}",
            display(key.ty),
            table.class(),
            display(table.key)
        ))
        .hint("convert it to the type of the keys")),
    }
}

/// `table[key]`.
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    dict: Val<'c, 'a>,
    key: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let table = Table::of(dict.ty).ok_or(Stop::Unknown)?;
    if table.value.is_none() {
        return stop("a set has no items by key");
    }
    if table.is_empty() {
        return Err(never_there(e, key));
    }
    let key = lookup_key(e, table, key)?;
    call_at(e, "__getitem__", [dict, key], &[])
}

/// `del table[key]`.
pub(crate) fn delete_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    dict: Val<'c, 'a>,
    key: Val<'c, 'a>,
) -> Typing<()> {
    let table = Table::of(dict.ty).ok_or(Stop::Unknown)?;
    if table.is_empty() {
        return Err(never_there(e, key));
    }
    let key = lookup_key(e, table, key)?;
    call_at(e, "__delitem__", [dict, key], &[]).map(drop)
}

/// `key in table`, or in the keys, values or items of one.
pub(crate) fn contains<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    item: Val<'c, 'a>,
    container: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if let TypedType::DictView(_, part) = TypedType::from(container.ty)
        && let part @ ("values" | "items") = part_of_view(part)
    {
        let dict = viewed(e, container);
        return call_with(e, &format!("{part}.__contains__"), &[dict, item]);
    }
    let container = viewed(e, container);
    let table = Table::of(container.ty).ok_or(Stop::Unknown)?;
    if table.is_empty() {
        return Ok(e.bool(false));
    }
    let key = lookup_key(e, table, item)?;
    let found = lookup(e, container, key)?;
    let (slot, zero) = (e.tuple_get(found, 0), e.int(0));
    Ok(e.compare(CompareKind::Ge, slot, zero))
}

/// `iter(table)`, or of the keys, values or items of one.
pub(crate) fn iterate<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let part = match TypedType::from(operand.ty) {
        TypedType::DictView(_, part) => part_of_view(part),
        _ => "keys",
    };
    let table = viewed(e, operand);
    if Table::of(table.ty).is_some_and(Table::is_empty) {
        let tuple = e.tuple(&[]);
        let ty = e.type_of(TypedType::Iter(tuple.ty));
        return Ok(e.op(ty, |b| typed::Iter::create(b, tuple.ir())));
    }
    call_with(e, &format!("{part}.iter"), &[table])
}
