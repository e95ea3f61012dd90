//! The types of lists: mutable ones, whose items have one type, and those that nobody changes, which
//! are [sequences](super::sequences).

use crate::types::sequences;
use melior::{
    Context,
    ir::{Type, TypeLike},
};
use pyopt_dialects::typed::TypedType;

/// Whether a type is that of lists, mutable or not.
pub(crate) fn is_any_list(ty: Type) -> bool {
    list_item(ty).is_some() || sequences::is_list(ty)
}

/// The item type of a mutable list.
pub(crate) fn list_item(ty: Type<'_>) -> Option<Type<'_>> {
    match TypedType::from(ty) {
        TypedType::List(item) => Some(item),
        _ => None,
    }
}

/// The item type of a list that nothing has been put into yet.
pub(crate) fn nothing(context: &Context) -> Type<'_> {
    Type::none(context)
}

/// Whether the item type of a list is still unknown.
pub(crate) fn is_nothing(item: Type) -> bool {
    item.is_none()
}

/// A list's type.
pub(crate) fn list_of<'c>(context: &'c Context, item: Type<'c>) -> Type<'c> {
    TypedType::List(item).to_type(context)
}

/// How deep lists, dicts and sets are nested in a type.
pub(crate) fn depth(ty: Type) -> usize {
    match TypedType::from(ty) {
        TypedType::List(item) | TypedType::Set(item) => 1 + depth(item),
        TypedType::Dict([key, value]) => 1 + depth(key).max(depth(value)),
        _ => 0,
    }
}
