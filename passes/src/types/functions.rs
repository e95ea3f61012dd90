//! The types of functions that are values.

use crate::{infra::AttributeExt, types::sequences};
use melior::ir::{Type, r#type::FunctionType};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// The function of a closure.
pub(crate) fn function(ty: Type<'_>) -> Option<&str> {
    match sequences::class_of(ty)? {
        PyAttribute::Function(symbol) => Some(symbol),
        _ => None,
    }
}

/// The types of the values of free variables of two closures of one function.
pub(crate) fn values_of_both<'c>(one: Type<'c>, other: Type<'c>) -> Option<[Type<'c>; 2]> {
    function(one).filter(|own| function(other) == Some(own))?;
    match [one, other].map(TypedType::from) {
        [TypedType::Sequence(x, _), TypedType::Sequence(y, _)] => Some([x, y]),
        _ => None,
    }
}

/// Whether a sequence is a function: a closure, one that is chosen at run time, or one of a signature.
pub(crate) fn is_function(ty: Type) -> bool {
    match sequences::class_of(ty) {
        Some(PyAttribute::Function(_)) => true,
        Some(PyAttribute::Other(class)) => class.elements().is_some() || signature(ty).is_some(),
        _ => false,
    }
}

/// The signature of functions of which no more is known: the host has them, and a value is the address
/// by which it finds one.
pub(crate) fn signature(ty: Type<'_>) -> Option<FunctionType<'_>> {
    let TypedType::Sequence(_, class) = TypedType::from(ty) else {
        return None;
    };
    FunctionType::try_from(class.type_value()?).ok()
}
