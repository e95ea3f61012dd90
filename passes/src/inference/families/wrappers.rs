//! Values of the host's own types of which compiled code knows what they hold: members of enumerations.
//!
//! A member of an enumeration of ints or texts is used as the int or text that it holds by all operations but
//! those that pass it on. The members of other enumerations are numbered, flags by their value: they are
//! compared and hashed by that, and know nothing else.

use crate::{
    inference::{
        arguments::Arguments, emit::Emit, families::numbers::compare_numbers, issue::Typing,
        val::Val,
    },
    infra::ops::typed,
    types::sequences,
};
use pyopt_dialects::{enums::PyCompareKind, typed::TypedType};

/// What a value holds, if operations are to take it as that; any other value itself.
pub(crate) fn held<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
    match sequences::held(value.ty) {
        Some(_) => only_field(e, value),
        None => value,
    }
}

/// What the arguments hold.
pub(crate) fn held_by_arguments<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &mut Arguments<'c, 'a>,
) {
    for value in arguments.values_mut() {
        *value = held(e, *value);
    }
}

/// A key of a table as what it is compared by: the number of a member of an enumeration.
pub(crate) fn plain_key<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, key: Val<'c, 'a>) -> Val<'c, 'a> {
    match sequences::member_number(key.ty) {
        Some(_) => only_field(e, key),
        None => held(e, key),
    }
}

/// A comparison of members of enumerations, which equal themselves alone; nothing where there is none, and
/// where an order is asked for.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let is_member = |side: Val| sequences::member_number(side.ty).is_some();
    let is_equality = matches!(kind, PyCompareKind::Eq | PyCompareKind::Ne);
    if !is_equality || !(is_member(lhs) || is_member(rhs)) {
        return None;
    }
    if lhs.ty != rhs.ty {
        return Some(Ok(e.bool(kind == PyCompareKind::Ne)));
    }
    let (lhs, rhs) = (only_field(e, lhs), only_field(e, rhs));
    Some(compare_numbers(e, kind, lhs, rhs))
}

fn only_field<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
    let TypedType::Sequence(items, _) = TypedType::from(value.ty) else {
        return value;
    };
    let mut tuple = e.op(items, |b| typed::AsTuple::create(b, value.ir()));
    tuple.literal = value.literal;
    e.tuple_get(tuple, 0)
}
