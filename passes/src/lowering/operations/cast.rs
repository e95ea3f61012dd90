//! Conversions between numbers, as NumPy's `astype`.

use super::{Lowered, Site, complex, refuse};
use crate::{
    infra::{
        CmpFloat, CmpInt, ValueExt,
        ops::{arith, math, typed},
    },
    lowering::{
        emit::Emit,
        types::{is_float, is_unsigned},
    },
    types::layout::{complex_part, float_width},
};
use melior::ir::{Type, TypeLike, Value, r#type::IntegerType};

/// Lowers `typed.cast`.
pub(super) fn lower<'c, 'a>(_: typed::Cast<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let operand = typed::Cast::OPERAND_OPERAND;
    let (from, to) = (site.operand_type(operand), site.result_type());
    if from == to {
        return Ok(vec![site.operands[operand].clone()]);
    }
    match cast(&site.emit, site.one(operand)?, from, to) {
        Some(value) => Ok(vec![vec![value]]),
        None => refuse(format!("can't convert {from} to {to}")),
    }
}

/// Converts a number between typed types; `None` when one of them is none.
pub(super) fn cast<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    from: Type<'c>,
    to: Type<'c>,
) -> Option<Value<'c, 'a>> {
    if from == to {
        return Some(x);
    }
    if let Some(part) = complex_part(to) {
        if complex_part(from).is_some() {
            return Some(complex::convert(e, x, to));
        }
        let re = cast(e, x, from, part)?;
        return Some(complex::create(e, to, re, e.float(part, 0.0)));
    }
    if let Some(part) = complex_part(from) {
        let (re, im) = complex::parts(e, x);
        if is_bool(to) {
            return Some(e.or(cast(e, re, part, to)?, cast(e, im, part, to)?));
        }
        return cast(e, re, part, to);
    }

    match (is_float(from), is_float(to)) {
        (true, true) => Some(float_to_float(e, x, to)),
        (true, false) => float_to_int(e, x, to),
        (false, true) => {
            // `index` counts: it is signed.
            let x = if from.is_index() {
                e.index_cast(x, e.i(64))
            } else {
                x
            };
            let name = if is_unsigned(from) {
                arith::UIToFP::NAME
            } else {
                arith::SIToFP::NAME
            };
            Some(e.to(name, x, to))
        }
        (false, false) => int_to_int(e, x, from, to),
    }
}

fn is_bool(r#type: Type) -> bool {
    IntegerType::try_from(r#type).is_ok_and(|integer| integer.width() == 1)
}

/// Converts between float types.
pub(super) fn float_to_float<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    to: Type<'c>,
) -> Value<'c, 'a> {
    match float_width(x.ty()).cmp(&float_width(to)) {
        std::cmp::Ordering::Less => e.to(arith::ExtF::NAME, x, to),
        std::cmp::Ordering::Equal => x,
        std::cmp::Ordering::Greater => e.to(arith::TruncF::NAME, x, to),
    }
}

/// Truncates to what C compilers' code gives on x86. Signed integers become the least one of 32 or
/// 64 bits where the number is out of range or NaN, of which narrower ones take the low bits. Those
/// without a sign take the low bits of a signed one of 64 bits, and 64 of them saturate above.
fn float_to_int<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    to: Type<'c>,
) -> Option<Value<'c, 'a>> {
    if is_bool(to) {
        return Some(e.cmpf(CmpFloat::UNE, x, e.float(x.ty(), 0.0)));
    }
    if to.is_index() {
        return Some(e.index_cast(truncated(e, x, 64), to));
    }
    let integer = IntegerType::try_from(to).ok()?;
    let width = integer.width();
    if !integer.is_unsigned() {
        let wide = if width <= 32 { 32 } else { 64 };
        return Some(low_bits(e, truncated(e, x, wide), width));
    }
    let signed = truncated(e, x, 64);
    if width < 64 {
        return Some(low_bits(e, signed, width));
    }
    let name = format!("llvm.fptoui.sat.i64.f{}", float_width(x.ty()));
    let is_negative = e.cmpf(CmpFloat::OLT, x, e.float(x.ty(), 0.0));
    let above = e.intrinsic_value(&name, &[x], e.i(64));
    Some(e.select(is_negative, signed, above))
}

/// Truncates to a signed integer, the least one where the number is out of range or NaN: that one
/// is converted in its place, so that no poison arises and the conversion remains one instruction.
fn truncated<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>, width: u32) -> Value<'c, 'a> {
    // The bound isn't a half.
    let x = match float_width(x.ty()) {
        16 => e.to(arith::ExtF::NAME, x, Type::float32(e.context())),
        _ => x,
    };
    let bound = (2.0_f64).powi(width as i32 - 1);
    let magnitude = e.un(math::AbsF::NAME, x);
    let fits = e.cmpf(CmpFloat::OLT, magnitude, e.float(x.ty(), bound));
    let guarded = e.select(e.expect(fits, true), x, e.float(x.ty(), -bound));
    e.to(arith::FPToSI::NAME, guarded, e.i(width))
}

fn low_bits<'c, 'a>(e: &Emit<'_, 'c, 'a>, x: Value<'c, 'a>, width: u32) -> Value<'c, 'a> {
    if x.ty() == e.i(width) {
        return x;
    }
    e.to(arith::TruncI::NAME, x, e.i(width))
}

fn int_to_int<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    from: Type<'c>,
    to: Type<'c>,
) -> Option<Value<'c, 'a>> {
    if is_bool(to) {
        return Some(e.cmpi(CmpInt::Ne, x, e.int(x.ty(), 0)));
    }
    if to.is_index() {
        let name = if is_unsigned(from) {
            arith::IndexCastUI::NAME
        } else {
            arith::IndexCast::NAME
        };
        return Some(e.to(name, x, to));
    }
    let width = IntegerType::try_from(to).ok()?.width();
    let result = e.i(width);
    if from.is_index() {
        return Some(e.to(arith::IndexCast::NAME, x, result));
    }
    let old = IntegerType::try_from(from).ok()?.width();
    Some(match old.cmp(&width) {
        std::cmp::Ordering::Less if is_unsigned(from) => e.to(arith::ExtUI::NAME, x, result),
        std::cmp::Ordering::Less => e.to(arith::ExtSI::NAME, x, result),
        std::cmp::Ordering::Equal => x,
        std::cmp::Ordering::Greater => e.to(arith::TruncI::NAME, x, result),
    })
}
