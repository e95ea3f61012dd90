//! Values in C's calling convention.
//!
//! Narrow integers are passed as `int` is, extended: callers and callees don't agree on who extends
//! them, so both sides do.

use super::{
    emit::Emit,
    types::{convert, is_unsigned},
};
use crate::infra::{CmpInt, ValueExt, ops::arith};
use melior::ir::{Type, Value, r#type::IntegerType};

/// The width of C's `int`.
const INT: u32 = 32;

/// The type that a value of a typed type is passed as; none for a type that C functions don't take.
pub(super) fn c_type<'c>(e: &Emit<'_, 'c, '_>, ty: Type<'c>) -> Option<Type<'c>> {
    let [converted] = convert(e.context(), ty)?[..] else {
        return None;
    };
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
