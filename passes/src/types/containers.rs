//! Types whose values hold values of other types: containers, and what refers to them.

use super::tuples::elements;
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;

/// The types of what a value of a type holds or refers to.
pub(crate) fn held_types<'c>(ty: Type<'c>) -> Vec<Type<'c>> {
    match TypedType::from(ty) {
        TypedType::List(inner)
        | TypedType::Set(inner)
        | TypedType::Optional(inner)
        | TypedType::Unbound(inner)
        // Also the fields of structures, which aren't elements that programs unpack.
        | TypedType::Sequence(inner, _)
        | TypedType::Generator(_, inner)
        | TypedType::Iter(inner)
        | TypedType::Zip(inner)
        | TypedType::Enumerate(inner)
        | TypedType::Reversed(inner)
        | TypedType::DictView(inner, _)
        | TypedType::Method(inner, _) => vec![inner],
        TypedType::Dict([key, value]) => vec![key, value],
        _ => elements(ty).unwrap_or_default(),
    }
}

/// Whether a type is that of lists, dicts, sets or structures.
pub(crate) fn is_changeable(ty: Type) -> bool {
    matches!(
        TypedType::from(ty),
        TypedType::List(_) | TypedType::Dict(_) | TypedType::Set(_)
    )
}

/// Whether values of a type may hold, or be, what can be changed.
pub(crate) fn holds_changeable(ty: Type) -> bool {
    is_changeable(ty) || is_opaque(ty) || held_types(ty).into_iter().any(holds_changeable)
}

/// Whether values of a type may hold, or be, values of another one.
pub(crate) fn may_hold(outer: Type, inner: Type) -> bool {
    outer == inner
        || is_opaque(outer)
        || (is_opaque(inner) && holds_changeable(outer))
        || held_types(outer)
            .into_iter()
            .any(|held| may_hold(held, inner))
}

/// Whether a type doesn't tell what its values hold: those of generators, and of the fields of
/// structures that refer to others, which are lists of tuples of nothing.
pub(crate) fn is_opaque(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::Generator(..) => true,
        TypedType::List(item) => elements(item).is_some_and(|items| items.is_empty()),
        _ => false,
    }
}
