//! The type and the attributes of the `py` dialect.

use crate::ffi;
use melior::{
    Context, StringRef,
    ir::{Attribute, AttributeLike, Type},
};

/// `!py.object`.
pub fn object_type<'c>(context: &'c Context) -> Type<'c> {
    // SAFETY: the context outlives the type, by its lifetime.
    unsafe { Type::from_raw(ffi::pyoptPyObjectGet(context.to_raw())) }
}

/// An attribute of the `py` dialect, taken apart. Builtin attributes (`i64`,
/// `f64`, `i1`, strings, arrays) are [`PyAttribute::Other`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PyAttribute<'c> {
    /// `#py.none`.
    None,
    /// `#py.ellipsis`.
    Ellipsis,
    /// `#py.int<"digits">`: an int beyond 64 bits.
    BigInt(&'c str),
    /// `#py.bytes<"…">`.
    Bytes(&'c [u8]),
    /// `#py.complex<real, imag>`: two `f64` attributes.
    Complex(Attribute<'c>, Attribute<'c>),
    /// `#py.frozenset<[…]>`: an array attribute.
    FrozenSet(Attribute<'c>),
    /// `#py.slice<[start, stop, step]>`: an array attribute.
    Slice(Attribute<'c>),
    /// `#py.module<"numpy">`.
    Module(&'c str),
    /// `#py.named<"numpy.sqrt">`.
    Named(&'c str),
    /// `#py.function<@symbol>`.
    Function(&'c str),
    /// `#py.stencil<@kernel, {options}>`.
    Stencil(&'c str, Attribute<'c>),
    /// `#py.object_code<@function, {parts}>`.
    ObjectCode(&'c str, Attribute<'c>),
    /// `#py.opaque<slot, "type">`.
    Opaque(i64, &'c str),
    /// `#py.str<"…">`: a string with lone surrogates, as `surrogatepass` encodes it.
    SurrogateStr(&'c [u8]),
    /// `#py.named_tuple<"name", slot, [fields]>`: the fields are an array attribute.
    NamedTuple(&'c str, i64, Attribute<'c>),
    /// `#py.keywords<["name", …]>`: an array attribute.
    Keywords(Attribute<'c>),
    /// `#py.tuple_of<class, [items]>`: a class of named tuples, and an array attribute.
    TupleOf(Attribute<'c>, Attribute<'c>),
    /// `#py.declared<value, type>`: the type is a type attribute.
    Declared(Attribute<'c>, Attribute<'c>),
    /// `#py.ticks<integers, type>`: the integers and a type attribute.
    Ticks(Attribute<'c>, Attribute<'c>),
    /// `#py.exception_class<["name", "base", …]>`: an array attribute.
    ExceptionClass(Attribute<'c>),
    /// `#py.exception<class, [arguments]>`: the arguments are an array attribute.
    Exception(Attribute<'c>, Attribute<'c>),
    /// `#py.c_function<"name", type, address>`: the type is a type attribute.
    CFunction(&'c str, Attribute<'c>, i64),
    /// Not an attribute of this dialect.
    Other(Attribute<'c>),
}

impl<'c> From<Attribute<'c>> for PyAttribute<'c> {
    fn from(attribute: Attribute<'c>) -> Self {
        let raw = attribute.to_raw();
        // SAFETY: each accessor is called on an attribute of the kind it
        // expects; attributes and their strings live as long as the context.
        unsafe {
            let bytes = || -> &'c [u8] {
                let text = ffi::pyoptPyAttributeText(raw);
                if text.length == 0 {
                    return &[];
                }
                std::slice::from_raw_parts(text.data.cast(), text.length)
            };
            let text = || std::str::from_utf8(bytes()).expect("names come from UTF-8 source");
            let part = |position| Attribute::from_raw(ffi::pyoptPyAttributePart(raw, position));
            match ffi::pyoptPyAttributeKind(raw) {
                1 => Self::None,
                2 => Self::Ellipsis,
                3 => Self::BigInt(text()),
                4 => Self::Bytes(bytes()),
                5 => Self::Complex(part(0), part(1)),
                6 => Self::FrozenSet(part(0)),
                7 => Self::Module(text()),
                8 => Self::Named(text()),
                9 => Self::Function(text()),
                10 => Self::Stencil(text(), part(0)),
                11 => Self::Opaque(ffi::pyoptPyOpaqueSlot(raw), text()),
                12 => Self::SurrogateStr(bytes()),
                13 => Self::ObjectCode(text(), part(0)),
                14 => Self::Slice(part(0)),
                20 => Self::NamedTuple(text(), ffi::pyoptPyOpaqueSlot(raw), part(0)),
                23 => Self::Ticks(part(0), part(1)),
                21 => Self::ExceptionClass(part(0)),
                22 => Self::Exception(part(0), part(1)),
                24 => Self::CFunction(text(), part(0), ffi::pyoptPyOpaqueSlot(raw)),
                25 => Self::TupleOf(part(0), part(1)),
                26 => Self::Keywords(part(0)),
                27 => Self::Declared(part(0), part(1)),
                _ => Self::Other(attribute),
            }
        }
    }
}

impl<'a> PyAttribute<'a> {
    /// The MLIR attribute. Attributes inside must be of the same context.
    pub fn to_attribute<'c: 'a>(self, context: &'c Context) -> Attribute<'c> {
        let raw_context = context.to_raw();
        let text = |kind, value: &[u8]| {
            let value = mlir_sys::MlirStringRef {
                data: value.as_ptr().cast(),
                length: value.len(),
            };
            // SAFETY: kinds are those that pyoptPyTextGet knows; MLIR copies the text.
            unsafe { ffi::pyoptPyTextGet(raw_context, kind, value) }
        };
        // SAFETY: the context outlives its attributes, also those inside.
        unsafe {
            let raw = match self {
                Self::None => ffi::pyoptPyNullaryGet(raw_context, 1),
                Self::Ellipsis => ffi::pyoptPyNullaryGet(raw_context, 2),
                Self::BigInt(digits) => text(3, digits.as_bytes()),
                Self::Bytes(bytes) => text(4, bytes),
                Self::SurrogateStr(bytes) => text(12, bytes),
                Self::Complex(real, imag) => ffi::pyoptPyComplexGet(real.to_raw(), imag.to_raw()),
                Self::FrozenSet(elements) => ffi::pyoptPyFrozenSetGet(elements.to_raw()),
                Self::Slice(parts) => ffi::pyoptPySliceGet(parts.to_raw()),
                Self::Ticks(ticks, r#type) => ffi::pyoptPyTicksGet(ticks.to_raw(), r#type.to_raw()),
                Self::Declared(value, r#type) => {
                    ffi::pyoptPyDeclaredGet(value.to_raw(), r#type.to_raw())
                }
                Self::Module(name) => text(7, name.as_bytes()),
                Self::Named(name) => text(8, name.as_bytes()),
                Self::Function(symbol) => text(9, symbol.as_bytes()),
                Self::Stencil(kernel, options) => ffi::pyoptPyStencilGet(
                    raw_context,
                    StringRef::new(kernel).to_raw(),
                    options.to_raw(),
                ),
                Self::ObjectCode(function, parts) => ffi::pyoptPyObjectCodeGet(
                    raw_context,
                    StringRef::new(function).to_raw(),
                    parts.to_raw(),
                ),
                Self::NamedTuple(name, slot, fields) => {
                    ffi::pyoptPyNamedTupleGet(StringRef::new(name).to_raw(), slot, fields.to_raw())
                }
                Self::Keywords(names) => ffi::pyoptPyKeywordsGet(names.to_raw()),
                Self::TupleOf(class, items) => {
                    ffi::pyoptPyTupleOfGet(class.to_raw(), items.to_raw())
                }
                Self::Opaque(slot, r#type) => {
                    ffi::pyoptPyOpaqueGet(raw_context, slot, StringRef::new(r#type).to_raw())
                }
                Self::ExceptionClass(names) => ffi::pyoptPyExceptionClassGet(names.to_raw()),
                Self::Exception(class, arguments) => {
                    ffi::pyoptPyExceptionGet(class.to_raw(), arguments.to_raw())
                }
                Self::CFunction(name, r#type, address) => ffi::pyoptPyCFunctionGet(
                    StringRef::new(name).to_raw(),
                    r#type.to_raw(),
                    address,
                ),
                Self::Other(attribute) => attribute.to_raw(),
            };
            Attribute::from_raw(raw)
        }
    }
}
