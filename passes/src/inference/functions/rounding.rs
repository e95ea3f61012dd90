//! `round`: to an int, or to decimal digits as CPython does it.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing},
        val::Val,
    },
    infra::ops::math,
    types::number::Number,
};
use pyopt_dialects::enums::{BinaryKind, CompareKind, UnaryKind};

/// Powers of ten up to this one are exact.
const EXACT_DIGITS: u64 = 22;

/// `round(x)` gives an int, `round(x, digits)` a float; halves go to the even neighbour. Digits that
/// aren't constant are left to the library.
pub(super) fn round<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(operand), digits] = arguments.bind(["number", "ndigits"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    let digits = digits.filter(|digits| !digits.is_none());
    let si64 = e.si64();
    match (operand.number(), digits) {
        (Some(number), None) if number.is_integral() => {
            let grown = number.arithmetic(number).to_type(e.context());
            Ok(e.cast(operand, grown))
        }
        (Some(Number::Float(_)), None) => {
            let rounded = e.unary(UnaryKind::Rint, operand);
            Ok(e.cast(rounded, si64))
        }
        (Some(Number::Float(_)), Some(digits)) => match digits.literal_int() {
            Some(digits) if digits.unsigned_abs() <= EXACT_DIGITS => {
                let f64 = e.f64();
                let wide = e.cast(operand, f64);
                let rounded = to_digits(e, wide, digits);
                Ok(e.cast(rounded, operand.ty))
            }
            _ => Err(Stop::issue("the number of digits isn't a small constant")),
        },
        _ => Err(arguments.no_implementation()),
    }
}

/// Rounds a double to digits.
///
/// It is scaled by a power of ten, rounded, and scaled back, which rounds correctly. Only where the
/// scaled number seems to be half-way between integers does it matter that scaling rounds: then
/// the sign of what that left out says on which side the number is.
fn to_digits<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, x: Val<'c, 'a>, digits: i64) -> Val<'c, 'a> {
    if digits == 0 {
        return e.unary(UnaryKind::Rint, x);
    }
    let ty = x.ty;
    let [zero, half, one] = [0.0, 0.5, 1.0].map(|value| e.float_of(value, ty));
    let factor = e.float_of(10f64.powi(digits.unsigned_abs() as i32), ty);
    let (there, back) = match digits < 0 {
        true => (BinaryKind::TrueDiv, BinaryKind::Mul),
        false => (BinaryKind::Mul, BinaryKind::TrueDiv),
    };
    let scaled = e.binary(there, x, factor);
    let opposite = e.unary(UnaryKind::Neg, scaled);
    let (whole, rest) = match digits < 0 {
        true => (opposite, x),
        false => (x, opposite),
    };
    let left_out = e.op(ty, |b| {
        math::Fma::create(b, whole.ir(), factor.ir(), rest.ir())
    });

    let inner = e.unary(UnaryKind::Trunc, scaled);
    let step = e.binary(BinaryKind::CopySign, one, scaled);
    let outer = e.binary(BinaryKind::Add, inner, step);
    let fraction = e.binary(BinaryKind::Sub, scaled, inner);
    let fraction = e.unary(UnaryKind::Abs, fraction);
    let is_half = e.compare(CompareKind::Eq, fraction, half);
    let is_inexact = e.compare(CompareKind::Ne, left_out, zero);
    let is_beside = e.and(is_half, is_inexact);
    let outward = e.binary(BinaryKind::Mul, left_out, scaled);
    let is_outside = e.compare(CompareKind::Gt, outward, zero);
    let neighbour = e.select(is_outside, outer, inner);
    let even = e.unary(UnaryKind::Rint, scaled);
    let rounded = e.select(is_beside, neighbour, even);

    let rounded = e.binary(back, rounded, factor);
    // From here on the neighbours of a double are further apart than what it is rounded to.
    let limit = e.float_of(9_007_199_254_740_992.0, ty);
    let size = e.unary(UnaryKind::Abs, scaled);
    let is_round = e.compare(CompareKind::Ge, size, limit);
    e.select(is_round, x, rounded)
}
