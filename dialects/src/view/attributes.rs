//! Attributes as values of Rust.

use crate::attributes::AttributeExt;
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Type,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
            FlatSymbolRefAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
        },
        r#type::IntegerType,
    },
};
use mlir_sys::{
    MlirStringRef, mlirAttributeIsADenseF64Array, mlirDenseArrayGetNumElements,
    mlirDenseF64ArrayGet, mlirDenseF64ArrayGetElement, mlirStringAttrGet, mlirStringAttrGetValue,
};
use std::slice;

/// What an attribute can be read as.
pub trait FromAttribute<'c>: Sized {
    /// The value; `None` for an attribute of another kind.
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self>;
}

/// What makes an attribute.
pub trait ToAttribute<'c> {
    /// The attribute.
    fn to_attribute(self, context: &'c Context) -> Attribute<'c>;
}

/// The name of a symbol.
pub struct Symbol<'x>(pub &'x str);

/// A signless integer and its width.
pub struct Integer(pub i64, pub u32);

/// A signed integer and its width.
pub struct SignedInteger(pub i64, pub u32);

/// An integer of type `index`.
pub struct IndexInteger(pub i64);

/// What says something by being there.
pub struct Unit;

impl<'c> FromAttribute<'c> for Attribute<'c> {
    fn from_attribute(attribute: Self) -> Option<Self> {
        Some(attribute)
    }
}

/// A text, or the name of a symbol.
impl<'c> FromAttribute<'c> for &'c str {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attribute
            .string_value()
            .or_else(|| attribute.symbol_value())
    }
}

/// Any bytes.
impl<'c> FromAttribute<'c> for &'c [u8] {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        if !attribute.is_string() {
            return None;
        }
        // SAFETY: the attribute is a string, whose bytes live as long as the context.
        unsafe {
            let bytes = mlirStringAttrGetValue(attribute.to_raw());
            Some(match bytes.length {
                0 => &[],
                length => slice::from_raw_parts(bytes.data.cast(), length),
            })
        }
    }
}

impl<'c> FromAttribute<'c> for i64 {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attribute.integer_value()
    }
}

impl<'c> FromAttribute<'c> for bool {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attribute.bool_value()
    }
}

impl<'c> FromAttribute<'c> for Type<'c> {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attribute.type_value()
    }
}

impl<'c> FromAttribute<'c> for Vec<Attribute<'c>> {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attribute.elements()
    }
}

impl<'c> FromAttribute<'c> for Vec<i64> {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attribute.i64_elements()
    }
}

impl<'c> FromAttribute<'c> for Vec<f64> {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        let raw = attribute.to_raw();
        // SAFETY: any attribute may be asked; elements are read of such an array, by their positions.
        unsafe {
            mlirAttributeIsADenseF64Array(raw).then(|| {
                let count = mlirDenseArrayGetNumElements(raw);
                let positions = 0..count;
                positions
                    .map(|position| mlirDenseF64ArrayGetElement(raw, position))
                    .collect()
            })
        }
    }
}

impl<'c> FromAttribute<'c> for Vec<i32> {
    fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        attribute.i32_elements()
    }
}

impl<'c> ToAttribute<'c> for Attribute<'c> {
    fn to_attribute(self, _: &'c Context) -> Attribute<'c> {
        self
    }
}

impl<'c> ToAttribute<'c> for &str {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        StringAttribute::new(context, self).into()
    }
}

/// A string, which holds any bytes in MLIR.
impl<'c> ToAttribute<'c> for &[u8] {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        let bytes = MlirStringRef {
            data: self.as_ptr().cast(),
            length: self.len(),
        };
        // SAFETY: the reference is to live bytes, which MLIR copies.
        unsafe { Attribute::from_raw(mlirStringAttrGet(context.to_raw(), bytes)) }
    }
}

impl<'c> ToAttribute<'c> for Symbol<'_> {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        FlatSymbolRefAttribute::new(context, self.0).into()
    }
}

impl<'c> ToAttribute<'c> for Integer {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(context, self.1).into(), self.0).into()
    }
}

impl<'c> ToAttribute<'c> for SignedInteger {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::signed(context, self.1).into(), self.0).into()
    }
}

impl<'c> ToAttribute<'c> for IndexInteger {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        IntegerAttribute::new(Type::index(context), self.0).into()
    }
}

impl<'c> ToAttribute<'c> for bool {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        BoolAttribute::new(context, self).into()
    }
}

impl<'c> ToAttribute<'c> for Unit {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        Attribute::unit(context)
    }
}

impl<'c> ToAttribute<'c> for Type<'c> {
    fn to_attribute(self, _: &'c Context) -> Attribute<'c> {
        TypeAttribute::new(self).into()
    }
}

impl<'c> ToAttribute<'c> for &[Attribute<'c>] {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        ArrayAttribute::new(context, self).into()
    }
}

impl<'c> ToAttribute<'c> for &[i64] {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(context, self).into()
    }
}

impl<'c> ToAttribute<'c> for &[f64] {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        let count = self.len() as isize;
        // SAFETY: MLIR copies this many elements.
        unsafe { Attribute::from_raw(mlirDenseF64ArrayGet(context.to_raw(), count, self.as_ptr())) }
    }
}

impl<'c> ToAttribute<'c> for &[i32] {
    fn to_attribute(self, context: &'c Context) -> Attribute<'c> {
        DenseI32ArrayAttribute::new(context, self).into()
    }
}
