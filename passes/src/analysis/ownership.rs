//! Types whose values hold references to owners of memory: what reference counting is about.

use melior::ir::{Type, r#type::TupleType};
use pyopt_dialects::typed::TypedType;

/// On operations that read a value out of what keeps it, or write one there: no reference is taken, since
/// another one keeps the value alive while it is used.
pub(crate) const BORROWED: &str = "borrowed";

/// On operations that put values into containers: these get the references that the function had.
pub(crate) const HANDED_OVER: &str = "handed_over";

/// Whether a value of a type holds references to owners.
pub(crate) fn owns(r#type: Type) -> bool {
    owners(r#type) > 0
}

/// How many references to owners a value of a type holds.
pub(crate) fn owners(r#type: Type) -> usize {
    match TypedType::from(r#type) {
        TypedType::Array(_)
        | TypedType::List(_)
        | TypedType::Dict(_)
        | TypedType::Set(_)
        | TypedType::DictView(..)
        | TypedType::Str
        | TypedType::Bytes
        | TypedType::Exception
        | TypedType::Generator(..) => 1,
        TypedType::Unbound(inner) | TypedType::Optional(inner) | TypedType::Sequence(inner, _) => {
            owners(inner)
        }
        TypedType::Other(_) => TupleType::try_from(r#type).map_or(0, |tuple| {
            let elements = (0..tuple.type_count()).filter_map(|index| tuple.r#type(index).ok());
            elements.map(owners).sum()
        }),
        _ => 0,
    }
}
