//! Universal functions that are made of other operations.

use super::{
    Arguments, binary_element,
    numpy::{at_least_int8, float_pair, inexact, narrowed, number_of},
};
use crate::{
    inference::{
        arrays,
        emit::{Emit, Val},
        issue::{Typing, stop},
        operators,
    },
    infra::ops::complex,
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
    arrays::elementwise(e, &operands, |e, elements| {
        let lhs = operators::truth(e, elements[0])?;
        let rhs = operators::truth(e, elements[1])?;
        Ok(e.binary(kind, lhs, rhs))
    })
}

/// `not` of an element.
pub(super) fn logical_not<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let truth = operators::truth(e, operand)?;
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

/// A part of a complex number over its size: 0 of zero, 1 or -1 of the part that is infinite, and
/// NaN where both are.
fn direction<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    size: Val<'c, 'a>,
    part: Val<'c, 'a>,
    other: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let [zero, one, nan] = [0.0, 1.0, f64::NAN].map(|value| e.float_of(value, part.ty));
    let [size_is_infinite, is_infinite, other_is_infinite] =
        [size, part, other].map(|value| e.unary(UnaryKind::IsInf, value));
    let sign = e.binary(BinaryKind::CopySign, one, part);
    let sign = e.select(other_is_infinite, nan, sign);
    let infinite = e.select(is_infinite, sign, zero);
    let is_zero = e.compare(CompareKind::Eq, size, zero);
    let scaled = e.binary(BinaryKind::TrueDiv, part, size);
    let finite = e.select(is_zero, zero, scaled);
    e.select(size_is_infinite, infinite, finite)
}

/// A function of a complex number that is made of those of libm; `None` for one that libm has.
pub(super) fn complex_unary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: UnaryKind,
    operand: Val<'c, 'a>,
) -> Option<Val<'c, 'a>> {
    let ty = operand.ty;
    let times = |e: &mut Emit<'_, 'c, 'a>, x: Val<'c, 'a>, factor: f64| {
        let [re, im] = [UnaryKind::Real, UnaryKind::Imag].map(|part| e.unary(part, x));
        let factor = e.float_of(factor, re.ty);
        let [re, im] = [re, im].map(|part| e.binary(BinaryKind::Mul, part, factor));
        e.op(ty, |b| complex::Create::create(b, re.ir(), im.ir(), ty))
    };
    let [re, im] = [UnaryKind::Real, UnaryKind::Imag].map(|part| e.unary(part, operand));
    let [re, im] = match kind {
        UnaryKind::Exp2 => {
            let scaled = times(e, operand, std::f64::consts::LN_2);
            return Some(e.unary(UnaryKind::Exp, scaled));
        }
        UnaryKind::Log2 | UnaryKind::Log10 => {
            let natural = e.unary(UnaryKind::Log, operand);
            return Some(match kind {
                UnaryKind::Log2 => times(e, natural, std::f64::consts::LOG2_E),
                _ => times(e, natural, std::f64::consts::LOG10_E),
            });
        }
        UnaryKind::Rint => [re, im].map(|part| e.unary(UnaryKind::Rint, part)),
        UnaryKind::Sign => {
            let size = e.binary(BinaryKind::Hypot, re, im);
            [[re, im], [im, re]].map(|[part, other]| direction(e, size, part, other))
        }
        UnaryKind::Log1p => {
            let one = e.float_of(1.0, re.ty);
            let moved = e.binary(BinaryKind::Add, re, one);
            let size = e.binary(BinaryKind::Hypot, moved, im);
            [
                e.unary(UnaryKind::Log, size),
                e.binary(BinaryKind::Atan2, im, moved),
            ]
        }
        UnaryKind::Expm1 => {
            let half = e.float_of(0.5, re.ty);
            let half = e.binary(BinaryKind::Mul, im, half);
            let sine = e.unary(UnaryKind::Sin, half);
            let square = e.binary(BinaryKind::Mul, sine, sine);
            let twice = e.binary(BinaryKind::Add, square, square);
            let (grown, turned) = (e.unary(UnaryKind::Expm1, re), e.unary(UnaryKind::Cos, im));
            let scaled = e.binary(BinaryKind::Mul, grown, turned);
            let (whole, sine) = (e.unary(UnaryKind::Exp, re), e.unary(UnaryKind::Sin, im));
            [
                e.binary(BinaryKind::Sub, scaled, twice),
                e.binary(BinaryKind::Mul, whole, sine),
            ]
        }
        _ => return None,
    };
    Some(e.op(ty, |b| complex::Create::create(b, re.ir(), im.ir(), ty)))
}
