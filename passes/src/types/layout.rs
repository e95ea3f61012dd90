//! The layout of values: the sizes of elements, the parts of structures, the slots of arguments.

use melior::ir::{
    Type, TypeLike,
    r#type::{IntegerType, TupleType},
};
use pyopt_dialects::{
    records::Record,
    times::Time,
    typed::{ArrayType, Layout, TypedType},
};

/// The element types of a tuple, named tuple or list.
pub(crate) fn tuple_elements<'c>(r#type: Type<'c>) -> Option<Vec<Type<'c>>> {
    if let TypedType::Sequence(items, _) = TypedType::from(r#type) {
        return tuple_elements(items);
    }
    let tuple = TupleType::try_from(r#type).ok()?;
    Some(
        (0..tuple.type_count())
            .filter_map(|index| tuple.r#type(index).ok())
            .collect(),
    )
}

/// The types of the parts that a value is made of, in order.
pub(crate) fn parts_of<'c>(r#type: Type<'c>) -> Option<Vec<Type<'c>>> {
    match TypedType::from(r#type) {
        TypedType::Range(element) => Some(vec![element; 3]),
        TypedType::Slice(parts) => Some(parts.to_vec()),
        TypedType::Method(receiver, _) => Some(vec![receiver]),
        _ => tuple_elements(r#type),
    }
}

/// The float type in a complex type.
pub(crate) fn complex_part<'c>(r#type: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: the kind is checked before the accessor is used.
    unsafe {
        mlir_sys::mlirTypeIsAComplex(r#type.to_raw())
            .then(|| Type::from_raw(mlir_sys::mlirComplexTypeGetElementType(r#type.to_raw())))
    }
}

/// Bytes an element takes in memory.
pub(crate) fn element_size(element: Type) -> i64 {
    if let Some(part) = complex_part(element) {
        return 2 * element_size(part);
    }
    if let Some(record) = Record::of(element) {
        return record.size;
    }
    match IntegerType::try_from(element) {
        Ok(integer) => i64::from(integer.width().max(8) / 8),
        Err(_) if Time::of(element).is_some() => 8,
        Err(_) => float_width(element) / 8,
    }
}

/// The factor that converts an array's strides to bytes.
pub(crate) fn stride_unit(array: ArrayType) -> i64 {
    match array.layout {
        Layout::Bytes => 1,
        _ => element_size(array.element),
    }
}

/// Bits of a float type.
pub(crate) fn float_width(r#type: Type) -> i64 {
    // SAFETY: any type may be asked for its kind.
    unsafe {
        if mlir_sys::mlirTypeIsAF64(r#type.to_raw()) {
            64
        } else if mlir_sys::mlirTypeIsAF32(r#type.to_raw()) {
            32
        } else {
            16
        }
    }
}

/// How many slots a value of a typed type takes.
pub(crate) fn slot_count(r#type: Type) -> usize {
    if let Some(elements) = parts_of(r#type) {
        return elements.into_iter().map(slot_count).sum();
    }
    if complex_part(r#type).is_some() {
        return 2;
    }
    match TypedType::from(r#type) {
        TypedType::Array(array) => 2 + 2 * array.rank,
        TypedType::Str | TypedType::Bytes => 4,
        TypedType::Exception => 2,
        TypedType::Optional(inner) | TypedType::Unbound(inner) => slot_count(inner) + 1,
        TypedType::Generator(..) => 1,
        TypedType::List(_)
        | TypedType::Dict(_)
        | TypedType::Set(_)
        | TypedType::DictView(..)
        | TypedType::Pointer(_)
        | TypedType::CFunction(_) => 1,
        TypedType::Other(_) => 1,
        _ => 0,
    }
}

/// How many words a value takes in the state, its owners aside.
pub(crate) fn state_words(ty: Type) -> usize {
    match TypedType::from(ty) {
        TypedType::Exception => 1,
        _ => slot_count(ty),
    }
}
