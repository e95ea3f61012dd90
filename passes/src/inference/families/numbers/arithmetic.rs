//! Arithmetic on numbers, with Numba's result types.

use super::power::power;
use crate::{
    inference::{
        emit::Emit,
        issue::{Typing, stop},
        operator_kinds::{binary_symbol, no_operator},
        val::Val,
    },
    types::number::Number,
};
use pyopt_dialects::enums::{BinaryKind, CompareKind, PyBinaryKind, PyUnaryKind, UnaryKind};
use pyopt_library::errors;

/// `lhs op rhs` on two numbers.
pub(crate) fn scalar_binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (Some(a), Some(b)) = (lhs.number(), rhs.number()) else {
        return stop(no_operator(binary_symbol(kind), &[lhs, rhs]));
    };
    let integers = a.is_integral() && b.is_integral();
    let is_complex = matches!(a.promote(b), Number::Complex(_));
    let (kind, number) = match kind {
        PyBinaryKind::Add => (BinaryKind::Add, a.arithmetic(b)),
        PyBinaryKind::Sub => (BinaryKind::Sub, a.arithmetic(b)),
        PyBinaryKind::Mul => (BinaryKind::Mul, a.arithmetic(b)),
        PyBinaryKind::TrueDiv => {
            return divide_checked(e, BinaryKind::TrueDiv, lhs, rhs, a.promote(b).to_inexact());
        }
        PyBinaryKind::FloorDiv if !is_complex => {
            return divide_checked(e, BinaryKind::FloorDiv, lhs, rhs, a.arithmetic(b));
        }
        PyBinaryKind::Mod if !is_complex => {
            return divide_checked(e, BinaryKind::Mod, lhs, rhs, a.arithmetic(b));
        }
        PyBinaryKind::Pow => return power(e, lhs, rhs),
        PyBinaryKind::And if integers => (BinaryKind::And, bitwise(a, b)),
        PyBinaryKind::Or if integers => (BinaryKind::Or, bitwise(a, b)),
        PyBinaryKind::Xor if integers => (BinaryKind::Xor, bitwise(a, b)),
        // The left operand alone says whether a shift is signed.
        PyBinaryKind::LShift if integers => (BinaryKind::LShift, a.arithmetic(a)),
        PyBinaryKind::RShift if integers => (BinaryKind::RShift, a.arithmetic(a)),
        _ => return stop(no_operator(binary_symbol(kind), &[lhs, rhs])),
    };
    Ok(promoted(e, kind, lhs, rhs, number))
}

/// `and`, `or` and `xor` of two bools is a bool.
fn bitwise(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Bool, Number::Bool) => Number::Bool,
        _ => a.arithmetic(b),
    }
}

/// Converts both operands to one number and computes; ints that are known stay known.
fn promoted<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: BinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
    number: Number,
) -> Val<'c, 'a> {
    let ty = number.to_type(e.context());
    if number == Number::INT64
        && let (Some(a), Some(b)) = (lhs.literal_int(), rhs.literal_int())
        && let Some(known) = fold(kind, a, b)
    {
        return e.int(known);
    }
    let lhs = e.cast(lhs, ty);
    let rhs = e.cast(rhs, ty);
    e.binary(kind, lhs, rhs)
}

fn fold(kind: BinaryKind, a: i64, b: i64) -> Option<i64> {
    match kind {
        BinaryKind::Add => a.checked_add(b),
        BinaryKind::Sub => a.checked_sub(b),
        BinaryKind::Mul => a.checked_mul(b),
        _ => None,
    }
}

/// `/`, `//` and `%`: raise ZeroDivisionError for a zero divisor, unless NumPy's error model holds.
pub(crate) fn divide_checked<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: BinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
    number: Number,
) -> Typing<Val<'c, 'a>> {
    let integers = [lhs, rhs].iter().all(|operand| {
        matches!(
            Number::of(operand.ty),
            Some(Number::Bool | Number::Int { .. })
        )
    });
    // CPython's own words.
    let message = match (kind, number) {
        (_, Number::Complex(_)) => errors().complex_division,
        (BinaryKind::TrueDiv, _) if integers => errors().int_true_division,
        (BinaryKind::TrueDiv, _) => errors().float_true_division,
        (BinaryKind::FloorDiv, Number::Int { .. }) => errors().int_floor_division,
        (BinaryKind::FloorDiv, _) => errors().float_floor_division,
        (_, Number::Int { .. }) => errors().int_modulo,
        _ => errors().float_modulo,
    };
    check_divisor(e, rhs, message);
    Ok(promoted(e, kind, lhs, rhs, number))
}

/// Raises ZeroDivisionError for a zero divisor, unless NumPy's error model holds. The divisor is
/// compared before it is converted.
pub(crate) fn check_divisor<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, rhs: Val<'c, 'a>, message: &str) {
    let known_nonzero = rhs.literal_int().is_some_and(|divisor| divisor != 0)
        || rhs.literal_float().is_some_and(|divisor| divisor != 0.0);
    if known_nonzero || !e.checks_division() {
        return;
    }
    let is_zero = if rhs.number() == Some(Number::Bool) {
        e.not(rhs)
    } else {
        let zero = e.number(0, rhs.ty);
        e.compare(CompareKind::Eq, rhs, zero)
    };
    e.raise_if(is_zero, "ZeroDivisionError", Some(message));
}

/// `-x`, `+x`, `~x` of a number. Integers wrap in their own width, as NumPy's do, and grow after
/// that, as Numba's do.
pub(crate) fn scalar_unary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyUnaryKind,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let Some(number) = operand.number() else {
        return stop(no_operator("a unary operator", &[operand]));
    };
    let grown = number.arithmetic(number);
    let ty = grown.to_type(e.context());
    match kind {
        PyUnaryKind::Pos => Ok(e.cast(operand, ty)),
        PyUnaryKind::Neg => {
            if let (Number::INT64, Some(value)) = (grown, operand.literal_int())
                && let Some(negated) = value.checked_neg()
            {
                return Ok(e.int(negated));
            }
            if number == Number::Bool {
                let operand = e.cast(operand, ty);
                return Ok(e.unary(UnaryKind::Neg, operand));
            }
            let negated = e.unary(UnaryKind::Neg, operand);
            Ok(e.cast(negated, ty))
        }
        PyUnaryKind::Invert if number == Number::Bool => Ok(e.not(operand)),
        PyUnaryKind::Invert if number.is_integral() => {
            let inverted = e.unary(UnaryKind::Invert, operand);
            Ok(e.cast(inverted, ty))
        }
        _ => stop(no_operator("~", &[operand])),
    }
}
