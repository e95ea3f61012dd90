//! Python constants as MLIR attributes, and back.
//!
//! Strings of bytes (bytecode, tables, `bytes` constants) are string attributes too: MLIR's strings
//! hold any bytes.

use crate::value::{Integer, Value};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Type,
        attribute::{
            ArrayAttribute, BoolAttribute, FlatSymbolRefAttribute, FloatAttribute,
            IntegerAttribute, StringAttribute,
        },
        r#type::IntegerType,
    },
};
use mlir_sys::{mlirArrayAttrGetElement, mlirArrayAttrGetNumElements};
use pyopt_dialects::{
    py::PyAttribute,
    view::{FromAttribute, ToAttribute},
};

/// A string attribute of any bytes.
pub fn bytes_attribute<'c>(context: &'c Context, bytes: &[u8]) -> StringAttribute<'c> {
    StringAttribute::try_from(bytes.to_attribute(context)).expect("a string attribute")
}

/// The bytes of a string attribute.
pub fn attribute_bytes<'c>(attribute: StringAttribute<'c>) -> &'c [u8] {
    FromAttribute::from_attribute(attribute.into()).expect("a string attribute has bytes")
}

/// The text of a string attribute, if it is UTF-8.
pub fn attribute_text<'c>(attribute: StringAttribute<'c>) -> Option<&'c str> {
    std::str::from_utf8(attribute_bytes(attribute)).ok()
}

/// A signless 64-bit integer attribute.
pub fn integer_attribute<'c>(context: &'c Context, value: i64) -> IntegerAttribute<'c> {
    IntegerAttribute::new(IntegerType::new(context, 64).into(), value)
}

/// The attribute of a constant; `None` for what no attribute stands for: nested code, mutable
/// containers and slices.
pub fn to_attribute<'c>(context: &'c Context, value: &Value) -> Option<Attribute<'c>> {
    let float = |value| FloatAttribute::new(context, Type::float64(context), value);
    let array = |elements: &[Value]| {
        let elements: Option<Vec<_>> = elements
            .iter()
            .map(|element| to_attribute(context, element))
            .collect();
        Some(Attribute::from(ArrayAttribute::new(context, &elements?)))
    };
    match value {
        Value::None => Some(PyAttribute::None.to_attribute(context)),
        Value::Ellipsis => Some(PyAttribute::Ellipsis.to_attribute(context)),
        Value::Bool(value) => Some(BoolAttribute::new(context, *value).into()),
        Value::Int(integer) => match integer.to_i64() {
            Some(value) => Some(integer_attribute(context, value).into()),
            None => Some(PyAttribute::BigInt(&integer.to_string()).to_attribute(context)),
        },
        Value::Float(value) => Some(float(*value).into()),
        Value::Complex(real, imaginary) => {
            let parts = PyAttribute::Complex(float(*real).into(), float(*imaginary).into());
            Some(parts.to_attribute(context))
        }
        Value::Bytes(bytes) => Some(PyAttribute::Bytes(bytes).to_attribute(context)),
        Value::SurrogateStr(bytes) => Some(PyAttribute::SurrogateStr(bytes).to_attribute(context)),
        Value::Str(text) => Some(bytes_attribute(context, text.as_bytes()).into()),
        Value::Tuple(elements) => array(elements),
        Value::FrozenSet(elements) => {
            Some(PyAttribute::FrozenSet(array(elements)?).to_attribute(context))
        }
        Value::CodeSymbol(symbol) => Some(FlatSymbolRefAttribute::new(context, symbol).into()),
        Value::Slice(parts) => {
            Some(PyAttribute::Slice(array(parts.as_slice())?).to_attribute(context))
        }
        Value::StopIteration | Value::List(_) | Value::Set(_) | Value::Dict(_) | Value::Code(_) => {
            None
        }
    }
}

/// The constant of an attribute; `None` for attributes that stand for no constant.
pub fn from_attribute(attribute: Attribute) -> Option<Value> {
    let float = |attribute| {
        FloatAttribute::try_from(attribute)
            .ok()
            .map(|float| float.value())
    };
    let other = match PyAttribute::from(attribute) {
        PyAttribute::None => return Some(Value::None),
        PyAttribute::Ellipsis => return Some(Value::Ellipsis),
        PyAttribute::BigInt(digits) => return Some(Value::Int(Integer::from_decimal(digits)?)),
        PyAttribute::Bytes(bytes) => return Some(Value::Bytes(bytes.into())),
        PyAttribute::SurrogateStr(bytes) => return Some(Value::SurrogateStr(bytes.into())),
        PyAttribute::Complex(real, imaginary) => {
            return Some(Value::Complex(float(real)?, float(imaginary)?));
        }
        PyAttribute::FrozenSet(elements) => {
            return Some(Value::FrozenSet(constants(elements)?.into()));
        }
        PyAttribute::Slice(parts) => {
            let parts = <[Value; 3]>::try_from(constants(parts)?).ok()?;
            return Some(Value::Slice(parts.into()));
        }
        PyAttribute::Other(attribute) => attribute,
        _ => return None,
    };
    // A conversion that fails is slow: melior prints the attribute for the error.
    if other.is_string() {
        let text = StringAttribute::try_from(other).ok()?;
        return Some(Value::Str(attribute_text(text)?.into()));
    }
    if other.is_integer() {
        let integer = IntegerAttribute::try_from(other).ok()?;
        let r#type = IntegerType::try_from(integer.r#type())
            .ok()
            .filter(|r#type| r#type.is_signless())?;
        return Some(match r#type.width() {
            1 => Value::Bool(integer.value() != 0),
            _ => Value::Int(integer.value().into()),
        });
    }
    if other.is_flat_symbol_ref() {
        let symbol = FlatSymbolRefAttribute::try_from(other).ok()?;
        return Some(Value::CodeSymbol(symbol.value().into()));
    }
    if other.is_array() {
        return Some(Value::Tuple(constants(other)?.into()));
    }
    float(other).map(Value::Float)
}

fn constants(attribute: Attribute) -> Option<Vec<Value>> {
    elements(attribute)?
        .into_iter()
        .map(from_attribute)
        .collect()
}

/// The elements of an array attribute.
///
/// melior 0.27's conversion to an array attribute asks for another kind of attribute.
pub fn elements<'c>(attribute: Attribute<'c>) -> Option<Vec<Attribute<'c>>> {
    if !attribute.is_array() {
        return None;
    }
    let raw = attribute.to_raw();
    // SAFETY: the attribute is an array, the positions are in range, and elements live as long as
    // the context.
    let elements = unsafe {
        let count = mlirArrayAttrGetNumElements(raw);
        (0..count)
            .map(|position| Attribute::from_raw(mlirArrayAttrGetElement(raw, position)))
            .collect()
    };
    Some(elements)
}
