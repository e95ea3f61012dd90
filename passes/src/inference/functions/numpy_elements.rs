//! Universal functions that are made of other operations.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            elements,
            ufuncs::{at_least_int8, binary_element, float_pair, inexact, narrowed, number_of},
        },
        issue::{Typing, stop},
        rules,
        val::Val,
    },
    types::number::Number,
};
use pyopt_dialects::enums::{BinaryKind, CompareKind, PyBinaryKind, UnaryKind};

/// Logic on the truths of elements.
pub(super) fn logical<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: BinaryKind,
) -> Typing<Val<'c, 'a>> {
    let operands = arguments.two()?;
    elements::elementwise(e, &operands, |e, elements| {
        let lhs = rules::truth(e, elements[0])?;
        let rhs = rules::truth(e, elements[1])?;
        Ok(e.binary(kind, lhs, rhs))
    })
}

/// `not` of an element.
pub(super) fn logical_not<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let truth = rules::truth(e, operand)?;
    Ok(e.not(truth))
}

/// The size of a real number, as a float.
pub(super) fn fabs<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let number = inexact(number_of(operand)?);
    if matches!(number, Number::Complex(_)) {
        return stop("NumPy's fabs does not take complex numbers");
    }
    let ty = number.to_type(e.context());
    let wide = e.cast(operand, ty);
    let size = e.unary(UnaryKind::Abs, wide);
    Ok(narrowed(e, size, number_of(operand)?))
}

/// A number times itself.
pub(super) fn square<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let ty = at_least_int8(number_of(operand)?).to_type(e.context());
    let operand = e.cast(operand, ty);
    binary_element(e, PyBinaryKind::Mul, operand, operand)
}

/// One over a number; of ints toward zero.
pub(super) fn reciprocal<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let number = at_least_int8(number_of(operand)?);
    let ty = number.to_type(e.context());
    let one = e.number(1, ty);
    let operand = e.cast(operand, ty);
    if !number.is_integral() {
        return Ok(e.binary(BinaryKind::TrueDiv, one, operand));
    }
    // Only 1 and -1 have another one than zero.
    let size = e.unary(UnaryKind::Abs, operand);
    let is_unit = e.compare(CompareKind::Eq, size, one);
    let zero = e.number(0, ty);
    Ok(e.select(is_unit, operand, zero))
}

/// Degrees in radians.
pub(super) fn to_radians<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    scaled(e, operand, std::f64::consts::PI / 180.0)
}

/// Radians in degrees.
pub(super) fn to_degrees<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    scaled(e, operand, 180.0 / std::f64::consts::PI)
}

fn scaled<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    factor: f64,
) -> Typing<Val<'c, 'a>> {
    let number = inexact(number_of(operand)?);
    if matches!(number, Number::Complex(_)) {
        return stop("angles are real numbers");
    }
    let ty = number.to_type(e.context());
    let wide = e.cast(operand, ty);
    let factor = e.float_of(factor, ty);
    let scaled = e.binary(BinaryKind::Mul, wide, factor);
    Ok(narrowed(e, scaled, number_of(operand)?))
}

/// The rest of a division toward zero.
pub(super) fn fmod<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let number = number_of(lhs)?.promote(number_of(rhs)?);
    if !number.is_integral() {
        return float_pair(e, BinaryKind::Fmod, lhs, rhs);
    }
    let ty = at_least_int8(number).to_type(e.context());
    let (lhs, rhs) = (e.cast(lhs, ty), e.cast(rhs, ty));
    let rest = e.binary(BinaryKind::Mod, lhs, rhs);
    if number.is_unsigned() && number != Number::Bool {
        return Ok(rest);
    }
    // That of a division downward has the sign of the divisor, this one the dividend's.
    let zero = e.number(0, ty);
    let signs = e.binary(BinaryKind::Xor, lhs, rest);
    let differs = e.compare(CompareKind::Lt, signs, zero);
    let some = e.compare(CompareKind::Ne, rest, zero);
    let wrong = e.and(differs, some);
    let other = e.binary(BinaryKind::Sub, rest, rhs);
    Ok(e.select(wrong, other, rest))
}
