//! The types of dicts and sets, which are tables of entries.

use super::lists::{is_nothing, nothing};
use melior::{Context, ir::Type};
use pyopt_dialects::typed::TypedType;

/// What the part of a view is called with that is one of an `OrderedDict`.
pub(crate) const ORDERED: &str = "ordered_";

/// The part of a dict that a view shows, of whatever class the dict is.
pub(crate) fn part_of_view(part: &str) -> &str {
    part.strip_prefix(ORDERED).unwrap_or(part)
}

/// The parts of a dict's or set's type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Table<'c> {
    /// The type of keys, or of a set's items.
    pub key: Type<'c>,
    /// The type of a dict's values.
    pub value: Option<Type<'c>>,
}

impl<'c> Table<'c> {
    /// The parts of a type, if it is a dict's or set's.
    pub fn of(ty: Type<'c>) -> Option<Self> {
        match TypedType::from(ty) {
            TypedType::Dict([key, value]) => Some(Self {
                key,
                value: Some(value),
            }),
            TypedType::Set(key) => Some(Self { key, value: None }),
            _ => None,
        }
    }

    /// A dict or set that nothing was put into yet.
    pub fn empty(context: &'c Context, is_dict: bool) -> Self {
        let key = nothing(context);
        Self {
            key,
            value: is_dict.then_some(key),
        }
    }

    /// The type.
    pub fn to_type(self, context: &'c Context) -> Type<'c> {
        match self.value {
            Some(value) => TypedType::Dict([self.key, value]).to_type(context),
            None => TypedType::Set(self.key).to_type(context),
        }
    }

    /// Whether nothing was ever put into it.
    pub fn is_empty(self) -> bool {
        is_nothing(self.key)
    }

    /// The types of an entry's parts.
    pub fn parts(self) -> impl Iterator<Item = Type<'c>> {
        [Some(self.key), self.value].into_iter().flatten()
    }

    /// The library's name for the class.
    pub fn class(self) -> &'static str {
        match self.value {
            Some(_) => "dict",
            None => "set",
        }
    }
}
