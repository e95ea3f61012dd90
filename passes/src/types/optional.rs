//! The types of optionals.

use crate::types::{choices::is_choice, number::is_scalar, sequences::is_own, tuples};
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;

/// Whether a type is an optional.
pub(crate) fn is_optional(ty: Type) -> bool {
    matches!(TypedType::from(ty), TypedType::Optional(_))
}

/// The type of the value, where there is one.
pub(crate) fn value_type(ty: Type<'_>) -> Option<Type<'_>> {
    match TypedType::from(ty) {
        TypedType::None => None,
        TypedType::Optional(inner) => Some(inner),
        _ => Some(ty),
    }
}

/// Whether a value of a type can be looked at where there is none: it refers to no memory, or to none of its
/// length of 0.
pub(crate) fn is_seen_when_absent(ty: Type) -> bool {
    if let Some(elements) = tuples::elements(ty) {
        return elements.into_iter().all(is_seen_when_absent);
    }
    is_scalar(ty)
        || matches!(
            TypedType::from(ty),
            TypedType::None | TypedType::Str | TypedType::Bytes | TypedType::Range(_)
        )
}

/// Whether None can take the place of a value of a type: of data, not of what has a meaning at
/// compile time only.
pub(crate) fn can_be_absent(ty: Type) -> bool {
    if let Some(elements) = tuples::elements(ty) {
        return elements.into_iter().all(|element| {
            matches!(
                TypedType::from(element),
                TypedType::None | TypedType::Optional(_)
            ) || can_be_absent(element)
        });
    }
    if let TypedType::Sequence(fields, _) = TypedType::from(ty)
        && is_own(ty)
    {
        return can_be_absent(fields);
    }
    is_scalar(ty)
        || is_choice(ty)
        || matches!(
            TypedType::from(ty),
            TypedType::Array(_)
                | TypedType::List(_)
                | TypedType::Dict(_)
                | TypedType::Set(_)
                | TypedType::Str
                | TypedType::Bytes
                | TypedType::Range(_)
                | TypedType::Pointer(_)
        )
}
