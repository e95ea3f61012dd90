//! Unary operators and elementary functions.

use super::{Lowered, Site, complex, float, refuse};
use crate::{
    infra::{CmpFloat, CmpInt, OperationExt, ValueExt},
    lowering::{
        emit::Emit,
        types::{complex_part, is_float, is_unsigned},
    },
};
use melior::ir::Value;
use pyopt_dialects::enums::UnaryKind;

/// Lowers `typed.unary`.
pub(super) fn lower<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let Some(kind) = site.op.attr("kind").and_then(UnaryKind::from_attribute) else {
        return refuse("the function isn't known");
    };
    let e = &site.emit;
    let (x, r#type) = (site.one(0)?, site.operand_type(0));

    let result = if complex_part(r#type).is_some() {
        complex_predicate(e, kind, x).or_else(|| complex::unary(e, kind, x))
    } else if is_float(r#type) {
        float_unary(e, kind, x)
    } else {
        integer_unary(e, kind, is_unsigned(r#type), x)
    };
    match result {
        Some(value) => Ok(vec![vec![value]]),
        None => refuse(format!("'{}' has no meaning for {}", kind.name(), r#type)),
    }
}

fn complex_predicate<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: UnaryKind,
    x: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    if !matches!(
        kind,
        UnaryKind::IsNan | UnaryKind::IsInf | UnaryKind::IsFinite
    ) {
        return None;
    }
    let (re, im) = complex::parts(e, x);
    let (re, im) = (float_unary(e, kind, re)?, float_unary(e, kind, im)?);
    Some(if kind == UnaryKind::IsFinite {
        e.and(re, im)
    } else {
        e.or(re, im)
    })
}

fn float_unary<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: UnaryKind,
    x: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let math = |name| float::math(e, name, x);
    let libm = |name| float::libm(e, name, &[x]);

    Some(match kind {
        UnaryKind::Neg => e.un("arith.negf", x),
        UnaryKind::Abs => e.un("math.absf", x),
        UnaryKind::Sqrt => math("math.sqrt"),
        UnaryKind::Exp => math("math.exp"),
        UnaryKind::Exp2 => math("math.exp2"),
        UnaryKind::Log => math("math.log"),
        UnaryKind::Log2 => math("math.log2"),
        UnaryKind::Log10 => math("math.log10"),
        UnaryKind::Sin => math("math.sin"),
        UnaryKind::Cos => math("math.cos"),
        UnaryKind::Floor => math("math.floor"),
        UnaryKind::Ceil => math("math.ceil"),
        UnaryKind::Trunc => math("math.trunc"),
        UnaryKind::Rint => math("math.roundeven"),
        // Upstream's expansions of some of these lose digits: libm's don't.
        UnaryKind::Tan => libm("tan"),
        UnaryKind::Asin => libm("asin"),
        UnaryKind::Acos => libm("acos"),
        UnaryKind::Atan => libm("atan"),
        UnaryKind::Sinh => libm("sinh"),
        UnaryKind::Cosh => libm("cosh"),
        UnaryKind::Tanh => libm("tanh"),
        UnaryKind::Asinh => libm("asinh"),
        UnaryKind::Acosh => libm("acosh"),
        UnaryKind::Atanh => libm("atanh"),
        UnaryKind::Log1p => libm("log1p"),
        UnaryKind::Expm1 => libm("expm1"),
        UnaryKind::Cbrt => libm("cbrt"),
        UnaryKind::Erf => libm("erf"),
        UnaryKind::Erfc => libm("erfc"),
        UnaryKind::Gamma => libm("tgamma"),
        UnaryKind::LogGamma => libm("lgamma"),
        UnaryKind::IsNan => e.cmpf(CmpFloat::Uno, x, x),
        UnaryKind::IsInf => float::is_infinite(e, x),
        UnaryKind::IsFinite => float::is_finite(e, x),
        UnaryKind::Real | UnaryKind::Conj => x,
        UnaryKind::Imag => e.float(x.ty(), 0.0),
        UnaryKind::Sign => {
            // NaN stays, and so do zeros but for their sign.
            let number = |value| e.float(x.ty(), value);
            let negative = e.cmpf(CmpFloat::Olt, x, number(0.0));
            let positive = e.cmpf(CmpFloat::Ogt, x, number(0.0));
            let unordered = e.cmpf(CmpFloat::Uno, x, x);
            let other = e.select(unordered, x, number(0.0));
            e.select(
                positive,
                number(1.0),
                e.select(negative, number(-1.0), other),
            )
        }
        UnaryKind::Invert => return None,
    })
}

fn integer_unary<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: UnaryKind,
    unsigned: bool,
    x: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let zero = e.int(x.ty(), 0);

    Some(match kind {
        UnaryKind::Neg => e.bin("arith.subi", zero, x),
        UnaryKind::Invert => e.bin("arith.xori", x, e.int(x.ty(), -1)),
        UnaryKind::Abs if unsigned => x,
        UnaryKind::Abs => {
            // Not math.absi: its result for the smallest integer need not be that integer.
            let negative = e.cmpi(CmpInt::Slt, x, zero);
            e.select(negative, e.bin("arith.subi", zero, x), x)
        }
        UnaryKind::Sign => {
            let positive = e.cmpi(CmpInt::Ne, x, zero);
            let magnitude = e.select(positive, e.int(x.ty(), 1), zero);
            if unsigned {
                return Some(magnitude);
            }
            let negative = e.cmpi(CmpInt::Slt, x, zero);
            e.select(negative, e.int(x.ty(), -1), magnitude)
        }
        UnaryKind::IsNan | UnaryKind::IsInf => e.bool(false),
        UnaryKind::IsFinite => e.bool(true),
        UnaryKind::Floor
        | UnaryKind::Ceil
        | UnaryKind::Trunc
        | UnaryKind::Rint
        | UnaryKind::Real
        | UnaryKind::Conj => x,
        UnaryKind::Imag => zero,
        _ => return None,
    })
}
