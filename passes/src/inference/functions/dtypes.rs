//! Scalar types as values: names, dtype arguments, conversions.

use super::{Arguments, texts};
use crate::{
    inference::{
        arrays,
        emit::{Emit, Val},
        issue::{Stop, Typing, stop},
        operators, times,
    },
    infra::ops::complex,
    types::number::Number,
};
use melior::ir::Type;
use pyopt_dialects::{
    times::{Time, Unit},
    typed::{TypedType, array_type},
};

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
fn coded_type(name: &str) -> Option<Number> {
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

/// The element type that a `dtype` argument means: a type, a dtype or its name.
pub(crate) fn dtype_argument<'c>(e: &Emit<'_, 'c, '_>, dtype: Val<'c, '_>) -> Typing<Type<'c>> {
    let number = match TypedType::from(dtype.ty) {
        TypedType::DType(element) => return Ok(element),
        TypedType::Named(name) => match times::is_constructor(name) {
            Some(is_delta) => {
                let unit = Unit::Generic;
                return Ok(Time { is_delta, unit }.to_type(e.context()));
            }
            None => scalar_type(name),
        },
        TypedType::Str if let Some(time) = dtype.literal_str().and_then(times::dtype_named) => {
            return Ok(time.to_type(e.context()));
        }
        TypedType::Str => match dtype.literal_str() {
            Some(text) => scalar_type(&format!("numpy.{text}"))
                .or_else(|| scalar_type(&format!("builtins.{text}")))
                .or_else(|| coded_type(text)),
            None => return stop("the name of a dtype must be a constant"),
        },
        _ => None,
    };
    match number {
        Some(number) => Ok(number.to_type(e.context())),
        None => Err(Stop::issue(format!(
            "{} is not a dtype",
            crate::types::display::display(dtype.ty)
        ))
        .hint("use a type such as np.float64")),
    }
}

/// `dtype.name`, `None` for an attribute that dtypes don't have.
pub(crate) fn dtype_attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    dtype: Val<'c, 'a>,
    element: Type<'c>,
    name: &str,
) -> Option<Val<'c, 'a>> {
    if let Some(time) = Time::of(element) {
        let kind = if time.is_delta { "m" } else { "M" };
        return match name {
            "kind" => Some(e.string(kind)),
            "itemsize" => Some(e.int(8)),
            "type" => Some(dtype),
            _ => None,
        };
    }
    let number = Number::of(element)?;
    let (kind, size) = match number {
        Number::Bool => ("b", 1),
        Number::Int { width, signed } => (if signed { "i" } else { "u" }, width / 8),
        Number::Float(width) => ("f", width / 8),
        Number::Complex(width) => ("c", width / 4),
    };
    match name {
        "kind" => Some(e.string(kind)),
        "itemsize" => Some(e.int(size.into())),
        "type" => Some(dtype),
        _ => None,
    }
}

/// Calls a type: converts the argument, or gives zero without one.
pub(crate) fn convert<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    if let (Some(_), [value]) = (Time::of(ty), arguments.positional.as_slice()) {
        return times::astype(e, *value, ty);
    }
    let to = Number::of(ty).ok_or(Stop::Unknown)?;
    if let (&[real, imag], Number::Complex(width)) = (arguments.positional.as_slice(), to) {
        return complex(e, real, imag, width);
    }
    let [operand] = arguments.bind(["x"], 0)?;
    let Some(operand) = operand else {
        return Ok(e.number(0, ty));
    };
    if array_type(operand.ty).is_some() && !arguments.function.starts_with("builtins.") {
        return arrays::convert(e, operand, ty);
    }
    if to == Number::Bool {
        return operators::truth(e, operand);
    }
    if let Some(array) = array_type(operand.ty) {
        if array.rank > 0 {
            return Err(Stop::Raises(
                "TypeError",
                "only 0-dimensional arrays can be converted to Python scalars".into(),
            ));
        }
        let mut arguments = arguments.clone();
        arguments.positional = vec![arrays::only_element(e, operand)?];
        return convert(e, &arguments, ty);
    }
    if times::of(operand).is_some() {
        return match arguments.function {
            "builtins.int" => times::int(e, operand),
            name if name.starts_with("builtins.") || !to.is_integral() => {
                Err(arguments.no_implementation())
            }
            _ => times::astype(e, operand, ty),
        };
    }
    match (arguments.function, operand.number()) {
        ("builtins.int", None) => match operand.literal_str().and_then(texts::integer) {
            Some(value) => Ok(e.int(value)),
            None => Err(arguments.no_implementation()),
        },
        ("builtins.float", None) => match operand.literal_str().and_then(texts::float) {
            Some(value) => Ok(e.float(value)),
            None => Err(arguments.no_implementation()),
        },
        // Python's own types keep the width of what is one of them already, as Numba does.
        ("builtins.int", Some(Number::Int { .. })) | ("builtins.float", Some(Number::Float(_))) => {
            Ok(operand)
        }
        (_, Some(from))
            if !matches!(from, Number::Complex(_)) || matches!(to, Number::Complex(_)) =>
        {
            Ok(e.cast(operand, ty))
        }
        _ => Err(arguments.no_implementation()),
    }
}

/// `complex(real, imag)` of real numbers.
fn complex<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    real: Val<'c, 'a>,
    imag: Val<'c, 'a>,
    width: u32,
) -> Typing<Val<'c, 'a>> {
    let real_parts = [real, imag].map(|part| part.number());
    if real_parts
        .iter()
        .any(|part| !part.is_some_and(|part| !matches!(part, Number::Complex(_))))
    {
        return stop("the parts of a complex number must be real numbers");
    }
    let part = Number::Float(width).to_type(e.context());
    let ty = Number::Complex(width).to_type(e.context());
    let real = e.cast(real, part);
    let imag = e.cast(imag, part);
    Ok(e.op(ty, |b| complex::Create::create(b, real.ir(), imag.ir(), ty)))
}
