//! Comparisons and identity.

use super::no_operator;
use crate::{
    inference::{
        access, arrays,
        emit::{Emit, Val},
        functions,
        issue::{Typing, stop},
        lists, optional, times, tuples,
    },
    types::{
        lists::{is_any_list, list_item},
        number::Number,
        optional::is_optional,
        tuples::elements,
    },
};
use pyopt_dialects::{
    enums::{CompareKind, PyCompareKind},
    typed::{TypedType, array_type},
};

/// How Python writes a comparison.
pub(crate) const fn symbol(kind: PyCompareKind) -> &'static str {
    match kind {
        PyCompareKind::Lt => "<",
        PyCompareKind::Le => "<=",
        PyCompareKind::Eq => "==",
        PyCompareKind::Ne => "!=",
        PyCompareKind::Gt => ">",
        PyCompareKind::Ge => ">=",
    }
}

/// The comparison of two values of one type.
pub(crate) const fn typed_kind(kind: PyCompareKind) -> CompareKind {
    match kind {
        PyCompareKind::Lt => CompareKind::Lt,
        PyCompareKind::Le => CompareKind::Le,
        PyCompareKind::Eq => CompareKind::Eq,
        PyCompareKind::Ne => CompareKind::Ne,
        PyCompareKind::Gt => CompareKind::Gt,
        PyCompareKind::Ge => CompareKind::Ge,
    }
}

/// `lhs op rhs` for a comparison.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if is_optional(lhs.ty) || is_optional(rhs.ty) {
        return optional::compare(e, kind, lhs, rhs);
    }
    if times::are_among(&[lhs, rhs]) {
        return times::compare(e, kind, lhs, rhs);
    }
    if array_type(lhs.ty).is_some() || array_type(rhs.ty).is_some() {
        return arrays::compare(e, kind, lhs, rhs);
    }
    let is_equality = matches!(kind, PyCompareKind::Eq | PyCompareKind::Ne);
    if let (Some(a), Some(b)) = (lhs.number(), rhs.number()) {
        // Only NumPy's functions and its arrays of complex numbers know an order.
        return match a.promote(b) {
            Number::Complex(_) if !is_equality => stop(no_operator(symbol(kind), &[lhs, rhs])),
            _ => compare_numbers(e, kind, lhs, rhs),
        };
    }
    let is_list = |side: Val| list_item(side.ty).is_some();
    if (is_list(lhs) || is_list(rhs)) && is_any_list(lhs.ty) && is_any_list(rhs.ty) {
        return lists::compare(e, kind, lhs, rhs);
    }
    if elements(lhs.ty).is_some() && elements(rhs.ty).is_some() {
        return tuples::compare(e, kind, lhs, rhs);
    }
    match (TypedType::from(lhs.ty), TypedType::from(rhs.ty)) {
        (TypedType::Slice(_), TypedType::Slice(_)) => {
            let [lhs, rhs] = [lhs, rhs].map(|slice| {
                let parts = [0, 1, 2].map(|part| access::slice_part(e, slice, part));
                e.tuple(&parts)
            });
            tuples::compare(e, kind, lhs, rhs)
        }
        (TypedType::Str, TypedType::Str) => match (lhs.literal_str(), rhs.literal_str()) {
            (Some(a), Some(b)) => Ok(e.bool(holds(kind, a, b))),
            _ => Ok(e.compare(typed_kind(kind), lhs, rhs)),
        },
        (TypedType::Str, TypedType::Other(_)) | (TypedType::Other(_), TypedType::Str)
            if is_equality =>
        {
            Ok(e.bool(kind == PyCompareKind::Ne))
        }
        (TypedType::DType(element), TypedType::Named(name))
        | (TypedType::Named(name), TypedType::DType(element))
            if is_equality && let Some(number) = functions::scalar_type(name) =>
        {
            let same = Number::of(element) == Some(number);
            Ok(e.bool(same == (kind == PyCompareKind::Eq)))
        }
        (TypedType::Named(a), TypedType::Named(b)) if is_equality => {
            Ok(e.bool(same_object(a, b) == (kind == PyCompareKind::Eq)))
        }
        (TypedType::List(_), _) | (_, TypedType::List(_)) if is_equality => {
            Ok(e.bool(kind == PyCompareKind::Ne))
        }
        // Nothing else equals None, a function or a type but itself.
        (TypedType::None | TypedType::DType(_) | TypedType::Function(_), _)
        | (_, TypedType::None | TypedType::DType(_) | TypedType::Function(_))
            if is_equality =>
        {
            Ok(e.bool((lhs.ty == rhs.ty) == (kind == PyCompareKind::Eq)))
        }
        _ => stop(no_operator(symbol(kind), &[lhs, rhs])),
    }
}

/// Compares two numbers: exactly when both are integers, else as the float that holds both.
pub(crate) fn compare_numbers<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (Some(a), Some(b)) = (lhs.number(), rhs.number()) else {
        return stop(no_operator(symbol(kind), &[lhs, rhs]));
    };
    if let (Some(x), Some(y)) = (lhs.literal_int(), rhs.literal_int())
        && a != Number::UINT64
        && b != Number::UINT64
    {
        return Ok(e.bool(holds(kind, x, y)));
    }
    match (a, b) {
        (Number::Int { signed: true, .. }, Number::UINT64) => {
            Ok(compare_signed_to_unsigned(e, kind, lhs, rhs))
        }
        (Number::UINT64, Number::Int { signed: true, .. }) => {
            if rhs.literal_int().is_some_and(|value| value >= 0) {
                let rhs = e.cast(rhs, lhs.ty);
                return Ok(e.compare(typed_kind(kind), lhs, rhs));
            }
            Ok(compare_signed_to_unsigned(e, mirrored(kind), rhs, lhs))
        }
        _ => {
            // A promotion of integers holds both, as both aren't of 64 bits and mixed signs.
            let ty = a.promote(b).to_type(e.context());
            let lhs = e.cast(lhs, ty);
            let rhs = e.cast(rhs, ty);
            Ok(e.compare(typed_kind(kind), lhs, rhs))
        }
    }
}

/// Whether two names are of one object: NumPy's types have several.
fn same_object(a: &str, b: &str) -> bool {
    let numpy = |name: &str| {
        let is_numpy = name.starts_with("numpy.");
        is_numpy.then(|| functions::scalar_type(name)).flatten()
    };
    a == b || numpy(a).is_some_and(|number| numpy(b) == Some(number))
}

fn holds<T: PartialOrd>(kind: PyCompareKind, a: T, b: T) -> bool {
    match kind {
        PyCompareKind::Lt => a < b,
        PyCompareKind::Le => a <= b,
        PyCompareKind::Eq => a == b,
        PyCompareKind::Ne => a != b,
        PyCompareKind::Gt => a > b,
        PyCompareKind::Ge => a >= b,
    }
}

/// The comparison that holds of swapped operands.
const fn mirrored(kind: PyCompareKind) -> PyCompareKind {
    match kind {
        PyCompareKind::Lt => PyCompareKind::Gt,
        PyCompareKind::Le => PyCompareKind::Ge,
        PyCompareKind::Gt => PyCompareKind::Lt,
        PyCompareKind::Ge => PyCompareKind::Le,
        equality => equality,
    }
}

/// A signed integer against one of 64 bits without a sign: a negative one is less than all.
fn compare_signed_to_unsigned<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    signed: Val<'c, 'a>,
    unsigned: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let zero = e.number(0, signed.ty);
    let negative = e.compare(CompareKind::Lt, signed, zero);
    let converted = e.cast(signed, unsigned.ty);
    let result = e.compare(typed_kind(kind), converted, unsigned);
    match kind {
        PyCompareKind::Lt | PyCompareKind::Le | PyCompareKind::Ne => e.or(negative, result),
        PyCompareKind::Gt | PyCompareKind::Ge | PyCompareKind::Eq => {
            let positive = e.not(negative);
            e.and(positive, result)
        }
    }
}

/// `lhs is rhs`: known for None and for everything that has one value a type; bools and other
/// numbers compare by value, as in Numba.
pub(crate) fn identity<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    negated: bool,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let same = if let Some(same) = optional::identity(e, lhs, rhs)? {
        same
    } else if lhs.ty != rhs.ty {
        e.bool(false)
    } else {
        match TypedType::from(lhs.ty) {
            TypedType::None
            | TypedType::Named(_)
            | TypedType::Function(_)
            | TypedType::DType(_)
            | TypedType::Literal(_) => e.bool(true),
            _ if lhs.number().is_some() => compare_numbers(e, PyCompareKind::Eq, lhs, rhs)?,
            _ => return stop(no_operator("is", &[lhs, rhs])),
        }
    };
    Ok(if negated { e.not(same) } else { same })
}
