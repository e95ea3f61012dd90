//! `**` on numbers.

use crate::{
    inference::{emit::Emit, issue::Typing, val::Val},
    types::number::Number,
};
use pyopt_dialects::enums::{BinaryKind, CompareKind};
use pyopt_library::errors;

/// `base ** exponent`.
///
/// The power of two ints is an int, as in Numba, unless the exponent is a negative constant: then
/// it is the float that Python gives. A float keeps its width under an int exponent.
pub(crate) fn power<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    base: Val<'c, 'a>,
    exponent: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (Some(a), Some(b)) = (base.number(), exponent.number()) else {
        unreachable!("the caller checked for numbers")
    };
    let known = exponent.literal_int();
    let number = match (a, b) {
        _ if a.is_integral() && known.is_some_and(|exponent| exponent < 0) => Number::FLOAT64,
        (Number::Float(width), b) if b.is_integral() => Number::Float(width.max(32)),
        _ => a.arithmetic(b),
    };
    let ty = number.to_type(e.context());
    if e.checks_division()
        && a.is_integral()
        && b.is_integral()
        && known.is_none_or(|known| known < 0)
    {
        check_zero_base(e, base, exponent);
    }
    let base = e.cast(base, ty);
    // Small constant exponents are multiplications.
    if let Some(count @ 1..=3) = known {
        return Ok(repeated_product(e, base, count));
    }
    let exponent = match (number, b) {
        (Number::INT64, Number::UINT64) => without_top_bit(e, exponent),
        _ => exponent,
    };
    let exponent = e.cast(exponent, ty);
    Ok(e.binary(BinaryKind::Pow, base, exponent))
}

/// An exponent of 64 bits without a sign as one with a sign that gives the same power.
///
/// Modulo 2**64 a power of an odd number repeats after 2**62 exponents at the latest, and one of an
/// even number is 0 from an exponent of 64 on. So the top bit moves down by one.
fn without_top_bit<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, exponent: Val<'c, 'a>) -> Val<'c, 'a> {
    let [one, next, most] = [1, 1 << 62, i64::MAX].map(|value| e.number(value, exponent.ty));
    let moved = e.binary(BinaryKind::RShift, exponent, one);
    let moved = e.binary(BinaryKind::And, moved, next);
    let rest = e.binary(BinaryKind::And, exponent, most);
    e.binary(BinaryKind::Or, rest, moved)
}

/// Raises for `0 ** -1`, in CPython's words.
fn check_zero_base<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, base: Val<'c, 'a>, exponent: Val<'c, 'a>) {
    if exponent.number().is_some_and(Number::is_unsigned)
        || base.literal_int().is_some_and(|base| base != 0)
    {
        return;
    }
    let zero = e.number(0, exponent.ty);
    let negative = e.compare(CompareKind::Lt, exponent, zero);
    let zero = e.number(0, base.ty);
    let vanishes = e.compare(CompareKind::Eq, base, zero);
    let both = e.and(negative, vanishes);
    e.raise_if(both, "ZeroDivisionError", Some(errors().zero_power));
}

/// The base multiplied with itself so many times, at least once.
pub(crate) fn repeated_product<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    base: Val<'c, 'a>,
    count: i64,
) -> Val<'c, 'a> {
    let mut product = base;
    for _ in 1..count {
        product = e.binary(BinaryKind::Mul, product, base);
    }
    product
}
