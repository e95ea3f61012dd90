//! Integer arithmetic that wraps around and is defined for every operand.

use super::division::{floordiv, modulo, remainder, width};
use crate::{
    infra::{AttributeExt, CmpInt, ValueExt, ops::arith},
    lowering::emit::Emit,
};
use melior::ir::Value;
use pyopt_dialects::enums::BinaryKind;

/// The largest constant exponent that becomes multiplications.
const UNROLLED_EXPONENT: i64 = 64;

/// Writes an operator on two integers, or on two bools; `None` when it has no meaning.
pub(super) fn binary<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: BinaryKind,
    unsigned: bool,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let is_bool = width(x.ty()) == 1;

    Some(match kind {
        // Sums and products of bools are `or` and `and`, as NumPy's.
        BinaryKind::Add if is_bool => e.or(x, y),
        BinaryKind::Mul if is_bool => e.and(x, y),
        BinaryKind::Add => e.bin(arith::AddI::NAME, x, y),
        BinaryKind::Sub => e.bin(arith::SubI::NAME, x, y),
        BinaryKind::Mul => e.bin(arith::MulI::NAME, x, y),
        BinaryKind::FloorDiv => floordiv(e, unsigned, x, y),
        BinaryKind::Mod => modulo(e, unsigned, x, y),
        BinaryKind::Fmod => remainder(e, unsigned, x, y),
        BinaryKind::Pow => power(e, unsigned, x, y),
        BinaryKind::And => e.and(x, y),
        BinaryKind::Or => e.or(x, y),
        BinaryKind::Xor => e.bin(arith::XOrI::NAME, x, y),
        BinaryKind::LShift => shift(e, arith::ShLI::NAME, x, y),
        BinaryKind::RShift if unsigned => shift(e, arith::ShRUI::NAME, x, y),
        BinaryKind::RShift => shift_arithmetic(e, x, y),
        BinaryKind::Min | BinaryKind::Max => {
            // As Python compares. LLVM keeps the order: in a loop that carries the first operand
            // a branch on the second, which seldom wins, and never in a tie, is well predicted.
            let wins = match (kind, unsigned) {
                (BinaryKind::Min, false) => CmpInt::Slt,
                (BinaryKind::Min, true) => CmpInt::Ult,
                (_, false) => CmpInt::Sgt,
                (_, true) => CmpInt::Ugt,
            };
            e.select(e.cmpi(wins, y, x), y, x)
        }
        BinaryKind::TrueDiv
        | BinaryKind::Atan2
        | BinaryKind::Hypot
        | BinaryKind::CopySign
        | BinaryKind::NextAfter => {
            return None;
        }
    })
}

/// A shift that gives 0 when the count is the width or more, or negative.
fn shift<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    name: &str,
    x: Value<'c, 'a>,
    count: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let zero = e.int(x.ty(), 0);
    let in_range = e.cmpi(CmpInt::Ult, count, e.int(x.ty(), width(x.ty()).into()));
    let shifted = e.bin(name, x, e.select(in_range, count, zero));
    e.select(in_range, shifted, zero)
}

/// A shift to the right that gives the sign when the count is the width or more.
fn shift_arithmetic<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    count: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let most = e.int(x.ty(), i64::from(width(x.ty())) - 1);
    e.bin(
        arith::ShRSI::NAME,
        x,
        e.bin(arith::MinUI::NAME, count, most),
    )
}

/// `x ** y`: multiplications for a small constant exponent, otherwise the runtime's.
fn power<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    unsigned: bool,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let constant = arith::Constant::defining(y);
    let constant = constant.and_then(|constant| constant.value().integer_value());
    if let Some(exponent @ 0..=UNROLLED_EXPONENT) = constant {
        let power = multiply(e, arith::MulI::NAME, x, exponent);
        return power.unwrap_or_else(|| e.int(x.ty(), 1));
    }

    let (name, extend) = if unsigned {
        ("pyopt_pow_u64", arith::ExtUI::NAME)
    } else {
        ("pyopt_pow_i64", arith::ExtSI::NAME)
    };
    let wide = e.i(64);
    let extend = |value: Value<'c, 'a>| {
        if value.ty() == wide {
            value
        } else {
            e.to(extend, value, wide)
        }
    };
    let power = e.call_value(name, &[extend(x), extend(y)], wide);
    if x.ty() == wide {
        power
    } else {
        e.to(arith::TruncI::NAME, power, x.ty())
    }
}

/// A number multiplied with itself so many times by an operation, by squaring; `None` for no times.
pub(super) fn multiply<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    multiplication: &str,
    x: Value<'c, 'a>,
    mut exponent: i64,
) -> Option<Value<'c, 'a>> {
    let mut power = None;
    let mut square = x;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = Some(power.map_or(square, |power| e.bin(multiplication, power, square)));
        }
        exponent >>= 1;
        if exponent > 0 {
            square = e.bin(multiplication, square, square);
        }
    }
    power
}
