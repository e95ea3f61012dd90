//! Arrays: operators, items and attributes, and NumPy's functions of arrays.
//!
//! Everything elementwise goes through [`elementwise`]; functions are in the tables of families,
//! joined in [`FUNCTIONS`].

mod elements;

pub(crate) use elements::{dimension, get_item, set_item};

use super::{
    display::display,
    emit::{Emit, Val},
    functions::{Arguments, Table, binary_element},
    issue::{Stop, Typing, stop},
    number::Number,
    operators,
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{BinaryKind, PyBinaryKind, PyCompareKind, PyUnaryKind, UnaryKind},
    typed::{ArrayType, Layout, array_type},
};

/// NumPy's functions of arrays.
pub(crate) const FUNCTIONS: Table = &[];

/// Applies a scalar function to each element of arrays that are broadcast together, or to
/// scalars. Constants are made again inside, where the function sees them as such.
pub(crate) fn elementwise<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operands: &[Val<'c, 'a>],
    function: impl Fn(&mut Emit<'_, 'c, 'a>, &[Val<'c, 'a>]) -> Typing<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let arrays: Vec<ArrayType> = operands
        .iter()
        .filter_map(|operand| array_type(operand.ty))
        .collect();
    let Some(rank) = arrays.iter().map(|array| array.rank).max() else {
        return function(e, operands);
    };
    if let Some(wrong) = operands
        .iter()
        .find(|operand| array_type(operand.ty).is_none() && operand.number().is_none())
    {
        return Err(
            Stop::issue(format!("{} can't be broadcast", display(wrong.ty)))
                .hint("arrays are computed with arrays and numbers"),
        );
    }
    let layout = if arrays
        .iter()
        .all(|array| array.layout == Layout::F && array.rank == rank)
    {
        Layout::F
    } else {
        Layout::C
    };
    let is_constant = |operand: &Val| operand.literal.is_some();
    let inputs: Vec<_> = operands
        .iter()
        .filter(|operand| !is_constant(operand))
        .copied()
        .collect();
    let arguments: Vec<Type> = inputs
        .iter()
        .map(|input| array_type(input.ty).map_or(input.ty, |array| array.element))
        .collect();
    e.region_op(
        "typed.array_expr",
        &inputs,
        &arguments,
        &[],
        |e, elements| {
            let mut elements = elements.iter().copied();
            let operands: Vec<_> = operands
                .iter()
                .filter_map(|operand| match operand.literal {
                    Some(literal) => Some(e.constant(literal, operand.ty)),
                    None => elements.next(),
                })
                .collect();
            function(e, &operands)
        },
        |e, element| {
            ArrayType {
                layout,
                ..ArrayType::contiguous(rank, element)
            }
            .to_type(e.context())
        },
    )
}

/// `lhs op rhs` where one is an array.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    elementwise(e, &[lhs, rhs], |e, elements| {
        binary_element(e, kind, elements[0], elements[1])
    })
}

/// `array op= rhs`: assigns to the array's elements.
pub(crate) fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    array: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    elements::writable(array)?;
    let result = binary(e, kind, array, rhs)?;
    let (Some(to), Some(from)) = (array_type(array.ty), array_type(result.ty)) else {
        return stop("an in-place operator changes an array");
    };
    let (Some(to), Some(from)) = (Number::of(to.element), Number::of(from.element)) else {
        return Err(Stop::Unknown);
    };
    if !same_kind(from, to) {
        return Err(Stop::issue(format!(
            "{}= gives {} for {}, which can't hold it",
            operators::binary_symbol(kind),
            display(from.to_type(e.context())),
            display(array.ty)
        ))
        .hint("use an array of a wider type"));
    }
    e.effect("typed.assign", &[result, array], &[]);
    Ok(array)
}

/// NumPy's `same_kind` casting: no float goes into an integer, no complex number into a float.
const fn same_kind(from: Number, to: Number) -> bool {
    const fn kind(number: Number) -> u8 {
        match number {
            Number::Bool => 0,
            Number::Int { .. } => 1,
            Number::Float(_) => 2,
            Number::Complex(_) => 3,
        }
    }
    kind(from) <= kind(to)
}

/// `op array`.
pub(crate) fn unary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyUnaryKind,
    array: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let kind = match kind {
        PyUnaryKind::Neg => UnaryKind::Neg,
        PyUnaryKind::Invert => UnaryKind::Invert,
        PyUnaryKind::Pos => return elementwise(e, &[array], |_, elements| Ok(elements[0])),
        PyUnaryKind::Not => return stop(operators::no_operator("not", &[array])),
    };
    super::functions::unary_element(e, kind, array)
}

/// `lhs op rhs` for a comparison where one is an array.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    elementwise(e, &[lhs, rhs], |e, elements| {
        operators::compare_numbers(e, kind, elements[0], elements[1])
    })
}

/// A type that is called with an array: `np.float32(array)`.
pub(crate) fn convert<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    element: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    elementwise(e, &[array], |e, elements| e.coerce(elements[0], element))
}

/// `array.name`, `None` for an attribute that arrays don't have.
pub(crate) fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    name: &str,
) -> Typing<Option<Val<'c, 'a>>> {
    let Some(ArrayType { rank, .. }) = array_type(array.ty) else {
        return Ok(None);
    };
    Ok(Some(match name {
        "ndim" => e.int(rank as i64),
        "shape" => {
            let sizes: Vec<_> = (0..rank).map(|index| dimension(e, array, index)).collect();
            e.tuple(&sizes)
        }
        "size" => size(e, array),
        _ => return Ok(None),
    }))
}

/// The number of elements.
pub(crate) fn size<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Val<'c, 'a> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    let mut size = None;
    for index in 0..rank {
        let dimension = dimension(e, array, index);
        size = Some(match size {
            None => dimension,
            Some(size) => e.binary(BinaryKind::Mul, size, dimension),
        });
    }
    size.unwrap_or_else(|| e.int(1))
}

/// `receiver.name(arguments)` of an array.
pub(crate) fn call_method<'c, 'a>(
    _: &mut Emit<'_, 'c, 'a>,
    receiver: Val<'c, 'a>,
    name: &str,
    _: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    stop(format!(
        "unknown method '{name}' of type {}",
        display(receiver.ty)
    ))
}

/// Calls a value that is known by its type: a stencil.
pub(crate) fn call_literal<'c, 'a>(
    _: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    _: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    stop(format!("{} can't be called", display(callee.ty)))
}
