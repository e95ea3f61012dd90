//! The types of exceptions and of their classes, where these are known at compile time.

use crate::{
    infra::AttributeExt,
    types::{exception_classes as classes, names, tuples},
};
use melior::{
    Context,
    ir::{Attribute, Type, attribute::StringAttribute},
};
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// The class and the message of an exception that is known at compile time.
pub(crate) fn constant_instance(ty: Type<'_>) -> Option<(Attribute<'_>, Option<&str>)> {
    let TypedType::Literal(parts) = TypedType::from(ty) else {
        return None;
    };
    match parts.elements()?.as_slice() {
        &[class, message] => Some((class, message.string_value())),
        _ => None,
    }
}

/// The exception class that a value is, as operations have it.
pub(crate) fn class<'c>(context: &'c Context, ty: Type<'c>) -> Option<Attribute<'c>> {
    match TypedType::from(ty) {
        TypedType::Named(name) if names::is_exception(name) => {
            Some(StringAttribute::new(context, names::last_part(name)).into())
        }
        TypedType::Literal(value) => match PyAttribute::from(value) {
            PyAttribute::ExceptionClass(names) => Some(names),
            _ => None,
        },
        _ => None,
    }
}

/// What an exception class is called.
pub(crate) fn class_name<'c>(class: Attribute<'c>) -> &'c str {
    let names = classes::names(class);
    let name = names.first().copied().unwrap_or_default();
    let name = name.split('@').next().unwrap_or(name);
    names::last_part(name)
}

/// Whether a value is an exception: one that is known, or any.
pub(crate) fn is_instance(ty: Type) -> bool {
    TypedType::from(ty) == TypedType::Exception || constant_instance(ty).is_some()
}

/// Whether a value is the class of an exception that is known when the program runs.
pub(crate) fn is_class_at_run_time(ty: Type) -> bool {
    let TypedType::Sequence(items, class) = TypedType::from(ty) else {
        return false;
    };
    let items = tuples::elements(items).unwrap_or_default();
    PyAttribute::from(class) == PyAttribute::Named("builtins.type")
        && matches!(items[..], [only] if TypedType::from(only) == TypedType::Exception)
}
