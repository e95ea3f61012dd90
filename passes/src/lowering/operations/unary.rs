//! Unary operators and elementary functions.

use super::{Lowered, Site, complex, float, refuse};
use crate::{
    infra::{
        CmpFloat, CmpInt, ValueExt,
        ops::{arith, math, typed},
    },
    lowering::{
        emit::Emit,
        types::{is_float, is_unsigned},
    },
    types::layout::complex_part,
};
use melior::ir::Value;
use pyopt_dialects::enums::UnaryKind;

/// Lowers `typed.unary`.
pub(super) fn lower<'c, 'a>(op: typed::Unary<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let kind = op.kind();
    let operand = typed::Unary::OPERAND_OPERAND;
    let e = &site.emit;
    let (x, r#type) = (site.one(operand)?, site.operand_type(operand));

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
        UnaryKind::Neg => e.un(arith::NegF::NAME, x),
        UnaryKind::Abs => e.un(math::AbsF::NAME, x),
        UnaryKind::Sqrt => math(math::Sqrt::NAME),
        UnaryKind::Exp => math(math::Exp::NAME),
        UnaryKind::Exp2 => math(math::Exp2::NAME),
        UnaryKind::Log => math(math::Log::NAME),
        UnaryKind::Log2 => math(math::Log2::NAME),
        UnaryKind::Log10 => math(math::Log10::NAME),
        UnaryKind::Sin => math(math::Sin::NAME),
        UnaryKind::Cos => math(math::Cos::NAME),
        UnaryKind::Floor => math(math::Floor::NAME),
        UnaryKind::Ceil => math(math::Ceil::NAME),
        UnaryKind::Trunc => math(math::Trunc::NAME),
        UnaryKind::Rint => math(math::RoundEven::NAME),
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
        UnaryKind::IsNan => e.cmpf(CmpFloat::UNO, x, x),
        UnaryKind::IsInf => float::is_infinite(e, x),
        UnaryKind::IsFinite => float::is_finite(e, x),
        UnaryKind::Real | UnaryKind::Conj => x,
        UnaryKind::Imag => e.float(x.ty(), 0.0),
        UnaryKind::Sign => {
            // NaN stays, and so do zeros but for their sign.
            let number = |value| e.float(x.ty(), value);
            let negative = e.cmpf(CmpFloat::OLT, x, number(0.0));
            let positive = e.cmpf(CmpFloat::OGT, x, number(0.0));
            let unordered = e.cmpf(CmpFloat::UNO, x, x);
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
        UnaryKind::Neg => e.bin(arith::SubI::NAME, zero, x),
        UnaryKind::Invert => e.bin(arith::XOrI::NAME, x, e.int(x.ty(), -1)),
        UnaryKind::Abs if unsigned => x,
        UnaryKind::Abs => {
            // Not math.absi: its result for the smallest integer need not be that integer.
            let negative = e.cmpi(CmpInt::Slt, x, zero);
            e.select(negative, e.bin(arith::SubI::NAME, zero, x), x)
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
