//! Floor division and remainders of integers, defined for every operand.
//!
//! By constants they have forms without tests of the divisor, and without a correction behind the
//! division that LLVM could neither merge with it nor reduce to shifts.

use crate::{
    infra::{AttributeExt, CmpInt, ValueExt, ops::arith},
    lowering::emit::Emit,
};
use melior::ir::{Type, Value, r#type::IntegerType};

/// The divisor, replaced by 1 where division by it is undefined; also whether it is zero and, if it
/// is signed, whether it is -1.
struct Divisor<'c, 'a> {
    safe: Value<'c, 'a>,
    is_zero: Value<'c, 'a>,
    is_minus_one: Option<Value<'c, 'a>>,
}

fn divisor<'c, 'a>(e: &Emit<'_, 'c, 'a>, unsigned: bool, y: Value<'c, 'a>) -> Divisor<'c, 'a> {
    let is_zero = e.cmpi(CmpInt::Eq, y, e.int(y.ty(), 0));
    let is_minus_one = (!unsigned).then(|| e.cmpi(CmpInt::Eq, y, e.int(y.ty(), -1)));
    let unsafe_divisor = is_minus_one.map_or(is_zero, |other| e.or(is_zero, other));
    Divisor {
        safe: e.select(unsafe_divisor, e.int(y.ty(), 1), y),
        is_zero,
        is_minus_one,
    }
}

/// The value of a divisor that is a constant other than 0.
fn constant_divisor(y: Value) -> Option<i64> {
    if width(y.ty()) == 1 {
        return None;
    }
    let constant = arith::Constant::defining(y)?.value().integer_value()?;
    (constant != 0).then_some(constant)
}

/// Applies a function of a signed integer and a divisor in the narrowest type.
fn by_constant<'c: 'a, 'a, 'b>(
    e: &Emit<'b, 'c, 'a>,
    x: Value<'c, 'a>,
    constant: i64,
    function: impl Fn(&Emit<'b, 'c, 'a>, Value<'c, 'a>, i64) -> Value<'c, 'a>,
) -> Value<'c, 'a> {
    match narrow(x, constant) {
        Some(narrow) => e.to(arith::ExtSI::NAME, function(e, narrow, constant), x.ty()),
        None => function(e, x, constant),
    }
}

/// The number that `x` is a sign extension of, if quotients and remainders by the constant fit in
/// its type: more of them fit in a vector, and multiplication of words is slow in vectors.
fn narrow<'c: 'a, 'a>(x: Value<'c, 'a>, constant: i64) -> Option<Value<'c, 'a>> {
    let narrow = arith::ExtSI::defining(x)?.r#in();
    let bound = 1_u64 << (width(narrow.ty()) - 1);
    (width(narrow.ty()) > 1 && constant != -1 && constant.unsigned_abs() < bound).then_some(narrow)
}

/// `x // y`, rounded down; 0 for `y == 0`, and `MIN // -1` wraps.
pub(super) fn floordiv<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    unsigned: bool,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Value<'c, 'a> {
    if let Some(constant) = constant_divisor(y).filter(|_| !unsigned) {
        return by_constant(e, x, constant, floordiv_by);
    }
    let zero = e.int(x.ty(), 0);
    let by = divisor(e, unsigned, y);
    let Some(is_minus_one) = by.is_minus_one else {
        let quotient = e.bin(arith::DivUI::NAME, x, by.safe);
        return e.select(by.is_zero, zero, quotient);
    };

    let quotient = e.bin(arith::DivSI::NAME, x, by.safe);
    let rest = e.bin(
        arith::SubI::NAME,
        x,
        e.bin(arith::MulI::NAME, quotient, by.safe),
    );
    let down = rounds_down(e, rest, by.safe);
    let lower = e.bin(arith::SubI::NAME, quotient, e.int(x.ty(), 1));
    let floor = e.select(down, lower, quotient);
    let negated = e.bin(arith::SubI::NAME, zero, x);
    e.select(is_minus_one, negated, e.select(by.is_zero, zero, floor))
}

/// `x // constant` of signed integers.
fn floordiv_by<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>, constant: i64) -> Value<'c, 'a> {
    let r#type = x.ty();
    let size = constant.unsigned_abs();
    if size.is_power_of_two() {
        // A shift rounds down.
        let shift = e.int(r#type, size.trailing_zeros().into());
        let floor = e.bin(arith::ShRSI::NAME, x, shift);
        if constant > 0 {
            return floor;
        }
        // What is rounded down, once the sign has changed, was rounded up before.
        let is_inexact = e.cmpi(CmpInt::Ne, low_bits(e, x, size), e.int(r#type, 0));
        let negated = e.bin(arith::SubI::NAME, e.int(r#type, 0), floor);
        return e.bin(
            arith::SubI::NAME,
            negated,
            e.select(is_inexact, e.int(r#type, 1), e.int(r#type, 0)),
        );
    }

    // Of a negative number `x` the complement `-x - 1` is divided, and the complement of the quotient
    // is the floor: both round to the same side. Division by the opposite number is that of `-x`,
    // whose complement is `x - 1`; `-x` may be the least number, hence without signs.
    let flip = |value, mask| e.bin(arith::XOrI::NAME, value, mask);
    if constant > 0 {
        let last = e.int(r#type, i64::from(width(r#type)) - 1);
        let sign = e.bin(arith::ShRSI::NAME, x, last);
        let quotient = e.bin(arith::DivSI::NAME, flip(x, sign), e.int(r#type, constant));
        return flip(quotient, sign);
    }
    let minus_one = e.int(r#type, -1);
    let is_positive = e.cmpi(CmpInt::Sgt, x, e.int(r#type, 0));
    let mask = e.select(is_positive, minus_one, e.int(r#type, 0));
    let complement = e.bin(arith::AddI::NAME, x, minus_one);
    let size = e.int(r#type, constant.wrapping_neg());
    let quotient = e.bin(
        arith::DivUI::NAME,
        flip(complement, flip(mask, minus_one)),
        size,
    );
    flip(quotient, mask)
}

/// The rest of dividing by a power of two.
fn low_bits<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>, power: u64) -> Value<'c, 'a> {
    e.and(x, e.int(x.ty(), (power - 1).cast_signed()))
}

/// Whether the truncated quotient exceeds the floor: the remainder isn't zero and has the other
/// sign.
fn rounds_down<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    rest: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let zero = e.int(y.ty(), 0);
    let signs_differ = e.cmpi(CmpInt::Slt, e.bin(arith::XOrI::NAME, rest, y), zero);
    e.and(e.cmpi(CmpInt::Ne, rest, zero), signs_differ)
}

/// `x % y` with the sign of `y`; 0 for `y == 0`.
pub(super) fn modulo<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    unsigned: bool,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Value<'c, 'a> {
    if let Some(constant) = constant_divisor(y).filter(|_| !unsigned) {
        return by_constant(e, x, constant, modulo_by);
    }
    let rest = remainder(e, unsigned, x, y);
    if unsigned {
        return rest;
    }
    // A remainder of 0 is right as it is, also that of dividing by 0 and -1.
    let down = rounds_down(e, rest, y);
    e.select(down, e.bin(arith::AddI::NAME, rest, y), rest)
}

/// `x % constant` of signed integers.
fn modulo_by<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>, constant: i64) -> Value<'c, 'a> {
    let size = constant.unsigned_abs();
    if !size.is_power_of_two() {
        let floor = floordiv_by(e, x, constant);
        let multiple = e.bin(arith::MulI::NAME, floor, e.int(x.ty(), constant));
        return e.bin(arith::SubI::NAME, x, multiple);
    }
    if constant > 0 {
        return low_bits(e, x, size);
    }
    let negated = |value| e.bin(arith::SubI::NAME, e.int(x.ty(), 0), value);
    negated(low_bits(e, negated(x), size))
}

/// The remainder with the sign of `x`; 0 for `y == 0`.
pub(super) fn remainder<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    unsigned: bool,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Value<'c, 'a> {
    if unsigned {
        // Dividing by 1 in place of 0 leaves the right rest.
        return e.bin(arith::RemUI::NAME, x, divisor(e, unsigned, y).safe);
    }
    // A predicted branch takes the check off the division's critical path; a select of the divisor
    // wouldn't.
    let is_zero = e.cmpi(CmpInt::Eq, y, e.int(y.ty(), 0));
    let is_minus_one = e.cmpi(CmpInt::Eq, y, e.int(y.ty(), -1));
    let has_no_rest = e.or(is_zero, is_minus_one);
    let rest = e.if_else(
        has_no_rest,
        &[x.ty()],
        || vec![e.int(x.ty(), 0)],
        || vec![e.bin(arith::RemSI::NAME, x, y)],
    );
    rest[0]
}

/// Bits of a signless integer type.
pub(super) fn width(r#type: Type) -> u32 {
    IntegerType::try_from(r#type).map_or(64, |integer| integer.width())
}
