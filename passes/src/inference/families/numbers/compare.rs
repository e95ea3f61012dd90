//! Comparisons of numbers.

use crate::{
    analysis::conditions::mirrored,
    inference::{
        emit::Emit,
        issue::{Typing, stop},
        operator_kinds::{compare_symbol, holds, no_operator, typed_kind},
        val::Val,
    },
    types::number::Number,
};
use pyopt_dialects::enums::{CompareKind, PyCompareKind};

/// Compares two numbers: exactly when both are integers, else as the float that holds both.
pub(crate) fn compare_numbers<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (Some(a), Some(b)) = (lhs.number(), rhs.number()) else {
        return stop(no_operator(compare_symbol(kind), &[lhs, rhs]));
    };
    if let (Some(x), Some(y)) = (lhs.literal_int(), rhs.literal_int())
        && a != Number::UINT64
        && b != Number::UINT64
    {
        return Ok(e.bool(holds(kind, x, y)));
    }
    match (a, b) {
        (Number::Int { signed: true, .. }, Number::UINT64) => {
            Ok(compare_signed_to_unsigned(e, typed_kind(kind), lhs, rhs))
        }
        (Number::UINT64, Number::Int { signed: true, .. }) => {
            if rhs.literal_int().is_some_and(|value| value >= 0) {
                let rhs = e.cast(rhs, lhs.ty);
                return Ok(e.compare(typed_kind(kind), lhs, rhs));
            }
            let kind = mirrored(typed_kind(kind));
            Ok(compare_signed_to_unsigned(e, kind, rhs, lhs))
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

/// A signed integer against one of 64 bits without a sign: a negative one is less than all.
fn compare_signed_to_unsigned<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: CompareKind,
    signed: Val<'c, 'a>,
    unsigned: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let zero = e.number(0, signed.ty);
    let negative = e.compare(CompareKind::Lt, signed, zero);
    let converted = e.cast(signed, unsigned.ty);
    let result = e.compare(kind, converted, unsigned);
    match kind {
        CompareKind::Lt | CompareKind::Le | CompareKind::Ne => e.or(negative, result),
        CompareKind::Gt | CompareKind::Ge | CompareKind::Eq => {
            let positive = e.not(negative);
            e.and(positive, result)
        }
    }
}
