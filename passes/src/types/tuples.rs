//! The types of tuples.

use crate::types::{functions, sequences};
use melior::ir::{Type, r#type::TupleType};
use pyopt_dialects::typed::TypedType;

/// The element types of a tuple, named tuple or list, `None` for any other type.
pub(crate) fn elements(r#type: Type<'_>) -> Option<Vec<Type<'_>>> {
    if let TypedType::Sequence(items, _) = TypedType::from(r#type) {
        let is_opaque = functions::is_function(r#type)
            || sequences::is_own(r#type)
            || sequences::keyword_names(r#type).is_some();
        if is_opaque {
            return None;
        }
        return elements(items);
    }
    let tuple = TupleType::try_from(r#type).ok()?;
    (0..tuple.type_count())
        .map(|index| tuple.r#type(index).ok())
        .collect()
}
