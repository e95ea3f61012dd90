//! The types of functions that are values.

use crate::{infra::AttributeExt, types::sequences};
use melior::ir::Type;
use pyopt_dialects::py::PyAttribute;

/// The function of a closure.
pub(crate) fn function(ty: Type<'_>) -> Option<&str> {
    match sequences::class_of(ty)? {
        PyAttribute::Function(symbol) => Some(symbol),
        _ => None,
    }
}

/// Whether a sequence is a function: a closure, or one that is chosen at run time.
pub(crate) fn is_function(ty: Type) -> bool {
    match sequences::class_of(ty) {
        Some(PyAttribute::Function(_)) => true,
        Some(PyAttribute::Other(class)) => class.elements().is_some(),
        _ => false,
    }
}
