//! Values in C's calling convention.
//!
//! Narrow integers are passed as `int` is, extended: callers and callees don't agree on who extends
//! them, so both sides do. Of complex numbers those of two doubles are passed as these, those of two
//! floats as the eight bytes that both have, in one register of x86-64.

use super::{
    emit::Emit,
    types::{convert, is_unsigned},
};
use crate::{
    infra::{
        CmpInt, ValueExt,
        ops::{arith, complex},
    },
    types::layout::{complex_part, float_width},
};
use melior::{
    dialect::llvm,
    ir::{Type, Value, r#type::IntegerType},
};

/// The width of C's `int`.
const INT: u32 = 32;

/// The type that a value of a typed type is passed as; none for a type that C functions don't take.
pub(super) fn c_type<'c>(e: &Emit<'_, 'c, '_>, ty: Type<'c>) -> Option<Type<'c>> {
    let [converted] = convert(e.context(), ty)?[..] else {
        return None;
    };
    if let Some(part) = complex_part(converted) {
        return Some(match float_width(part) {
            32 => Type::float64(e.context()),
            _ => llvm::r#type::r#struct(e.context(), &[part, part], false),
        });
    }
    match IntegerType::try_from(converted) {
        Ok(integer) if integer.width() < INT => Some(e.i(INT)),
        _ => Some(converted),
    }
}

/// A converted value as C functions take it.
pub(super) fn to_c<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    ty: Type<'c>,
) -> Value<'c, 'a> {
    if let (Some(part), Some(passed)) = (complex_part(ty), c_type(e, ty)) {
        return match float_width(part) {
            32 => packed(e, value),
            _ => e.reinterpret(value, passed),
        };
    }
    match IntegerType::try_from(value.ty()) {
        Ok(integer) if integer.width() < INT => {
            let extend = match is_unsigned(ty) {
                true => arith::ExtUI::NAME,
                false => arith::ExtSI::NAME,
            };
            e.to(extend, value, e.i(INT))
        }
        _ => value,
    }
}

/// A value from C as the converted form of its typed type. Of a bool the lowest byte counts.
pub(super) fn from_c<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    ty: Type<'c>,
) -> Value<'c, 'a> {
    if let Some(part) = complex_part(ty) {
        return match float_width(part) {
            32 => unpacked(e, value, ty, part),
            _ => e.reinterpret(value, ty),
        };
    }
    let Ok(integer) = IntegerType::try_from(ty) else {
        return value;
    };
    match integer.width() {
        1 => {
            let byte = e.to(arith::TruncI::NAME, value, e.i(8));
            e.cmpi(CmpInt::Ne, byte, e.int(e.i(8), 0))
        }
        width if width < INT => e.to(arith::TruncI::NAME, value, e.i(width)),
        _ => value,
    }
}

/// The bytes of a complex number of two floats as a double.
fn packed<'c, 'a>(e: &Emit<'_, 'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    let bits = |half| {
        let bits = e.to(arith::Bitcast::NAME, half, e.i(32));
        e.to(arith::ExtUI::NAME, bits, e.i(64))
    };
    let real = bits(complex::Re::create(e, value).real());
    let imaginary = bits(complex::Im::create(e, value).imaginary());
    let high = e.bin(arith::ShLI::NAME, imaginary, e.i64(32));
    let both = e.bin(arith::OrI::NAME, high, real);
    e.to(arith::Bitcast::NAME, both, Type::float64(e.context()))
}

/// The complex number of two floats whose bytes a double has.
fn unpacked<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    ty: Type<'c>,
    part: Type<'c>,
) -> Value<'c, 'a> {
    let both = e.to(arith::Bitcast::NAME, value, e.i(64));
    let high = e.bin(arith::ShRUI::NAME, both, e.i64(32));
    let half = |bits| {
        let bits = e.to(arith::TruncI::NAME, bits, e.i(32));
        e.to(arith::Bitcast::NAME, bits, part)
    };
    complex::Create::create(e, half(both), half(high), ty).complex()
}
