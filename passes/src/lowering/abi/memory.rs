//! Values in the memory that the parts of a launch share.

use crate::{
    infra::ValueExt,
    lowering::{
        emit::Emit,
        types::{descriptor, memref_rank},
    },
    types::layout::complex_part,
};
use melior::{
    dialect::llvm,
    ir::{Type, TypeLike, Value},
};

/// The LLVM type that a value is stored as.
pub(super) fn memory_type<'c>(e: &Emit<'_, 'c, '_>, r#type: Type<'c>) -> Type<'c> {
    if let Some(rank) = memref_rank(r#type) {
        descriptor(e.context(), rank)
    } else if let Some(part) = complex_part(r#type) {
        llvm::r#type::r#struct(e.context(), &[part, part], false)
    } else if r#type.is_index() {
        e.i(64)
    } else {
        r#type
    }
}

/// A value converted to the type that it is stored as.
pub(super) fn to_memory<'c, 'a>(e: &Emit<'_, 'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    if value.ty().is_index() {
        return e.index_cast(value, e.i(64));
    }
    e.reinterpret(value, memory_type(e, value.ty()))
}

/// A value out of memory.
pub(super) fn from_memory<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Value<'c, 'a> {
    if r#type.is_index() {
        return e.index_cast(value, r#type);
    }
    e.reinterpret(value, r#type)
}
