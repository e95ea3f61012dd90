//! The types that cross the border between Python and compiled code.
//!
//! The compiler and the host name types alike: [`text`] has their form in the `typed` dialect.

mod arguments;
mod text;

use serde::{Deserialize, Serialize};

pub use crate::elem::{Elem, Kind};
pub use arguments::{ArgumentTypes, shown};

/// How an array's elements lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Layout {
    /// Row-major and contiguous.
    C,
    /// Column-major and contiguous.
    F,
    /// Any strides that are whole elements.
    A,
    /// Any strides at all, in bytes, and any alignment.
    Bytes,
}

/// Every layout, in the order of their discriminants.
pub const LAYOUTS: [Layout; 4] = [Layout::C, Layout::F, Layout::A, Layout::Bytes];

impl Layout {
    /// The name in the `typed` dialect.
    pub fn text(self) -> &'static str {
        match self {
            Layout::C => "C",
            Layout::F => "F",
            Layout::A => "A",
            Layout::Bytes => "bytes",
        }
    }
}

/// The type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayType {
    /// Type of the elements.
    pub elem: Elem,
    /// Number of dimensions.
    pub ndim: u8,
    /// Order in memory.
    pub layout: Layout,
    /// Whether writing is forbidden.
    pub readonly: bool,
}

/// The class of a sequence that is no tuple.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(into = "String")]
pub enum Class {
    /// Python's lists.
    List,
    /// Named tuples.
    Named {
        /// The number of the class in this process.
        slot: u32,
        /// What tells it from others of the same name and fields.
        number: u32,
        /// Its name.
        name: String,
        /// Its fields.
        fields: Vec<String>,
    },
}

/// The type of a value that Python and compiled code exchange. It is kept on disk as its text, which has
/// no number of this process.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TypeDesc {
    /// A number, truth value or time.
    Scalar(Elem),
    /// A NumPy array.
    Array(ArrayType),
    /// A tuple of anything.
    Tuple(Vec<TypeDesc>),
    /// A slice: the types of its start, stop and step.
    Slice(Box<[TypeDesc; 3]>),
    /// A range, and the type of its items.
    Range(Elem),
    /// A named tuple, or a list that compiled code made: its class and the types of its items.
    Sequence(Class, Vec<TypeDesc>),
    /// Python's `...`; it takes no slot.
    Ellipsis,
    /// Text, borrowed as CPython stores it.
    Str,
    /// Bytes, borrowed as CPython stores them.
    Bytes,
    /// Python's `None`; it takes no slot.
    None,
    /// An exception that Python code is told of: the owner of its arguments, and its id.
    Exception,
    /// A NumPy dtype as a value; it takes no slot.
    Dtype(Elem),
    /// An object of which the class is known, by its number; it takes no slot.
    Instance(u32),
    /// A function, by its number; it takes no slot.
    Function(u32),
    /// One of several functions, chosen at run time: its position, and behind it the addresses of those that
    /// have one.
    Choice(Vec<TypeDesc>),
    /// A list that may change, and the type of its items if something is ever put into it.
    List(Option<Box<TypeDesc>>),
    /// A dict, and the types of its keys and values if something is ever put into it.
    Dict(Option<Box<[TypeDesc; 2]>>),
    /// A set, and the type of its items if something is ever put into it.
    Set(Option<Box<TypeDesc>>),
    /// A pointer or a C function, by the number of its type.
    Address(u32),
    /// A value or `None`; the slot behind the value's says whether there is one.
    Optional(Box<TypeDesc>),
    /// An argument that code is compiled for the value of, of a text by its number; it has its slots all the
    /// same.
    Literal(LiteralKind, i64),
}

/// What an argument with a known value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// An int.
    Int,
    /// A truth value.
    Bool,
    /// A text.
    Text,
}

impl LiteralKind {
    /// The type that the argument has otherwise.
    pub fn plain(self) -> &'static TypeDesc {
        match self {
            LiteralKind::Int => &TypeDesc::Scalar(Elem::I64),
            LiteralKind::Bool => &TypeDesc::Scalar(Elem::Bool),
            LiteralKind::Text => &TypeDesc::Str,
        }
    }
}

/// Every kind, in the order of their discriminants.
pub const LITERAL_KINDS: [LiteralKind; 3] =
    [LiteralKind::Int, LiteralKind::Bool, LiteralKind::Text];

impl TypeDesc {
    /// How many 8-byte slots a value of this type takes in the entry's buffers.
    pub fn slots(&self) -> usize {
        match self {
            TypeDesc::Scalar(elem) => 1 + usize::from(elem.kind() == Kind::Complex),
            TypeDesc::Array(array) => 2 + 2 * usize::from(array.ndim),
            TypeDesc::Tuple(items) => items.iter().map(TypeDesc::slots).sum(),
            TypeDesc::Slice(parts) => parts.iter().map(TypeDesc::slots).sum(),
            TypeDesc::Range(_) => 3,
            TypeDesc::Sequence(_, items) => items.iter().map(TypeDesc::slots).sum(),
            TypeDesc::Choice(functions) => 1 + functions.iter().map(TypeDesc::slots).sum::<usize>(),
            TypeDesc::Literal(kind, _) => kind.plain().slots(),
            TypeDesc::Str | TypeDesc::Bytes => 4,
            TypeDesc::Exception => 2,
            TypeDesc::List(_) | TypeDesc::Dict(_) | TypeDesc::Set(_) | TypeDesc::Address(_) => 1,
            TypeDesc::Optional(inner) => inner.slots() + 1,
            TypeDesc::None
            | TypeDesc::Ellipsis
            | TypeDesc::Dtype(_)
            | TypeDesc::Instance(_)
            | TypeDesc::Function(_) => 0,
        }
    }

    /// Whether this is a list, dict or set without items, or has one in it.
    pub fn has_empty(&self) -> bool {
        let mut found = false;
        self.walk(&mut |part| {
            found |= matches!(
                part,
                TypeDesc::List(None) | TypeDesc::Dict(None) | TypeDesc::Set(None)
            );
        });
        found
    }

    /// The type of which values of both are, where one has items and the other one none; `None` if they differ
    /// otherwise.
    pub fn joined(&self, other: &TypeDesc) -> Option<TypeDesc> {
        let all = |own: &[TypeDesc], others: &[TypeDesc]| {
            let pairs = own.iter().zip(others).map(|(x, y)| x.joined(y));
            pairs
                .collect::<Option<Vec<_>>>()
                .filter(|_| own.len() == others.len())
        };
        match (self, other) {
            (own, other) if own.is_filled_by(other) => Some(other.clone()),
            (own, other) if other.is_filled_by(own) => Some(own.clone()),
            (TypeDesc::List(Some(own)), TypeDesc::List(Some(other))) => {
                Some(TypeDesc::List(Some(Box::new(own.joined(other)?))))
            }
            (TypeDesc::Dict(Some(own)), TypeDesc::Dict(Some(other))) => {
                let parts: [TypeDesc; 2] = all(&own[..], &other[..])?.try_into().ok()?;
                Some(TypeDesc::Dict(Some(Box::new(parts))))
            }
            (TypeDesc::Optional(own), TypeDesc::Optional(other)) => {
                Some(TypeDesc::Optional(Box::new(own.joined(other)?)))
            }
            (TypeDesc::Tuple(own), TypeDesc::Tuple(others)) => {
                Some(TypeDesc::Tuple(all(own, others)?))
            }
            _ => None,
        }
    }

    /// Whether a type is this one with items where this has none.
    pub fn is_filled_by(&self, other: &TypeDesc) -> bool {
        let all = |own: &[TypeDesc], others: &[TypeDesc]| {
            own.len() == others.len() && own.iter().zip(others).all(|(x, y)| x.is_filled_by(y))
        };
        match (self, other) {
            (TypeDesc::List(None), TypeDesc::List(_))
            | (TypeDesc::Dict(None), TypeDesc::Dict(_))
            | (TypeDesc::Set(None), TypeDesc::Set(_)) => true,
            (TypeDesc::List(Some(own)), TypeDesc::List(Some(other)))
            | (TypeDesc::Set(Some(own)), TypeDesc::Set(Some(other)))
            | (TypeDesc::Optional(own), TypeDesc::Optional(other)) => own.is_filled_by(other),
            (TypeDesc::Dict(Some(own)), TypeDesc::Dict(Some(other))) => all(&own[..], &other[..]),
            (TypeDesc::Tuple(own), TypeDesc::Tuple(others)) => all(own, others),
            (own, other) => own == other,
        }
    }

    /// Calls `visit` with the type and each of its parts, the outer ones first.
    pub fn walk(&self, visit: &mut impl FnMut(&TypeDesc)) {
        visit(self);
        let parts: &[TypeDesc] = match self {
            TypeDesc::Tuple(items) | TypeDesc::Sequence(_, items) | TypeDesc::Choice(items) => {
                items
            }
            TypeDesc::Slice(parts) => &**parts,
            TypeDesc::Dict(Some(parts)) => &**parts,
            TypeDesc::List(Some(part)) | TypeDesc::Set(Some(part)) | TypeDesc::Optional(part) => {
                std::slice::from_ref(part)
            }
            TypeDesc::Scalar(_)
            | TypeDesc::Array(_)
            | TypeDesc::Range(_)
            | TypeDesc::Ellipsis
            | TypeDesc::Str
            | TypeDesc::Bytes
            | TypeDesc::None
            | TypeDesc::Exception
            | TypeDesc::Dtype(_)
            | TypeDesc::Instance(_)
            | TypeDesc::Function(_)
            | TypeDesc::List(None)
            | TypeDesc::Dict(None)
            | TypeDesc::Set(None)
            | TypeDesc::Address(_)
            | TypeDesc::Literal(..) => &[],
        };
        for part in parts {
            part.walk(visit);
        }
    }

    /// The type that a literal's value has otherwise, and any other type as it is.
    pub fn unliteral(&self) -> &TypeDesc {
        match self {
            TypeDesc::Literal(kind, _) => kind.plain(),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_follow_the_calling_convention() {
        let slots = |text: &str| TypeDesc::parse(text).unwrap().slots();
        assert_eq!(slots("f16"), 1);
        assert_eq!(slots("complex<f32>"), 2);
        assert_eq!(slots("!typed.none"), 0);
        assert_eq!(slots("!typed.str"), 4);
        assert_eq!(slots("!typed.optional<complex<f64>>"), 3);
        assert_eq!(slots("!typed.slice<si64, !typed.none, si64>"), 2);
        assert_eq!(slots("!typed.array<0, f64, C>"), 2);
        assert_eq!(slots("tuple<!typed.array<3, f64, F>, si8, tuple<>>"), 9);
    }
}
