//! NumPy's operators on elements of arrays, with its result types.

use super::{elements::elementwise, numbers::repeated_product, times};
use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing, stop},
        operator_kinds::{binary_symbol, no_operator},
        val::Val,
    },
    infra::ops::complex,
    types::{display::display, number::Number},
};
use pyopt_dialects::enums::{BinaryKind, CompareKind, PyBinaryKind, UnaryKind};

/// The float that a function of a number computes in: the narrowest one of at least 32 bits that
/// holds it, as Numba chooses among the loops it has.
pub(crate) fn inexact(number: Number) -> Number {
    match number {
        Number::Bool => Number::Float(32),
        number if number.is_integral() => match number.promote(Number::Float(32)) {
            Number::Float(32) => Number::Float(32),
            _ => Number::FLOAT64,
        },
        Number::Float(16) => Number::Float(32),
        number => number,
    }
}

/// What kind of number an element is.
pub(crate) fn number_of(value: Val) -> Typing<Number> {
    value.number().ok_or_else(|| {
        Stop::issue(format!(
            "a universal function takes numbers and arrays, not {}",
            display(value.ty)
        ))
    })
}

/// A unary function of a number, or of each element of an array.
pub(crate) fn unary_element<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: UnaryKind,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if times::of(operand).is_some() {
        return times::unary(e, kind, operand);
    }
    elementwise(e, &[operand], |e, elements| {
        unary_scalar(e, kind, elements[0])
    })
}

fn unary_scalar<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: UnaryKind,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let number = number_of(operand)?;
    let is_complex = matches!(number, Number::Complex(_));
    match kind {
        UnaryKind::Neg if number == Number::Bool => Err(Stop::issue(
            "the negative of a bool is not defined by NumPy",
        )
        .hint("use ~ or np.logical_not")),
        UnaryKind::Invert if number == Number::Bool => Ok(e.not(operand)),
        UnaryKind::Invert if number.is_integral() => Ok(e.unary(kind, operand)),
        UnaryKind::Invert => stop("bitwise functions take integers and bools"),
        UnaryKind::Imag if !is_complex => Ok(e.number(0, operand.ty)),
        UnaryKind::Conj if number == Number::Bool => {
            let ty = at_least_int8(number).to_type(e.context());
            Ok(e.cast(operand, ty))
        }
        UnaryKind::Conj | UnaryKind::Real if !is_complex => Ok(operand),
        UnaryKind::Abs if number.is_unsigned() => Ok(operand),
        UnaryKind::Floor | UnaryKind::Ceil | UnaryKind::Trunc if number.is_integral() => {
            Ok(operand)
        }
        UnaryKind::Neg | UnaryKind::Abs | UnaryKind::Conj | UnaryKind::Real | UnaryKind::Imag => {
            Ok(e.unary(kind, operand))
        }
        UnaryKind::Sign if !is_complex => {
            let ty = at_least_int8(number).to_type(e.context());
            let operand = e.cast(operand, ty);
            Ok(e.unary(kind, operand))
        }
        UnaryKind::IsNan | UnaryKind::IsInf | UnaryKind::IsFinite if number.is_integral() => {
            Ok(e.bool(kind == UnaryKind::IsFinite))
        }
        UnaryKind::IsNan | UnaryKind::IsInf | UnaryKind::IsFinite => Ok(e.unary(kind, operand)),
        UnaryKind::Floor | UnaryKind::Ceil | UnaryKind::Trunc | UnaryKind::Cbrt if is_complex => {
            stop(format!(
                "NumPy's {} does not take complex numbers",
                kind.name()
            ))
        }
        _ if is_complex && let Some(result) = complex_unary(e, kind, operand) => Ok(result),
        _ => {
            let ty = inexact(number).to_type(e.context());
            let wide = e.cast(operand, ty);
            let result = e.unary(kind, wide);
            Ok(narrowed(e, result, number))
        }
    }
}

/// What was computed of halves in `float32`, as a half again.
pub(crate) fn narrowed<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    result: Val<'c, 'a>,
    number: Number,
) -> Val<'c, 'a> {
    match number {
        Number::Float(16) => e.cast(result, number.to_type(e.context())),
        _ => result,
    }
}

/// An operator on two elements of arrays, with NumPy's result types. Nothing raises: a division
/// by zero gives infinity, NaN, or 0 for integers.
pub(crate) fn binary_element<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let number = number_of(lhs)?.promote(number_of(rhs)?);
    let is_bool = number == Number::Bool;
    let is_complex = matches!(number, Number::Complex(_));
    let symbol = binary_symbol(kind);
    let (typed, number) = match kind {
        PyBinaryKind::Add if is_bool => (BinaryKind::Or, number),
        PyBinaryKind::Mul if is_bool => (BinaryKind::And, number),
        PyBinaryKind::Sub if is_bool => {
            return Err(Stop::issue("- of bools is not defined by NumPy").hint("use ^ for bools"));
        }
        PyBinaryKind::Add => (BinaryKind::Add, number),
        PyBinaryKind::Sub => (BinaryKind::Sub, number),
        PyBinaryKind::Mul => (BinaryKind::Mul, number),
        PyBinaryKind::TrueDiv => (BinaryKind::TrueDiv, number.to_inexact()),
        PyBinaryKind::FloorDiv if !is_complex => (BinaryKind::FloorDiv, at_least_int8(number)),
        PyBinaryKind::Mod if !is_complex => (BinaryKind::Mod, at_least_int8(number)),
        PyBinaryKind::Pow => return power(e, lhs, rhs, at_least_int8(number)),
        PyBinaryKind::And if number.is_integral() => (BinaryKind::And, number),
        PyBinaryKind::Or if number.is_integral() => (BinaryKind::Or, number),
        PyBinaryKind::Xor if number.is_integral() => (BinaryKind::Xor, number),
        PyBinaryKind::LShift if number.is_integral() => (BinaryKind::LShift, at_least_int8(number)),
        PyBinaryKind::RShift if number.is_integral() => (BinaryKind::RShift, at_least_int8(number)),
        _ => return stop(no_operator(symbol, &[lhs, rhs])),
    };
    let ty = number.to_type(e.context());
    let lhs = e.cast(lhs, ty);
    let rhs = e.cast(rhs, ty);
    Ok(e.binary(typed, lhs, rhs))
}

/// NumPy's arithmetic on two bools is that of `int8` where it isn't logical.
pub(crate) const fn at_least_int8(number: Number) -> Number {
    match number {
        Number::Bool => Number::Int {
            width: 8,
            signed: true,
        },
        number => number,
    }
}

/// `**` of elements: small constant exponents are multiplications.
fn power<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    base: Val<'c, 'a>,
    exponent: Val<'c, 'a>,
    number: Number,
) -> Typing<Val<'c, 'a>> {
    let ty = number.to_type(e.context());
    let base = e.cast(base, ty);
    // An int is a float by now beside an array of floats.
    let whole = exponent
        .literal_float()
        .or_else(|| exponent.literal_real())
        .filter(|value| value.fract() == 0.0)
        .map(|value| value as i64);
    if let Some(count @ 1..=3) = exponent.literal_int().or(whole) {
        return Ok(repeated_product(e, base, count));
    }
    let exponent = e.cast(exponent, ty);
    Ok(e.binary(BinaryKind::Pow, base, exponent))
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
fn complex_unary<'c, 'a>(
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

/// A function of two floats.
pub(crate) fn float_pair<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: BinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let given = number_of(lhs)?.promote(number_of(rhs)?);
    let number = inexact(given);
    let next_half = kind == BinaryKind::NextAfter && given == Number::Float(16);
    if matches!(number, Number::Complex(_)) || next_half {
        let name = display(given.to_type(e.context()));
        return stop(format!("NumPy's {} does not take {name}", kind.name()));
    }
    let ty = number.to_type(e.context());
    let lhs = e.cast(lhs, ty);
    let rhs = e.cast(rhs, ty);
    let result = e.binary(kind, lhs, rhs);
    Ok(narrowed(e, result, given))
}
