//! Types of the `typed` dialect: constructors, and [`TypedType`] to match on.

use crate::{ffi, records::Record};
use melior::{
    Context, StringRef,
    ir::{Attribute, AttributeLike, Type, TypeLike},
};

/// How the elements of an array lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layout {
    /// Contiguous, the last dimension fastest.
    C = 0,
    /// Contiguous, the first dimension fastest.
    F = 1,
    /// Strides that are any multiples of the element size.
    A = 2,
    /// Strides in bytes, no alignment.
    Bytes = 3,
}

impl Layout {
    /// Whether the elements lie side by side in some order.
    pub const fn is_contiguous(self) -> bool {
        matches!(self, Self::C | Self::F)
    }
}

/// How many dimensions NumPy's arrays have at most.
pub const MAX_RANK: usize = 64;

/// The parameters of `!typed.array`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayType<'c> {
    /// Number of dimensions.
    pub rank: usize,
    /// Element type.
    pub element: Type<'c>,
    /// Memory layout.
    pub layout: Layout,
    /// Whether stores are refused.
    pub readonly: bool,
}

impl<'c> ArrayType<'c> {
    /// A fresh, writable array in C order.
    pub const fn contiguous(rank: usize, element: Type<'c>) -> Self {
        Self {
            rank,
            element,
            layout: Layout::C,
            readonly: false,
        }
    }

    /// The MLIR type. Records know no layout but bytes. Of more dimensions than a type can have it has
    /// just so many, which is more than [`MAX_RANK`].
    pub fn to_type(self, context: &'c Context) -> Type<'c> {
        let layout = match Record::of(self.element) {
            Some(_) => Layout::Bytes,
            None => self.layout,
        };
        // SAFETY: the context outlives the type, by its lifetime.
        unsafe {
            Type::from_raw(ffi::pyoptTypedArrayGet(
                context.to_raw(),
                self.rank.min(u8::MAX.into()) as _,
                self.element.to_raw(),
                layout as _,
                self.readonly,
            ))
        }
    }
}

/// A type of the `typed` dialect, taken apart. Builtin types (integers,
/// floats, complex numbers, tuples, `index`) are [`TypedType::Other`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedType<'c> {
    /// `!typed.none`.
    None,
    /// `!typed.array<…>`.
    Array(ArrayType<'c>),
    /// `!typed.range<element>`.
    Range(Type<'c>),
    /// `!typed.iter<iterable>`.
    Iter(Type<'c>),
    /// `!typed.str`.
    Str,
    /// `!typed.bytes`.
    Bytes,
    /// `!typed.slice<start, stop, step>`.
    Slice([Type<'c>; 3]),
    /// `!typed.sequence<tuple<items>, class>`.
    Sequence(Type<'c>, Attribute<'c>),
    /// `!typed.unbound<type>`.
    Unbound(Type<'c>),
    /// `!typed.optional<type>`.
    Optional(Type<'c>),
    /// `!typed.list<item>`.
    List(Type<'c>),
    /// `!typed.dict<key, value>`.
    Dict([Type<'c>; 2]),
    /// `!typed.set<item>`.
    Set(Type<'c>),
    /// `!typed.dict_view<dict, "part">`.
    DictView(Type<'c>, &'c str),
    /// `!typed.literal<value>`.
    Literal(Attribute<'c>),
    /// `!typed.dtype<element>`.
    DType(Type<'c>),
    /// `!typed.named<"qualified.name">`.
    Named(&'c str),
    /// `!typed.function<@symbol>`.
    Function(&'c str),
    /// `!typed.method<receiver, "name">`.
    Method(Type<'c>, &'c str),
    /// `!typed.zip<tuple<iterables>>`.
    Zip(Type<'c>),
    /// `!typed.enumerate<iterable>`.
    Enumerate(Type<'c>),
    /// `!typed.reversed<iterable>`.
    Reversed(Type<'c>),
    /// `!typed.exception`.
    Exception,
    /// `!typed.flat<array>`.
    Flat(Type<'c>),
    /// `!typed.indices<tuple<integers>>`.
    Indices(Type<'c>),
    /// `!typed.generator<@function, item>`.
    Generator(&'c str, Type<'c>),
    /// `!typed.pointer<pointee>`.
    Pointer(Type<'c>),
    /// `!typed.c_function<signature>`: the signature is a builtin function type.
    CFunction(Type<'c>),
    /// Not a type of this dialect.
    Other(Type<'c>),
}

impl<'c> From<Type<'c>> for TypedType<'c> {
    fn from(r#type: Type<'c>) -> Self {
        let raw = r#type.to_raw();
        // SAFETY: each accessor is called on a type of the kind it expects, and
        // types and their strings live as long as the context.
        unsafe {
            let inner = |position| Type::from_raw(ffi::pyoptTypedInner(raw, position));
            let name = || -> &'c str {
                StringRef::from_raw(ffi::pyoptTypedName(raw))
                    .as_str()
                    .expect("names come from UTF-8 source")
            };
            match ffi::pyoptTypedKind(raw) {
                1 => Self::None,
                2 => Self::Array(ArrayType {
                    rank: ffi::pyoptTypedArrayRank(raw) as usize,
                    element: inner(0),
                    layout: match ffi::pyoptTypedArrayLayout(raw) {
                        0 => Layout::C,
                        1 => Layout::F,
                        2 => Layout::A,
                        _ => Layout::Bytes,
                    },
                    readonly: ffi::pyoptTypedArrayReadonly(raw),
                }),
                3 => Self::Range(inner(0)),
                4 => Self::Iter(inner(0)),
                5 => Self::Str,
                29 => Self::Bytes,
                6 => Self::Slice([inner(0), inner(1), inner(2)]),
                7 => Self::Unbound(inner(0)),
                21 => Self::Optional(inner(0)),
                22 => Self::List(inner(0)),
                26 => Self::Dict([inner(0), inner(1)]),
                27 => Self::Set(inner(0)),
                28 => Self::DictView(inner(0), name()),
                8 => Self::Literal(Attribute::from_raw(ffi::pyoptTypedLiteralValue(raw))),
                9 => Self::DType(inner(0)),
                10 => Self::Named(name()),
                11 => Self::Function(name()),
                12 => Self::Method(inner(0), name()),
                13 => Self::Zip(inner(0)),
                14 => Self::Enumerate(inner(0)),
                15 => Self::Reversed(inner(0)),
                20 => Self::Sequence(
                    inner(0),
                    Attribute::from_raw(ffi::pyoptTypedLiteralValue(raw)),
                ),
                18 => Self::Exception,
                16 => Self::Flat(inner(0)),
                17 => Self::Indices(inner(0)),
                23 => Self::Generator(name(), inner(0)),
                24 => Self::Pointer(inner(0)),
                25 => Self::CFunction(inner(0)),
                _ => Self::Other(r#type),
            }
        }
    }
}

impl<'c> TypedType<'c> {
    /// The MLIR type.
    pub fn to_type(self, context: &'c Context) -> Type<'c> {
        let raw_context = context.to_raw();
        let unary = |kind, inner: Type<'c>| {
            // SAFETY: kinds are those that pyoptTypedUnaryGet knows.
            unsafe { ffi::pyoptTypedUnaryGet(raw_context, kind, inner.to_raw()) }
        };
        // SAFETY: the context outlives the types, by their lifetime; kinds are
        // those the constructors know.
        unsafe {
            let raw = match self {
                Self::None => ffi::pyoptTypedNullaryGet(raw_context, 1),
                Self::Str => ffi::pyoptTypedNullaryGet(raw_context, 5),
                Self::Bytes => ffi::pyoptTypedNullaryGet(raw_context, 29),
                Self::Exception => ffi::pyoptTypedNullaryGet(raw_context, 18),
                Self::Array(array) => return array.to_type(context),
                Self::Range(inner) => unary(3, inner),
                Self::Iter(inner) => unary(4, inner),
                Self::Unbound(inner) => unary(7, inner),
                Self::Optional(inner) => unary(21, inner),
                Self::List(inner) => unary(22, inner),
                Self::Set(inner) => unary(27, inner),
                Self::DictView(dict, part) => ffi::pyoptTypedDictViewGet(
                    raw_context,
                    dict.to_raw(),
                    StringRef::new(part).to_raw(),
                ),
                Self::Dict([key, value]) => {
                    ffi::pyoptTypedDictGet(raw_context, key.to_raw(), value.to_raw())
                }
                Self::DType(inner) => unary(9, inner),
                Self::Zip(inner) => unary(13, inner),
                Self::Enumerate(inner) => unary(14, inner),
                Self::Reversed(inner) => unary(15, inner),
                Self::Flat(inner) => unary(16, inner),
                Self::Indices(inner) => unary(17, inner),
                Self::Pointer(inner) => unary(24, inner),
                Self::CFunction(inner) => unary(25, inner),
                Self::Slice([start, stop, step]) => ffi::pyoptTypedSliceGet(
                    raw_context,
                    start.to_raw(),
                    stop.to_raw(),
                    step.to_raw(),
                ),
                Self::Sequence(items, class) => {
                    ffi::pyoptTypedSequenceGet(raw_context, items.to_raw(), class.to_raw())
                }
                Self::Literal(value) => ffi::pyoptTypedLiteralGet(raw_context, value.to_raw()),
                Self::Named(name) => {
                    ffi::pyoptTypedByNameGet(raw_context, 10, StringRef::new(name).to_raw())
                }
                Self::Function(name) => {
                    ffi::pyoptTypedByNameGet(raw_context, 11, StringRef::new(name).to_raw())
                }
                Self::Method(receiver, name) => ffi::pyoptTypedMethodGet(
                    raw_context,
                    receiver.to_raw(),
                    StringRef::new(name).to_raw(),
                ),
                Self::Generator(function, item) => ffi::pyoptTypedGeneratorGet(
                    raw_context,
                    StringRef::new(function).to_raw(),
                    item.to_raw(),
                ),
                Self::Other(r#type) => return r#type,
            };
            Type::from_raw(raw)
        }
    }
}

/// The parameters of an array type, or `None` for any other type.
pub fn array_type<'c>(r#type: Type<'c>) -> Option<ArrayType<'c>> {
    match TypedType::from(r#type) {
        TypedType::Array(array) => Some(array),
        _ => None,
    }
}

/// Whether arrays can have elements of this type.
pub fn is_element(r#type: Type) -> bool {
    // SAFETY: any type may be asked.
    unsafe { ffi::pyoptTypedIsElement(r#type.to_raw()) }
}
