//! What the passes on ownership agree on.

use melior::ir::{Type, r#type::TupleType};
use pyopt_dialects::typed::TypedType;

/// Whether a value of a type holds references to owners.
pub(super) fn owns(r#type: Type) -> bool {
    match TypedType::from(r#type) {
        TypedType::Array(_) | TypedType::List(_) | TypedType::Exception => true,
        TypedType::Unbound(inner) | TypedType::Optional(inner) | TypedType::Sequence(inner, _) => {
            owns(inner)
        }
        TypedType::Other(_) => TupleType::try_from(r#type).is_ok_and(|tuple| {
            (0..tuple.type_count()).any(|index| tuple.r#type(index).is_ok_and(owns))
        }),
        _ => false,
    }
}

/// Whether an operation's result is the array it gets, seen in another way.
pub(crate) fn is_view(name: &str) -> bool {
    matches!(
        name,
        "typed.view"
            | "typed.transpose"
            | "typed.reshape"
            | "typed.reinterpret"
            | "typed.with_shape"
    )
}
