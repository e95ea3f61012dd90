//! Types and Python's objects.

use crate::{
    infra::{AttributeExt, dictionary_entry},
    types::{
        lists::is_nothing,
        number::Number,
        sequences,
        tables::{ORDERED, part_of_view},
        tuples,
    },
};
use melior::{
    Context,
    ir::{
        Attribute, Type,
        attribute::{ArrayAttribute, StringAttribute},
    },
};
use pyopt_dialects::{py::PyAttribute, times::Time, typed::TypedType};

/// The names of the class of an object, of which nothing else is known, and of its bases.
pub(crate) fn instance_of(ty: Type<'_>) -> Option<Vec<&str>> {
    let TypedType::Literal(value) = TypedType::from(ty) else {
        return None;
    };
    let names = dictionary_entry(value, "mro")?.elements()?.into_iter();
    Some(names.filter_map(AttributeExt::string_value).collect())
}

/// Whether a value of a type can become an object of which a text is made, with what it holds at that time.
pub(crate) fn has_text(ty: Type) -> bool {
    if let Some(elements) = tuples::elements(ty) {
        return elements.into_iter().all(has_text);
    }
    match TypedType::from(ty) {
        TypedType::Optional(inner) => has_text(inner),
        TypedType::List(item) | TypedType::Set(item) => is_nothing(item) || has_text(item),
        TypedType::Dict([key, value]) => {
            is_nothing(key) && is_nothing(value) || has_text(key) && has_text(value)
        }
        TypedType::Sequence(..) => sequences::is_own(ty),
        // Classes and functions of modules are asked from there.
        TypedType::Named(_) => true,
        _ => has_object(ty) || Time::of(ty).is_some(),
    }
}

/// The class of the view of a dict, with the field that holds the dict: what the host knows how to make.
pub(crate) fn class_of_view<'c>(context: &'c Context, part: &str) -> Attribute<'c> {
    let head = if part.starts_with(ORDERED) {
        "odict"
    } else {
        "dict"
    };
    let name = format!("{head}_{}", part_of_view(part));
    let field = StringAttribute::new(context, ".viewed").into();
    let fields = ArrayAttribute::new(context, &[field]).into();
    PyAttribute::NamedTuple(&name, 0, fields).to_attribute(context)
}

/// Whether a value of a type is an object in Python.
pub(crate) fn has_object(ty: Type) -> bool {
    if let Some(elements) = tuples::elements(ty) {
        return elements.into_iter().all(has_object);
    }
    let known = TypedType::from(ty);
    matches!(
        known,
        TypedType::Array(_)
            | TypedType::Str
            | TypedType::Bytes
            | TypedType::None
            | TypedType::Range(_)
    ) || Number::of(ty).is_some()
}

/// Whether values of a type are compared and hashed by what they are, without code of a class: numbers,
/// texts, bytes, and tuples of such.
pub(crate) fn is_plain(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::Str | TypedType::Bytes => true,
        TypedType::Sequence(..) => false,
        _ => {
            Number::of(ty).is_some()
                || tuples::elements(ty).is_some_and(|items| items.into_iter().all(is_plain))
        }
    }
}
