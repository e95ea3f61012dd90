//! The types of lists of fixed length, named tuples, function objects and the host's own types: items of a
//! class.

use crate::infra::AttributeExt;
use melior::ir::Type;
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// The class of lists that nobody changes.
pub(crate) const LIST: &str = "builtins.list";

/// The class of a named tuple or list.
pub(crate) fn class_of(r#type: Type<'_>) -> Option<PyAttribute<'_>> {
    match TypedType::from(r#type) {
        TypedType::Sequence(_, class) => Some(PyAttribute::from(class)),
        _ => None,
    }
}

/// Whether a type is that of lists.
pub(crate) fn is_list(r#type: Type) -> bool {
    class_of(r#type) == Some(PyAttribute::Named(LIST))
}

/// Whether a type is one of the host's own, whose fields are known to its overloads alone: their names
/// begin with a dot.
pub(crate) fn is_own(r#type: Type) -> bool {
    let Some(PyAttribute::NamedTuple(_, _, fields)) = class_of(r#type) else {
        return false;
    };
    let fields = fields.elements().unwrap_or_default();
    let first = fields.first().and_then(|field| field.string_value());
    first.is_some_and(|name| name.starts_with('.'))
}
