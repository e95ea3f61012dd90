//! The names of the types of numbers and times.

use crate::types::number::Number;
use pyopt_dialects::times::{Time, Unit};

const fn signed(width: u32) -> Option<Number> {
    Some(Number::Int {
        width,
        signed: true,
    })
}

const fn unsigned(width: u32) -> Option<Number> {
    Some(Number::Int {
        width,
        signed: false,
    })
}

/// The number that a type of Python, NumPy or this package makes, by its qualified name.
pub(crate) fn scalar_type(name: &str) -> Option<Number> {
    match name {
        "builtins.bool" => return Some(Number::Bool),
        "builtins.int" => return Some(Number::INT64),
        "builtins.float" => return Some(Number::FLOAT64),
        "builtins.complex" => return Some(Number::Complex(64)),
        _ => {}
    }
    let name = name
        .strip_prefix("numpy.")
        .or_else(|| name.strip_prefix("pyopt.types."))
        .or_else(|| name.strip_prefix("pyopt."))?;
    match name {
        "bool_" | "bool" | "boolean" => Some(Number::Bool),
        "double" => Some(Number::FLOAT64),
        "single" => Some(Number::Float(32)),
        "half" => Some(Number::Float(16)),
        "cdouble" | "complex128" => Some(Number::Complex(64)),
        "csingle" | "complex64" => Some(Number::Complex(32)),
        "intp" | "int_" | "longlong" | "long" => Some(Number::INT64),
        "uintp" | "uint" | "ulonglong" | "ulong" => Some(Number::UINT64),
        "intc" => signed(32),
        "uintc" => unsigned(32),
        "short" => signed(16),
        "ushort" => unsigned(16),
        "byte" => signed(8),
        "ubyte" => unsigned(8),
        _ => sized_type(name),
    }
}

/// `int32`, `float64`, …
fn sized_type(name: &str) -> Option<Number> {
    match name {
        "int8" => signed(8),
        "int16" => signed(16),
        "int32" => signed(32),
        "int64" => signed(64),
        "uint8" => unsigned(8),
        "uint16" => unsigned(16),
        "uint32" => unsigned(32),
        "uint64" => unsigned(64),
        "float16" => Some(Number::Float(16)),
        "float32" => Some(Number::Float(32)),
        "float64" => Some(Number::Float(64)),
        _ => None,
    }
}

/// NumPy's character codes, such as `f8`.
pub(crate) fn coded_type(name: &str) -> Option<Number> {
    match name.trim_start_matches(['<', '=']) {
        "?" => Some(Number::Bool),
        "i1" => signed(8),
        "i2" => signed(16),
        "i4" => signed(32),
        "i8" => signed(64),
        "u1" => unsigned(8),
        "u2" => unsigned(16),
        "u4" => unsigned(32),
        "u8" => unsigned(64),
        "f2" => Some(Number::Float(16)),
        "f4" => Some(Number::Float(32)),
        "f8" => Some(Number::Float(64)),
        "c8" => Some(Number::Complex(32)),
        "c16" => Some(Number::Complex(64)),
        _ => None,
    }
}

/// Whether a qualified name is one of the two types, and of distances.
pub(crate) fn time_constructor(name: &str) -> Option<bool> {
    match name {
        "numpy.datetime64" => Some(false),
        "numpy.timedelta64" => Some(true),
        _ => None,
    }
}

/// The type that NumPy calls `datetime64[s]`, `timedelta64`, `M8[ns]` or the like.
pub(crate) fn time_named(name: &str) -> Option<Time> {
    let name = name.trim_start_matches(['<', '=']);
    let (kind, unit) = match name.split_once('[') {
        Some((kind, unit)) => (kind, Unit::from_name(unit.strip_suffix(']')?)?),
        None => (name, Unit::Generic),
    };
    let is_delta = match kind {
        "datetime64" | "M8" => false,
        "timedelta64" | "m8" => true,
        _ => return None,
    };
    Some(Time { is_delta, unit })
}
