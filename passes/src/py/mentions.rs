//! Which functions bindings, defaults and types mention.

use crate::{
    infra::{AttributeExt, dictionary_entry, ops::py},
    types::tuples,
};
use melior::ir::{Attribute, OperationRef, Type};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// What the names of modules and their attributes begin with, in bindings of what functions import.
pub(crate) const IMPORTED: &str = "<import>.";

/// The functions that a value known at compile time is, or has in it.
pub(crate) fn in_value<'c>(value: Attribute<'c>) -> Vec<&'c str> {
    match PyAttribute::from(value) {
        PyAttribute::Function(symbol) | PyAttribute::Stencil(symbol, _) => vec![symbol],
        PyAttribute::TupleOf(_, items) => in_value(items),
        PyAttribute::Declared(value, _) => in_value(value),
        PyAttribute::Other(other) => {
            let items = other.elements().unwrap_or_default().into_iter();
            items.flat_map(in_value).collect()
        }
        _ => Vec::new(),
    }
}

/// The functions that the defaults of a `py.func` are.
pub(crate) fn in_defaults<'c>(function: OperationRef<'c, '_>) -> Vec<&'c str> {
    let Some(function) = py::Func::of(function) else {
        return Vec::new();
    };
    let defaults = function.defaults().unwrap_or_default().into_iter();
    let mut found: Vec<_> = defaults.flat_map(in_value).collect();
    if let Some(defaults) = function.kwdefaults() {
        let names = function.arg_names().into_iter();
        let names = names.filter_map(AttributeExt::string_value);
        let values = names.filter_map(|name| dictionary_entry(defaults, name));
        found.extend(values.flat_map(in_value));
    }
    found
}

/// The functions that an argument of a type is.
pub(crate) fn in_type(ty: Type<'_>) -> Vec<&str> {
    match TypedType::from(ty) {
        TypedType::Function(symbol) => vec![symbol],
        _ => {
            let items = tuples::elements(ty).unwrap_or_default().into_iter();
            items.flat_map(in_type).collect()
        }
    }
}
