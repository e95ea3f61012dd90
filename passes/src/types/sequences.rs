//! The types of lists of fixed length, named tuples and function objects: items of a class.

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
