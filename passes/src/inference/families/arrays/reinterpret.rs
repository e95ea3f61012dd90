//! Views of the same memory as other elements: parts of complex numbers, `array.view(dtype)`; and
//! how far elements are from each other.

use super::assignment::assign;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            dtypes::dtype_argument,
            elements::{dimension, element_type, reinterpret, require_writable},
        },
        issue::{Stop, Typing},
        val::Val,
    },
    infra::ops::typed,
    types::{display::display, layout::element_size, number::Number},
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind},
    records::Record,
    typed::{ArrayType, Layout, array_type},
};

/// Whether elements have a real and an imaginary part.
pub(crate) fn has_parts(element: Type) -> bool {
    matches!(Number::of(element), Some(Number::Complex(_)))
}

/// `array.real` or `array.imag` of complex numbers: what is assigned to it goes to the array.
pub(crate) fn part<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    name: &str,
) -> Val<'c, 'a> {
    let element = Number::of(element_type(array));
    let (Some(source), Some(Number::Complex(width))) = (array_type(array.ty), element) else {
        return array;
    };
    let result = ArrayType {
        element: Number::Float(width).to_type(e.context()),
        layout: match source.layout {
            Layout::Bytes => Layout::Bytes,
            _ => Layout::A,
        },
        ..source
    };
    let offset = if name == "imag" { width / 8 } else { 0 };
    reinterpret(e, array, result, offset.into())
}

/// Whether an attribute of a value is one of the parts of an array's complex numbers.
pub(crate) fn has_part(object: Val, name: &str) -> bool {
    matches!(name, "real" | "imag")
        && array_type(object.ty).is_some_and(|array| has_parts(array.element))
}

/// `array.real = value` or `array.imag = value`.
pub(crate) fn set_part<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    name: &str,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let target = part(e, array, name);
    require_writable(target)?;
    assign(e, target, value)
}

/// `array.view(dtype)`.
pub(crate) fn view<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [dtype] = arguments.bind(["dtype"], 0)?;
    let (Some(source), Some(dtype)) = (array_type(array.ty), dtype) else {
        return Ok(array);
    };
    let element = dtype_argument(e, dtype)?;
    let is_bool = |element| Number::of(element) == Some(Number::Bool);
    if is_bool(element) && !is_bool(source.element) {
        return Err(Stop::issue(format!(
            "bytes of {} can't be seen as bools",
            display(array.ty)
        ))
        .hint("compare the elements: a != 0"));
    }
    let is_record = |element| Record::of(element).is_some();
    if is_record(element) != is_record(source.element) {
        return Err(Stop::issue(format!(
            "{} can't be seen as {}",
            display(array.ty),
            display(element)
        ))
        .hint("view it outside, and pass that"));
    }
    let (from, to) = (element_size(source.element), element_size(element));
    if from != to {
        if source.layout != Layout::C || source.rank == 0 {
            return Err(Stop::issue(format!(
                "{} can't be seen as elements of another size",
                display(array.ty)
            ))
            .hint("make it contiguous first: np.ascontiguousarray(a)"));
        }
        let last = dimension(e, array, source.rank - 1);
        let [from, to] = [from, to].map(|size| e.int(size));
        let bytes = e.binary(BinaryKind::Mul, last, from);
        let rest = e.binary(BinaryKind::Mod, bytes, to);
        let zero = e.int(0);
        let uneven = e.compare(CompareKind::Ne, rest, zero);
        let message = "When changing to a larger dtype, its size must be a divisor of the total \
                       size in bytes of the last axis of the array.";
        e.raise_if(uneven, "ValueError", Some(message));
    }
    Ok(reinterpret(e, array, ArrayType { element, ..source }, 0))
}

/// `array.strides`, in bytes.
pub(crate) fn strides<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Val<'c, 'a> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    let si64 = e.si64();
    let strides: Vec<_> = (0..rank)
        .map(|index| {
            e.op(si64, |b| {
                typed::Stride::create(b, array.ir(), index as i64, si64)
            })
        })
        .collect();
    e.tuple(&strides)
}
