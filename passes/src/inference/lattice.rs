//! The lattice of the type inference: facts about a value, and their join where paths meet.

use crate::types::{join::join_types, tuples};
use melior::{
    Context,
    ir::{Attribute, Type},
};
use pyopt_dialects::typed::TypedType;

/// Limits of type nesting and size, which make the lattice of finite height: only a recursion that
/// returns ever larger types reaches them.
const MAX_DEPTH: usize = 16;
const MAX_PARTS: usize = 10_000;

/// A fact about a value. Facts grow monotonically: from nothing (bottom) over a type to a wider
/// type.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fact<'c> {
    /// The type; `None` at the bottom of the lattice.
    pub ty: Option<Type<'c>>,
    /// The constant value, if it is the same on every path.
    pub literal: Option<Attribute<'c>>,
    /// Whether the variable may be unbound: on some path it has no value.
    pub unbound: bool,
    /// A conflict: types of two paths that have no common supertype.
    pub conflict: Option<(Type<'c>, Type<'c>)>,
}

impl<'c> Fact<'c> {
    /// A local without a value.
    pub const UNBOUND: Self = Self {
        ty: None,
        literal: None,
        unbound: true,
        conflict: None,
    };

    /// A value of a type.
    pub const fn of(ty: Type<'c>) -> Self {
        Self {
            ty: Some(ty),
            literal: None,
            unbound: false,
            conflict: None,
        }
    }

    /// Of an optional what is known of its value, where that isn't None.
    pub fn present(self) -> Option<Self> {
        match TypedType::from(self.ty?) {
            TypedType::Optional(inner) if !self.unbound => Some(Self::of(inner)),
            _ => None,
        }
    }

    /// Whether the type exceeds the limits of nesting and size.
    pub fn is_too_large(&self) -> bool {
        fn fits(ty: Type, depth: usize, parts: &mut usize) -> bool {
            let inner = match (tuples::elements(ty), TypedType::from(ty)) {
                (Some(elements), _) => elements,
                (None, TypedType::Optional(inner) | TypedType::Sequence(inner, _)) => vec![inner],
                _ => return true,
            };
            *parts += inner.len();
            depth < MAX_DEPTH
                && *parts <= MAX_PARTS
                && inner.into_iter().all(|ty| fits(ty, depth + 1, parts))
        }
        self.ty.is_some_and(|ty| !fits(ty, 0, &mut 0))
    }

    /// Whether the fact is bottom.
    pub const fn is_bottom(&self) -> bool {
        self.ty.is_none() && !self.unbound && self.conflict.is_none()
    }

    /// The join of two facts.
    pub fn join(self, context: &'c Context, other: Self) -> Self {
        if self.is_bottom() {
            return other;
        }
        if other.is_bottom() {
            return self;
        }
        let conflict = self.conflict.or(other.conflict);
        let unbound = self.unbound || other.unbound;
        let (ty, conflict) = match (self.ty, other.ty, conflict) {
            (_, _, Some(conflict)) => (None, Some(conflict)),
            (Some(a), Some(b), None) => match join_types(context, a, b) {
                Some(joined) => (Some(joined), None),
                None => (None, Some((a, b))),
            },
            (a, b, None) => (a.or(b), None),
        };
        let same = self.ty == other.ty && self.literal == other.literal;
        Self {
            ty,
            literal: if same { self.literal } else { None },
            unbound,
            conflict,
        }
    }

    /// The type of the value in the typed function; None for values that can't be used.
    pub fn storage(&self, context: &'c Context) -> Type<'c> {
        let none = TypedType::None.to_type(context);
        let ty = self.ty.unwrap_or(none);
        if self.unbound && self.conflict.is_none() {
            TypedType::Unbound(ty).to_type(context)
        } else {
            ty
        }
    }
}
