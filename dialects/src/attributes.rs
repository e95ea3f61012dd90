//! Reading attributes.

use melior::ir::{Attribute, AttributeLike, Type};
use mlir_sys::{
    MlirStringRef, mlirArrayAttrGetElement, mlirArrayAttrGetNumElements, mlirAttributeGetType,
    mlirBoolAttrGetValue, mlirDenseArrayGetNumElements, mlirDenseElementsAttrGetBoolValue,
    mlirDenseElementsAttrGetRawData, mlirDenseElementsAttrIsSplat, mlirDenseI32ArrayGetElement,
    mlirDenseI64ArrayGetElement, mlirElementsAttrGetNumElements, mlirFlatSymbolRefAttrGetValue,
    mlirFloatAttrGetValueDouble, mlirIntegerAttrGetValueInt, mlirIntegerAttrGetValueSInt,
    mlirIntegerAttrGetValueUInt, mlirIntegerTypeGetWidth, mlirIntegerTypeIsSigned,
    mlirIntegerTypeIsUnsigned, mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType,
    mlirShapedTypeGetRank, mlirStringAttrGetValue, mlirSymbolRefAttrGetRootReference,
    mlirTypeAttrGetValue, mlirTypeIsAInteger,
};
use std::slice;

/// Reading the value of an attribute; `None` when it is of another kind.
pub trait AttributeExt<'c>: Sized + Copy {
    /// The attribute itself.
    fn as_attribute(self) -> Attribute<'c>;

    /// Returns the text of a string attribute, which may be empty.
    fn string_value(self) -> Option<&'c str> {
        let attribute = self.as_attribute();
        if !attribute.is_string() {
            return None;
        }
        // SAFETY: the kind is checked; the text lives as long as the context.
        unsafe { borrow(mlirStringAttrGetValue(attribute.to_raw())) }
    }

    /// Returns the value of an integer or index attribute, extended by the type's signedness;
    /// of a truth value, 0 or 1.
    fn integer_value(self) -> Option<i64> {
        let attribute = self.as_attribute();
        // A truth value is an integer of one bit too, which would be -1.
        if let Some(value) = self.bool_value() {
            return Some(value.into());
        }
        if !attribute.is_integer() {
            return None;
        }
        // SAFETY: the kind is checked.
        unsafe {
            let raw = attribute.to_raw();
            let r#type = mlirAttributeGetType(raw);
            Some(if !mlirTypeIsAInteger(r#type) {
                mlirIntegerAttrGetValueInt(raw)
            } else if mlirIntegerTypeIsUnsigned(r#type) {
                mlirIntegerAttrGetValueUInt(raw) as i64
            } else if mlirIntegerTypeIsSigned(r#type) {
                mlirIntegerAttrGetValueSInt(raw)
            } else {
                mlirIntegerAttrGetValueInt(raw)
            })
        }
    }

    /// Returns the value of a truth value attribute.
    fn bool_value(self) -> Option<bool> {
        let attribute = self.as_attribute();
        // SAFETY: the kind is checked.
        attribute
            .is_bool()
            .then(|| unsafe { mlirBoolAttrGetValue(attribute.to_raw()) })
    }

    /// Returns the value of a float attribute.
    fn float_value(self) -> Option<f64> {
        let attribute = self.as_attribute();
        // SAFETY: the kind is checked.
        attribute
            .is_float()
            .then(|| unsafe { mlirFloatAttrGetValueDouble(attribute.to_raw()) })
    }

    /// Returns the type of a number or of elements; of an attribute that has none, MLIR's `none`.
    fn value_type(self) -> Type<'c> {
        // SAFETY: the attribute is valid, and its type lives as long as the context.
        unsafe { Type::from_raw(mlirAttributeGetType(self.as_attribute().to_raw())) }
    }

    /// Returns the type in a type attribute.
    fn type_value(self) -> Option<Type<'c>> {
        let attribute = self.as_attribute();
        // SAFETY: the kind is checked.
        attribute
            .is_type()
            .then(|| unsafe { Type::from_raw(mlirTypeAttrGetValue(attribute.to_raw())) })
    }

    /// Returns the name in a symbol reference; of a nested one, the root.
    fn symbol_value(self) -> Option<&'c str> {
        let attribute = self.as_attribute();
        // SAFETY: the kind is checked; the text lives as long as the context.
        unsafe {
            if attribute.is_flat_symbol_ref() {
                borrow(mlirFlatSymbolRefAttrGetValue(attribute.to_raw()))
            } else if attribute.is_symbol_ref() {
                borrow(mlirSymbolRefAttrGetRootReference(attribute.to_raw()))
            } else {
                None
            }
        }
    }

    /// Returns the elements of an array attribute.
    fn elements(self) -> Option<Vec<Attribute<'c>>> {
        let raw = self.as_attribute().to_raw();
        // SAFETY: the kind is checked and the indices exist.
        self.as_attribute().is_array().then(|| unsafe {
            (0..mlirArrayAttrGetNumElements(raw))
                .map(|index| Attribute::from_raw(mlirArrayAttrGetElement(raw, index)))
                .collect()
        })
    }

    /// Returns the elements of an `array<i64: …>` attribute.
    fn i64_elements(self) -> Option<Vec<i64>> {
        let raw = self.as_attribute().to_raw();
        // SAFETY: the kind is checked and the indices exist.
        self.as_attribute().is_dense_i64_array().then(|| unsafe {
            (0..mlirDenseArrayGetNumElements(raw))
                .map(|index| mlirDenseI64ArrayGetElement(raw, index))
                .collect()
        })
    }

    /// Returns the extents of a shaped attribute.
    fn shape(self) -> Option<Vec<i64>> {
        let attribute = self.as_attribute();
        // SAFETY: the attribute is valid, and its type is a shaped one when the kind is checked.
        attribute.is_elements().then(|| unsafe {
            let r#type = mlirAttributeGetType(attribute.to_raw());
            (0..mlirShapedTypeGetRank(r#type))
                .map(|dimension| mlirShapedTypeGetDimSize(r#type, dimension as isize))
                .collect()
        })
    }

    /// Returns the elements of a dense attribute as they lie in memory, each of so many bytes;
    /// a truth value takes one.
    fn dense_bytes(self, size: usize) -> Option<Vec<u8>> {
        let attribute = self.as_attribute();
        let raw = attribute.to_raw();
        if !attribute.is_dense_elements() {
            return None;
        }
        // SAFETY: the kind is checked, the positions exist, and the attribute holds that many
        // elements of the caller's size, or one that all are equal to.
        unsafe {
            let count = mlirElementsAttrGetNumElements(raw) as usize;
            let element = mlirShapedTypeGetElementType(mlirAttributeGetType(raw));
            if mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1 {
                let positions = 0..count as isize;
                return Some(
                    positions
                        .map(|at| mlirDenseElementsAttrGetBoolValue(raw, at).into())
                        .collect(),
                );
            }
            let data = mlirDenseElementsAttrGetRawData(raw).cast::<u8>();
            if count == 0 {
                return Some(Vec::new());
            }
            if mlirDenseElementsAttrIsSplat(raw) {
                return Some(slice::from_raw_parts(data, size).repeat(count));
            }
            Some(slice::from_raw_parts(data, size * count).to_vec())
        }
    }

    /// Returns the elements of an `array<i32>`.
    fn i32_elements(self) -> Option<Vec<i32>> {
        let raw = self.as_attribute().to_raw();
        // SAFETY: the kind is checked and the indices exist.
        self.as_attribute().is_dense_i32_array().then(|| unsafe {
            (0..mlirDenseArrayGetNumElements(raw))
                .map(|index| mlirDenseI32ArrayGetElement(raw, index))
                .collect()
        })
    }
}

impl<'c> AttributeExt<'c> for Attribute<'c> {
    fn as_attribute(self) -> Attribute<'c> {
        self
    }
}

/// Borrows a text of the context. MLIR's strings are UTF-8 here, whatever isn't counts as none.
///
/// # Safety
///
/// `text` must live as long as the context.
unsafe fn borrow<'c>(text: MlirStringRef) -> Option<&'c str> {
    if text.length == 0 {
        return Some("");
    }
    // SAFETY: the caller vouches for the text.
    std::str::from_utf8(unsafe { slice::from_raw_parts(text.data.cast(), text.length) }).ok()
}
