//! Typed values, as typing functions pass them on.

use crate::{infra::AttributeExt, types::number::Number};
use melior::{
    Context,
    ir::{Attribute, Type, Value, attribute::TypeAttribute},
};
use pyopt_dialects::typed::{ArrayType, Layout, TypedType, array_type};

/// A value: its type, what it is if that is known, and in the emission the IR's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Val<'c, 'a> {
    /// The type.
    pub ty: Type<'c>,
    /// The value itself, when it is known at compile time: a number, a bool, a string, or an
    /// array of them for a tuple. Of a view of an array: what [`Val::memory_order`] reads.
    pub literal: Option<Attribute<'c>>,
    /// The IR's value; that of the receiver for a bound method.
    pub(super) value: Option<Value<'c, 'a>>,
    /// The value of the `py` function that it is, if it is one.
    pub(super) origin: Option<Value<'c, 'a>>,
    /// Of a tuple that the emitter has made the number of its [items](super::emit::Emit::parts).
    pub(super) parts: Option<usize>,
}

impl<'c, 'a> Val<'c, 'a> {
    /// A value of a type of which nothing else is known.
    pub(super) const fn new(ty: Type<'c>, value: Option<Value<'c, 'a>>) -> Self {
        Self {
            ty,
            literal: None,
            value,
            origin: None,
            parts: None,
        }
    }

    /// The IR's value, which there is in the emission only.
    pub(super) fn ir(&self) -> Value<'c, 'a> {
        self.value.expect("values are emitted before they are used")
    }

    /// The number of an integer or bool that is known at compile time.
    pub fn literal_int(&self) -> Option<i64> {
        self.literal?.integer_value()
    }

    /// The bool that is known at compile time.
    pub fn literal_bool(&self) -> Option<bool> {
        self.literal?.bool_value()
    }

    /// The float that is known at compile time.
    pub fn literal_float(&self) -> Option<f64> {
        self.literal?.float_value()
    }

    /// The number that is known at compile time, of a complex one without an imaginary part.
    pub fn literal_real(&self) -> Option<f64> {
        match self.literal?.elements()?.as_slice() {
            [real, imag] if imag.float_value()? == 0.0 => real.float_value(),
            _ => None,
        }
    }

    /// The text that is known at compile time.
    pub fn literal_str(&self) -> Option<&'c str> {
        self.literal?.string_value()
    }

    /// Whether it is None.
    pub fn is_none(&self) -> bool {
        TypedType::from(self.ty) == TypedType::None
    }

    /// The order that an array's elements lie in, `C` or `F`: that of a contiguous array, and that of
    /// the array of which a view takes a part in any direction. NumPy's `order='K'` makes arrays of
    /// this order; steps can't change it, since they are shorter than the dimension where more than
    /// one element is left. Arguments that are strided have none: their type is all that is known.
    pub fn memory_order(&self) -> Option<Layout> {
        let order = match array_type(self.ty)?.layout {
            Layout::C | Layout::F => self.ty,
            _ => self.order_mark()?.value(),
        };
        Some(array_type(order)?.layout)
    }

    /// The same view, of which the order is known.
    pub fn with_memory_order(self, context: &'c Context, order: Option<Layout>) -> Self {
        let (Some(layout), Some(array)) = (order, array_type(self.ty)) else {
            return self;
        };
        if array.rank < 2 || matches!(array.layout, Layout::C | Layout::F) {
            return self;
        }
        let contiguous = ArrayType { layout, ..array }.to_type(context);
        Self {
            literal: Some(TypeAttribute::new(contiguous).into()),
            ..self
        }
    }

    /// What is known of the value itself, aside from the order of a view.
    pub fn constant(&self) -> Option<Attribute<'c>> {
        self.literal.filter(|_| self.order_mark().is_none())
    }

    /// What is noted of a view's order.
    pub(super) fn order_mark(&self) -> Option<TypeAttribute<'c>> {
        array_type(self.ty)?;
        TypeAttribute::try_from(self.literal?).ok()
    }

    /// What kind of number it is, if it is one.
    pub fn number(&self) -> Option<Number> {
        Number::of(self.ty)
    }
}

/// The IR's values of operands.
pub(super) fn values<'c, 'a>(operands: &[Val<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    operands.iter().map(Val::ir).collect()
}
