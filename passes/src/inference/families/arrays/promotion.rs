//! NumPy's promotion of scalars beside arrays: Python's own numbers are weak, so that
//! `float32_array * 2.0` stays `float32`.
//!
//! `int64`, `float64` and `complex128` scalars count as Python's numbers; narrower ones come from
//! NumPy and are promoted like arrays.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing},
        val::Val,
    },
    types::{display::display, number::Number},
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind},
    typed::array_type,
};

/// The operands with weak scalars converted to the numbers that the arrays among them ask for.
/// Without arrays nothing changes. An int that the arrays' integers don't hold raises
/// OverflowError.
pub(crate) fn weaken<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operands: &[Val<'c, 'a>],
) -> Typing<Vec<Val<'c, 'a>>> {
    let arrays = operands
        .iter()
        .filter_map(|operand| Number::of(array_type(operand.ty)?.element))
        .reduce(Number::promote);
    let Some(arrays) = arrays else {
        return Ok(operands.to_vec());
    };
    operands
        .iter()
        .map(
            |&operand| match operand.number().and_then(|number| weak(number, arrays)) {
                Some(number) => convert(e, operand, number),
                None => Ok(operand),
            },
        )
        .collect()
}

/// What a weak scalar becomes beside arrays; `None` for one that keeps its type.
fn weak(scalar: Number, arrays: Number) -> Option<Number> {
    match (scalar, arrays) {
        (Number::INT64, Number::Int { .. } | Number::Float(_) | Number::Complex(_))
        | (Number::FLOAT64, Number::Float(_) | Number::Complex(_))
        | (Number::Complex(64), Number::Complex(_)) => Some(arrays),
        (Number::Complex(64), Number::Float(width)) => Some(Number::Complex(width.max(32))),
        _ => None,
    }
    .filter(|number| *number != scalar)
}

fn convert<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    scalar: Val<'c, 'a>,
    number: Number,
) -> Typing<Val<'c, 'a>> {
    let ty = number.to_type(e.context());
    if let Number::Int { width, signed } = number {
        check_range(e, scalar, width, signed)?;
    }
    match (number, scalar.literal_int(), scalar.literal_float()) {
        (Number::Int { .. }, Some(value), _) => Ok(e.int_of(value, ty)),
        (Number::Float(_), Some(value), _) => Ok(e.float_of(value as f64, ty)),
        (Number::Float(_), _, Some(value)) => Ok(e.float_of(value, ty)),
        (Number::Complex(width), whole, real) if whole.is_some() || real.is_some() => {
            let real = real.or(whole.map(|value| value as f64));
            Ok(e.complex(real.unwrap_or_default(), 0.0, Number::Float(width)))
        }
        _ => Ok(e.cast(scalar, ty)),
    }
}

/// Raises OverflowError for an int that integers of a width don't hold.
fn check_range<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    scalar: Val<'c, 'a>,
    width: u32,
    signed: bool,
) -> Typing<()> {
    let (lowest, highest) = range(width, signed);
    let name = display(Number::Int { width, signed }.to_type(e.context()));
    if let Some(value) = scalar.literal_int() {
        if (lowest..=highest).contains(&value) {
            return Ok(());
        }
        let message = format!("Python integer {value} out of bounds for {name}");
        return Err(Stop::Raises("OverflowError", message));
    }
    let message = format!("Python integer out of bounds for {name}");
    for (kind, bound) in [(CompareKind::Lt, lowest), (CompareKind::Gt, highest)] {
        if is_open(bound) {
            continue;
        }
        let bound = e.int(bound);
        let outside = e.compare(kind, scalar, bound);
        e.raise_if(outside, "OverflowError", Some(&message));
    }
    Ok(())
}

/// The least and the largest signed word that integers of a width hold.
fn range(width: u32, signed: bool) -> (i64, i64) {
    match (width, signed) {
        (64, true) => (i64::MIN, i64::MAX),
        (64, false) => (0, i64::MAX),
        (width, true) => (-1 << (width - 1), (1 << (width - 1)) - 1),
        (width, false) => (0, (1 << width) - 1),
    }
}

/// Whether no signed word is beyond a bound.
fn is_open(bound: i64) -> bool {
    bound == i64::MIN || bound == i64::MAX
}

/// A bound of an array's integers that is a Python int: where none of them is beyond it, the last one that
/// they can be. What the kind compares integers with is the lower bound if it is "less than".
pub(crate) fn bound_in_range<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    bound: Val<'c, 'a>,
    kind: CompareKind,
) -> Val<'c, 'a> {
    let element = array_type(array.ty).and_then(|array| Number::of(array.element));
    let (Some(Number::Int { width, signed }), Some(Number::INT64)) = (element, bound.number())
    else {
        return bound;
    };
    let (lowest, highest) = range(width, signed);
    let (last, nearer): (i64, fn(i64, i64) -> i64) = match kind {
        CompareKind::Lt => (lowest, i64::max),
        _ => (highest, i64::min),
    };
    if is_open(last) {
        return bound;
    }
    if let Some(value) = bound.literal_int() {
        return e.int(nearer(value, last));
    }
    let last = e.int(last);
    let nearer = match kind {
        CompareKind::Lt => BinaryKind::Max,
        _ => BinaryKind::Min,
    };
    e.binary(nearer, bound, last)
}
