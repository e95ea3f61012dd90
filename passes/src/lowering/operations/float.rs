//! Float arithmetic as Python's and NumPy's.

use crate::{
    infra::{CmpFloat, OperationExt, ValueExt},
    lowering::{emit::Emit, types::float_width},
};
use melior::ir::{Attribute, Type, Value};
use pyopt_dialects::enums::BinaryKind;

/// Writes an operator on two floats; `None` when it has no meaning. With `reassociate` sums and
/// products may be regrouped, as reductions are.
pub(super) fn binary<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: BinaryKind,
    reassociate: bool,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let arithmetic = |name: &str| {
        let flags = reassociate.then(|| {
            let flags = Attribute::parse(e.context(), "#arith.fastmath<reassoc>");
            ("fastmath", flags.expect("the flag is well-formed"))
        });
        e.value(name, &[x, y], x.ty(), flags.as_slice())
    };

    Some(match kind {
        BinaryKind::Add => arithmetic("arith.addf"),
        BinaryKind::Sub => arithmetic("arith.subf"),
        BinaryKind::Mul => arithmetic("arith.mulf"),
        BinaryKind::TrueDiv => arithmetic("arith.divf"),
        BinaryKind::FloorDiv => floordiv(e, x, y),
        BinaryKind::Mod => modulo(e, x, y).1,
        BinaryKind::Fmod => e.bin("arith.remf", x, y),
        BinaryKind::Pow => e.bin("math.powf", x, y),
        BinaryKind::CopySign => e.bin("math.copysign", x, y),
        BinaryKind::Atan2 => libm(e, "atan2", &[x, y]),
        BinaryKind::Hypot => libm(e, "hypot", &[x, y]),
        BinaryKind::NextAfter => libm(e, "nextafter", &[x, y]),
        // The first operand unless the second is smaller: also for NaN.
        BinaryKind::Min => e.select(e.cmpf(CmpFloat::Olt, y, x), y, x),
        BinaryKind::Max => e.select(e.cmpf(CmpFloat::Ogt, y, x), y, x),
        BinaryKind::And
        | BinaryKind::Or
        | BinaryKind::Xor
        | BinaryKind::LShift
        | BinaryKind::RShift => return None,
    })
}

/// The remainder of a division, adjusted to the divisor's sign, as in NumPy's `divmod`.
fn modulo<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> (Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) {
    let zero = e.float(x.ty(), 0.0);
    let rest = e.bin("arith.remf", x, y);
    let has_rest = e.cmpf(CmpFloat::Une, rest, zero);
    let signs_differ = e.bin(
        "arith.xori",
        e.cmpf(CmpFloat::Olt, y, zero),
        e.cmpf(CmpFloat::Olt, rest, zero),
    );
    let shifts = e.and(has_rest, signs_differ);
    let shifted = e.select(shifts, e.bin("arith.addf", rest, y), rest);
    let signed = e.select(has_rest, shifted, e.bin("math.copysign", zero, y));
    // By zero the rest is NaN, which has no sign to take over.
    let by_zero = e.cmpf(CmpFloat::Oeq, y, zero);
    (rest, e.select(by_zero, rest, signed), shifts)
}

/// `x // y` as NumPy's `floor_divide`: computed from the remainder, so that it is the floor of the
/// exact quotient.
fn floordiv<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Value<'c, 'a> {
    let zero = e.float(x.ty(), 0.0);
    let one = e.float(x.ty(), 1.0);
    let (rest, _, shifts) = modulo(e, x, y);
    let quotient = e.bin("arith.divf", e.bin("arith.subf", x, rest), y);
    let quotient = e.select(shifts, e.bin("arith.subf", quotient, one), quotient);

    let floor = e.un("math.floor", quotient);
    let excess = e.bin("arith.subf", quotient, floor);
    let too_low = e.cmpf(CmpFloat::Ogt, excess, e.float(x.ty(), 0.5));
    let nearest = e.select(too_low, e.bin("arith.addf", floor, one), floor);
    let exact = e.bin("arith.divf", x, y);
    let signed_zero = e.bin("math.copysign", zero, exact);
    let is_zero = e.cmpf(CmpFloat::Oeq, quotient, zero);
    let result = e.select(is_zero, signed_zero, nearest);
    e.select(e.cmpf(CmpFloat::Oeq, y, zero), exact, result)
}

/// Calls a function of libm in the precision of its arguments; half precision goes through single.
pub(super) fn libm<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &[Value<'c, 'a>],
) -> Value<'c, 'a> {
    let r#type = arguments[0].ty();
    match float_width(r#type) {
        64 => e.call_value(name, arguments, r#type),
        32 => e.call_value(&format!("{name}f"), arguments, r#type),
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
        .map(|argument| e.to("arith.extf", *argument, single))
        .collect();
    e.to("arith.truncf", compute(&wide), arguments[0].ty())
}

/// An operation of the math dialect.
pub(super) fn math<'c, 'a>(e: &Emit<'_, 'c, 'a>, name: &str, x: Value<'c, 'a>) -> Value<'c, 'a> {
    if float_width(x.ty()) == 16 {
        return in_single(e, &[x], |arguments| math(e, name, arguments[0]));
    }
    e.op(name, &[x], &[x.ty()], &[]).result_value(0)
}

/// Whether a float is infinite.
pub(super) fn is_infinite<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>) -> Value<'c, 'a> {
    let magnitude = e.un("math.absf", x);
    e.cmpf(CmpFloat::Oeq, magnitude, e.float(x.ty(), f64::INFINITY))
}

/// Whether a float is neither infinite nor NaN.
pub(super) fn is_finite<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>) -> Value<'c, 'a> {
    let magnitude = e.un("math.absf", x);
    e.cmpf(CmpFloat::Olt, magnitude, e.float(x.ty(), f64::INFINITY))
}
