//! Optionals: what is None on one path and a value on another.
//!
//! An operation that needs the value checks at run time that there is one and raises TypeError, as
//! Numba's do: also where None would have a meaning of its own, as an index or an `axis` has.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing},
        operator_kinds, rules,
        val::Val,
    },
    infra::ops::typed,
    types::{
        display::display,
        lists::{is_any_list, is_nothing, list_item},
        optional::{is_optional, is_seen_when_absent, value_type},
        tables::Table,
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::PyCompareKind,
    typed::{TypedType, array_type},
};
use pyopt_library as library;

/// Whether there is a value, and the value, which is arbitrary when there is none.
pub(crate) fn parts<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    optional: Val<'c, 'a>,
) -> (Val<'c, 'a>, Val<'c, 'a>) {
    let ty = value_type(optional.ty).expect("the caller checked for an optional");
    let some = e.op(e.i1(), |b| typed::IsSome::create(b, optional.ir()));
    let value = e.op(ty, |b| typed::OptionalValue::create(b, optional.ir(), ty));
    (some, value)
}

/// The value of an optional, after a check that there is one. Any other value is itself.
pub(crate) fn unwrap<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Val<'c, 'a> {
    if !is_optional(operand.ty) {
        return operand;
    }
    let (some, value) = parts(e, operand);
    let none = e.not(some);
    let message = format!("expected {}, got None", display(value.ty));
    e.raise_if(none, "TypeError", Some(&message));
    value
}

/// The values of several.
pub(crate) fn unwrap_all<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operands: &[Val<'c, 'a>],
) -> Vec<Val<'c, 'a>> {
    operands.iter().map(|operand| unwrap(e, *operand)).collect()
}

/// The values of arguments.
pub(crate) fn unwrap_arguments<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &mut Arguments<'c, 'a>,
) {
    for value in &mut arguments.positional {
        *value = unwrap(e, *value);
    }
    for (_, value) in &mut arguments.keywords {
        *value = unwrap(e, *value);
    }
}

/// Whether a list may have None among its items, or a dict among its values: what nothing else was put
/// into yet, and what has it.
pub(crate) fn has_room_for_none(container: Type) -> bool {
    let item = match Table::of(container) {
        Some(table) => table.value,
        None => list_item(container),
    };
    match item {
        Some(item) => is_nothing(item) || is_optional(item),
        None => is_any_list(container),
    }
}

/// Converts to an optional, or from one to the type of its value; nothing when neither is asked.
pub(crate) fn coerce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Option<Typing<Val<'c, 'a>>> {
    let TypedType::Optional(inner) = TypedType::from(ty) else {
        return is_optional(operand.ty).then(|| {
            let value = unwrap(e, operand);
            e.coerce(value, ty)
        });
    };
    if operand.is_none() {
        return Some(Ok(e.op(ty, |b| typed::OptionalNone::create(b, ty))));
    }
    let known = is_optional(operand.ty).then(|| parts(e, operand));
    let value = known.map_or(operand, |(_, value)| value);
    Some(e.coerce(value, inner).map(|value| {
        let value = e.op(ty, |b| typed::OptionalSome::create(b, value.ir(), ty));
        match known {
            Some((some, _)) => {
                let none = e.op(ty, |b| typed::OptionalNone::create(b, ty));
                e.select(some, value, none)
            }
            None => value,
        }
    }))
}

/// `lhs is rhs` where one is an optional and the other may be None; nothing when neither is an
/// optional.
pub(crate) fn identity<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    same(e, lhs, rhs, |e, lhs, rhs| rules::identity(e, lhs, rhs))
}

/// A comparison where one side is an optional: None equals None only, and has no order.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if !matches!(kind, PyCompareKind::Eq | PyCompareKind::Ne) {
        let (lhs, rhs) = (unwrap(e, lhs), unwrap(e, rhs));
        return rules::compare(e, kind, lhs, rhs);
    }
    for side in [lhs, rhs] {
        if value_type(side.ty).is_some_and(|ty| array_type(ty).is_some()) {
            let symbol = operator_kinds::compare_symbol(kind);
            let message = operator_kinds::no_operator(symbol, &[lhs, rhs]);
            return Err(Stop::issue(message).hint("ask with 'is None' first"));
        }
    }
    let is_seen = |side: &Val| value_type(side.ty).is_none_or(is_seen_when_absent);
    if !lhs.is_none() && !rhs.is_none() && ![lhs, rhs].iter().all(is_seen) {
        let source = library::find("pyopt.optional_equals").ok_or(Stop::Unknown)?;
        let equal = rules::call_library(e, source, &Arguments::new(&[lhs, rhs], None))?;
        return Ok(e.equality(kind, equal));
    }
    let equal = same(e, lhs, rhs, |e, lhs, rhs| {
        rules::compare(e, PyCompareKind::Eq, lhs, rhs)
    })?;
    let equal = equal.expect("the caller checked for an optional");
    Ok(e.equality(kind, equal))
}

/// Whether both are None, or both have values that are the same.
fn same<'p, 'c, 'a>(
    e: &mut Emit<'p, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
    values: impl FnOnce(&mut Emit<'p, 'c, 'a>, Val<'c, 'a>, Val<'c, 'a>) -> Typing<Val<'c, 'a>>,
) -> Typing<Option<Val<'c, 'a>>> {
    if !is_optional(lhs.ty) && !is_optional(rhs.ty) {
        return Ok(None);
    }
    let [(x, lhs), (y, rhs)] = [lhs, rhs].map(|side| match is_optional(side.ty) {
        true => {
            let (some, value) = parts(e, side);
            (some, Some(value))
        }
        false => (
            e.bool(!side.is_none()),
            Some(side).filter(|side| !side.is_none()),
        ),
    });
    let both = e.and(x, y);
    let either = e.or(x, y);
    let neither = e.not(either);
    let (Some(lhs), Some(rhs)) = (lhs, rhs) else {
        return Ok(Some(neither));
    };
    let equal = values(e, lhs, rhs)?;
    let equal = e.and(both, equal);
    Ok(Some(e.or(neither, equal)))
}
