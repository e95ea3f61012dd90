//! Float arithmetic as Python's and NumPy's.

use super::integer::multiply;
use crate::{
    infra::{
        AttributeExt, CmpFloat, CmpInt, OperationExt, ValueExt,
        ops::{arith, math},
    },
    lowering::{emit::Emit, externals::Known},
    types::layout::float_width,
};
use melior::ir::{Type, Value};
use pyopt_dialects::enums::{BinaryKind, FastMathFlags};

/// Writes an operator on two floats; `None` when it has no meaning. With `reassociate` sums and
/// products may be regrouped, as reductions are.
pub(super) fn binary<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: BinaryKind,
    reassociate: bool,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let arithmetic = |name| {
        let operation = e.op(name, &[x, y], &[x.ty()], &[]);
        if reassociate {
            let flags = FastMathFlags::REASSOC.to_attribute(e.context());
            operation.set_attr(arith::AddF::FASTMATH_ATTR, flags);
        }
        operation.result_values()[0]
    };

    Some(match kind {
        BinaryKind::Add => arithmetic(arith::AddF::NAME),
        BinaryKind::Sub => arithmetic(arith::SubF::NAME),
        BinaryKind::Mul => arithmetic(arith::MulF::NAME),
        BinaryKind::TrueDiv => arithmetic(arith::DivF::NAME),
        BinaryKind::FloorDiv => floordiv(e, x, y),
        BinaryKind::Mod => modulo(e, x, y).1,
        BinaryKind::Fmod => e.bin(arith::RemF::NAME, x, y),
        BinaryKind::Pow => power(e, x, y),
        BinaryKind::CopySign => e.bin(math::CopySign::NAME, x, y),
        BinaryKind::Atan2 => libm(e, "atan2", &[x, y]),
        BinaryKind::Hypot => libm(e, "hypot", &[x, y]),
        BinaryKind::NextAfter => libm(e, "nextafter", &[x, y]),
        // The first operand unless the second is smaller: also for NaN.
        BinaryKind::Min => e.select(e.cmpf(CmpFloat::OLT, y, x), y, x),
        BinaryKind::Max => e.select(e.cmpf(CmpFloat::OGT, y, x), y, x),
        BinaryKind::And
        | BinaryKind::Or
        | BinaryKind::Xor
        | BinaryKind::LShift
        | BinaryKind::RShift => return None,
    })
}

/// Up to this exponent, and down to its negative, a power is a product: libm takes ten times as long. Each
/// multiplication rounds, so that the error grows by half a unit in the last place with each further factor.
const LARGEST_OF_PRODUCTS: f64 = 16.0;

/// The bits of exponents up to [`LARGEST_OF_PRODUCTS`].
const BITS_OF_PRODUCTS: u32 = 5;

/// `x ** y`: for a small whole exponent multiplications, and a division where it is negative.
fn power<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
    let exponent = arith::Constant::defining(y).and_then(|constant| constant.value().float_value());
    let is_of_products = |exponent: &f64| {
        exponent.fract() == 0.0 && *exponent != 0.0 && exponent.abs() <= LARGEST_OF_PRODUCTS
    };
    // Halves have too few digits for it.
    let Some(exponent) =
        exponent.filter(|exponent| is_of_products(exponent) && float_width(x.ty()) > 16)
    else {
        return match arith::SIToFP::defining(y).filter(|_| float_width(x.ty()) > 16) {
            Some(whole) => whole_power(e, x, y, whole.r#in()),
            None => e.bin(math::PowF::NAME, x, y),
        };
    };
    let one = e.float(x.ty(), 1.0);
    let product = multiply(e, arith::MulF::NAME, x, exponent.abs() as i64).unwrap_or(one);
    match exponent > 0.0 {
        true => product,
        false => e.bin(arith::DivF::NAME, one, product),
    }
}

/// `x ** y` where `y` is an integer as a float: the products that a constant would have where it is small.
fn whole_power<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
    exponent: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let int = |value| e.int(exponent.ty(), value);
    let largest = LARGEST_OF_PRODUCTS as i64;
    let from_smallest = e.bin(arith::AddI::NAME, exponent, int(largest));
    let is_small = e.cmpi(CmpInt::Ule, from_smallest, int(2 * largest));
    let products = || {
        let one = e.float(x.ty(), 1.0);
        let is_negative = e.cmpi(CmpInt::Slt, exponent, int(0));
        let opposite = e.bin(arith::SubI::NAME, int(0), exponent);
        let size = e.select(is_negative, opposite, exponent);
        let mut square = x;
        let mut power = one;
        for bit in 0..BITS_OF_PRODUCTS {
            if bit > 0 {
                square = e.bin(arith::MulF::NAME, square, square);
            }
            let bit = e.bin(arith::AndI::NAME, size, int(1 << bit));
            let factor = e.select(e.cmpi(CmpInt::Ne, bit, int(0)), square, one);
            power = e.bin(arith::MulF::NAME, power, factor);
        }
        let inverse = || vec![e.bin(arith::DivF::NAME, one, power)];
        e.if_else(is_negative, &[x.ty()], inverse, || vec![power])
    };
    let other = || vec![e.bin(math::PowF::NAME, x, y)];
    e.if_else(is_small, &[x.ty()], products, other)[0]
}

/// The remainder of a division, adjusted to the divisor's sign, as in NumPy's `divmod`.
fn modulo<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> (Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) {
    let zero = e.float(x.ty(), 0.0);
    let rest = e.bin(arith::RemF::NAME, x, y);
    let has_rest = e.cmpf(CmpFloat::UNE, rest, zero);
    let signs_differ = e.bin(
        arith::XOrI::NAME,
        e.cmpf(CmpFloat::OLT, y, zero),
        e.cmpf(CmpFloat::OLT, rest, zero),
    );
    let shifts = e.and(has_rest, signs_differ);
    let shifted = e.select(shifts, e.bin(arith::AddF::NAME, rest, y), rest);
    let signed = e.select(has_rest, shifted, e.bin(math::CopySign::NAME, zero, y));
    // By zero the rest is NaN, which has no sign to take over.
    let by_zero = e.cmpf(CmpFloat::OEQ, y, zero);
    (rest, e.select(by_zero, rest, signed), shifts)
}

/// `x // y` as NumPy's `floor_divide`: computed from the remainder, so that it is the floor of the
/// exact quotient.
fn floordiv<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
    let zero = e.float(x.ty(), 0.0);
    let one = e.float(x.ty(), 1.0);
    let (rest, _, shifts) = modulo(e, x, y);
    let quotient = e.bin(arith::DivF::NAME, e.bin(arith::SubF::NAME, x, rest), y);
    let quotient = e.select(shifts, e.bin(arith::SubF::NAME, quotient, one), quotient);

    let floor = e.un(math::Floor::NAME, quotient);
    let excess = e.bin(arith::SubF::NAME, quotient, floor);
    let too_low = e.cmpf(CmpFloat::OGT, excess, e.float(x.ty(), 0.5));
    let nearest = e.select(too_low, e.bin(arith::AddF::NAME, floor, one), floor);
    let exact = e.bin(arith::DivF::NAME, x, y);
    let signed_zero = e.bin(math::CopySign::NAME, zero, exact);
    let is_zero = e.cmpf(CmpFloat::OEQ, quotient, zero);
    let result = e.select(is_zero, signed_zero, nearest);
    e.select(e.cmpf(CmpFloat::OEQ, y, zero), exact, result)
}

/// Calls a function of libm in the precision of its arguments; half precision goes through single.
pub(super) fn libm<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &[Value<'c, 'a>],
) -> Value<'c, 'a> {
    let r#type = arguments[0].ty();
    let call = |symbol: &str| {
        let known = Known::Libm(name.to_owned());
        e.call_known(symbol, known, arguments, &[r#type]).part0()[0]
    };
    match float_width(r#type) {
        64 => call(name),
        32 => call(&format!("{name}f")),
        _ => in_single(e, arguments, |arguments| libm(e, name, arguments)),
    }
}

/// Computes in single precision what has no half precision form.
fn in_single<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    arguments: &[Value<'c, 'a>],
    compute: impl FnOnce(&[Value<'c, 'a>]) -> Value<'c, 'a>,
) -> Value<'c, 'a> {
    let single = Type::float32(e.context());
    let wide: Vec<_> = arguments
        .iter()
        .map(|argument| e.to(arith::ExtF::NAME, *argument, single))
        .collect();
    e.to(arith::TruncF::NAME, compute(&wide), arguments[0].ty())
}

/// An operation of the math dialect.
pub(super) fn math<'c, 'a>(e: &Emit<'_, 'c, 'a>, name: &str, x: Value<'c, 'a>) -> Value<'c, 'a> {
    if float_width(x.ty()) == 16 {
        return in_single(e, &[x], |arguments| math(e, name, arguments[0]));
    }
    e.un(name, x)
}

/// Whether a float is infinite.
pub(super) fn is_infinite<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>) -> Value<'c, 'a> {
    let magnitude = e.un(math::AbsF::NAME, x);
    e.cmpf(CmpFloat::OEQ, magnitude, e.float(x.ty(), f64::INFINITY))
}

/// Whether a float is neither infinite nor NaN.
pub(super) fn is_finite<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>) -> Value<'c, 'a> {
    let magnitude = e.un(math::AbsF::NAME, x);
    e.cmpf(CmpFloat::OLT, magnitude, e.float(x.ty(), f64::INFINITY))
}
