//! The types of lists of fixed length, named tuples, function objects and the host's own types: items of a
//! class.

use crate::{infra::AttributeExt, types::number::Number};
use melior::ir::{Type, r#type::TupleType};
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

/// The names of the keywords that a value of a type holds: one for each item.
pub(crate) fn keyword_names(r#type: Type<'_>) -> Option<Vec<&str>> {
    let Some(PyAttribute::Keywords(names)) = class_of(r#type) else {
        return None;
    };
    let names = names.elements().unwrap_or_default().into_iter();
    Some(names.filter_map(AttributeExt::string_value).collect())
}

/// Whether a type is one of the host's own, whose fields are known to its overloads alone: their names
/// begin with a dot.
pub(crate) fn is_own(r#type: Type) -> bool {
    first_field(r#type).is_some_and(|name| name.starts_with('.'))
}

/// Whether a type is of a class of the program's that may say itself how its values are compared and
/// hashed: a named tuple's, or one of the host's own types.
pub(crate) fn may_define_operators(r#type: Type) -> bool {
    first_field(r#type).is_some()
}

/// The name of the first field of a named tuple or of a value of an own type.
fn first_field(r#type: Type<'_>) -> Option<&str> {
    let Some(PyAttribute::NamedTuple(_, _, fields)) = class_of(r#type) else {
        return None;
    };
    fields.elements()?.first()?.string_value()
}

/// The type of the one field of an own type's values whose name begins so.
fn field_named<'c>(r#type: Type<'c>, head: &str) -> Option<Type<'c>> {
    let TypedType::Sequence(items, _) = TypedType::from(r#type) else {
        return None;
    };
    first_field(r#type).filter(|name| name.starts_with(head))?;
    TupleType::try_from(items).ok()?.r#type(0).ok()
}

/// What a value of an own type holds, where operations take it as that: of a member of an enumeration of
/// ints or texts the int or text.
pub(crate) fn held(r#type: Type<'_>) -> Option<Type<'_>> {
    field_named(r#type, ".=")
}

/// The type of the number of a member of an enumeration, which is compared and hashed by it.
pub(crate) fn member_number(r#type: Type<'_>) -> Option<Type<'_>> {
    field_named(r#type, ".&member")
}

/// Whether a type is that of references to structures.
pub(crate) fn is_structure(r#type: Type) -> bool {
    field_named(r#type, ".&structure").is_some()
}

/// Whether a type is that of a typed container of which nobody knows yet what it holds.
pub(crate) fn is_open_container(r#type: Type) -> bool {
    field_named(r#type, ".&structure.open").is_some()
}

/// The type of the items of a tuple of any length, which the package has as a list that nothing changes.
pub(crate) fn long_tuple_item(r#type: Type<'_>) -> Option<Type<'_>> {
    let memory = field_named(r#type, ".&structure.tuple")?;
    let TypedType::List(fields) = TypedType::from(memory) else {
        return None;
    };
    match TypedType::from(TupleType::try_from(fields).ok()?.r#type(0).ok()?) {
        TypedType::List(item) => Some(item),
        _ => None,
    }
}

/// Whether a type is that of global containers, which nothing changes.
pub(crate) fn is_constant_container(r#type: Type) -> bool {
    field_named(r#type, ".&structure.constant").is_some()
}

/// Whether a type is that of typed containers: structures of a list, dict or set. A field that refers to
/// another structure is a list of no type there.
pub(crate) fn is_container(r#type: Type) -> bool {
    let Some(TypedType::List(fields)) = field_named(r#type, ".&structure").map(TypedType::from)
    else {
        return false;
    };
    let held = TupleType::try_from(fields).and_then(|fields| fields.r#type(0));
    held.is_ok_and(|held| match TypedType::from(held) {
        TypedType::Dict(_) | TypedType::Set(_) => true,
        TypedType::List(item) => {
            TupleType::try_from(item).map_or(true, |items| items.type_count() > 0)
        }
        _ => false,
    })
}

/// The number that a value is or holds.
pub(crate) fn held_number(r#type: Type) -> Option<Number> {
    Number::of(held(r#type).unwrap_or(r#type))
}

/// The text that a value is or holds.
pub(crate) fn held_text(r#type: Type<'_>) -> Option<Type<'_>> {
    let text = held(r#type).unwrap_or(r#type);
    (TypedType::from(text) == TypedType::Str).then_some(text)
}

/// Whether a type is one of the host's own that has one value, such as that of an enumeration.
pub(crate) fn has_one_value(r#type: Type) -> bool {
    first_field(r#type) == Some(".")
}
