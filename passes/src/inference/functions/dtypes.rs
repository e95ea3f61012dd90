//! Scalar types as values: names, dtype arguments, conversions.

use super::texts;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{arrays, texts as text_values, times},
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::ops::complex,
    types::{layout::element_size, number::Number},
};
use melior::ir::Type;
use pyopt_dialects::{records::Record, times::Time, typed::array_type};

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
    if Record::of(element).is_some() {
        return match name {
            "kind" => Some(e.string("V")),
            "itemsize" => Some(e.int(element_size(element))),
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
    if arguments.function == "builtins.int" {
        let mut arguments = arguments.clone();
        if let (&[x], &[("base", base)]) = (
            arguments.positional.as_slice(),
            arguments.keywords.as_slice(),
        ) {
            arguments.positional = vec![x, base];
            arguments.keywords.clear();
        }
        if arguments.positional.len() == 2 {
            return text_values::integer(e, &arguments)
                .ok_or_else(|| arguments.no_implementation());
        }
    }
    let [operand] = arguments.bind(["x"], 0)?;
    let Some(operand) = operand else {
        return Ok(e.number(0, ty));
    };
    if !arguments.function.starts_with("builtins.") {
        let array = arrays::of_items(e, operand)?;
        if array_type(array.ty).is_some() {
            return arrays::convert(e, array, ty);
        }
    }
    if to == Number::Bool {
        return rules::truth(e, operand);
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
            None => text_values::integer(e, arguments).ok_or_else(|| arguments.no_implementation()),
        },
        ("builtins.float", None) => match operand.literal_str().and_then(texts::float) {
            Some(value) => Ok(e.float(value)),
            None if text_values::has_characters(operand.ty) => Ok(text_values::float(e, operand)),
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
