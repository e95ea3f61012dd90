//! Elements and sizes of arrays: what everything that goes over arrays is made of.
//!
//! Everything elementwise goes through [`elementwise`].

use crate::{
    inference::{
        emit::Emit,
        families::wrappers,
        issue::{Stop, Typing},
        val::{Val, values},
    },
    infra::ops::typed,
    types::{display::display, number::is_scalar},
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, ReduceKind},
    typed::{ArrayType, Layout, array_type},
};

/// A new array, its elements undefined or zero.
pub(crate) fn empty<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sizes: &[Val<'c, 'a>],
    array: ArrayType<'c>,
    zeroed: bool,
) -> Val<'c, 'a> {
    let ty = array.to_type(e.context());
    e.op(ty, |b| {
        let empty = typed::Empty::create(b, &values(sizes), &[], ty);
        empty.set_zeroed(zeroed);
        empty
    })
}

/// The size of a dimension.
pub(crate) fn dimension<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: usize,
) -> Val<'c, 'a> {
    let si64 = e.si64();
    e.op(si64, |b| {
        typed::Dim::create(b, array.ir(), index as i64, si64)
    })
}

/// The sizes of all dimensions.
pub(crate) fn dimensions<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    (0..rank).map(|index| dimension(e, array, index)).collect()
}

/// The element at one integer or index a dimension.
pub(crate) fn load<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    indices: &[Val<'c, 'a>],
) -> Val<'c, 'a> {
    let ty = element_type(array);
    e.op(ty, |b| {
        let load = typed::Load::create(b, array.ir(), &values(indices), ty);
        load.set_wraparound(may_be_negative(indices));
        load
    })
}

/// Assigns to the element at one integer a dimension.
pub(crate) fn store<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    indices: &[Val<'c, 'a>],
    value: Val<'c, 'a>,
) -> Typing<()> {
    let value = e.coerce(value, element_type(array))?;
    e.effect(|b| {
        let store = typed::Store::create(b, value.ir(), array.ir(), &values(indices));
        store.set_wraparound(may_be_negative(indices));
    });
    Ok(())
}

/// Raises IndexError for an int that names no element of its dimension, where that is asked for.
/// Among the subscripts, None makes a new dimension and takes none of the array's.
pub(crate) fn check_bounds<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    subscripts: &[Val<'c, 'a>],
) {
    if !e.checks_bounds() {
        return;
    }
    let taken = subscripts.iter().filter(|subscript| !subscript.is_none());
    for (index, &subscript) in taken.enumerate() {
        if subscript.number().is_none() {
            continue;
        }
        let size = dimension(e, array, index);
        let zero = e.int(0);
        let first = e.binary(BinaryKind::Sub, zero, size);
        let below = e.compare(CompareKind::Lt, subscript, first);
        let above = e.compare(CompareKind::Ge, subscript, size);
        let outside = e.or(below, above);
        let message = format!("index {{}} is out of bounds for axis {index} with size {{}}");
        e.raise_with(outside, "IndexError", &message, &[subscript, size]);
    }
}

/// Raises IndexError, where bounds are checked, for an index that was a `uint64` above 2^63: cast to
/// `int64` it is negative, and would count from the end.
pub(crate) fn check_fits<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, word: Val<'c, 'a>) {
    if e.checks_bounds() {
        let zero = e.int(0);
        let above = e.compare(CompareKind::Lt, word, zero);
        e.raise_if(above, "IndexError", Some("index is out of bounds"));
    }
}

/// Whether an index may be negative.
fn may_be_negative(indices: &[Val]) -> bool {
    indices.iter().any(|index| {
        // What is no number is an index of a counted loop.
        index.number().is_some_and(|number| !number.is_unsigned())
            && index.literal_int().is_none_or(|index| index < 0)
    })
}

/// Reports an array that can't be assigned to.
pub(crate) fn require_writable(array: Val) -> Typing<()> {
    match array_type(array.ty) {
        Some(ArrayType { readonly: true, .. }) => Err(Stop::issue(format!(
            "can't assign to {}",
            display(array.ty)
        ))
        .hint("make a copy first: a = a.copy()")),
        _ => Ok(()),
    }
}

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
    let held: Vec<_> = operands
        .iter()
        .map(|&operand| wrappers::held(e, operand))
        .collect();
    let operands = held.as_slice();
    if let Some(wrong) = operands
        .iter()
        .find(|operand| !is_scalar(element_type(**operand)))
    {
        return Err(
            Stop::issue(format!("{} can't be broadcast", display(wrong.ty)))
                .hint("arrays are computed with arrays, numbers and times"),
        );
    }
    let in_fortran_order = operands
        .iter()
        .filter_map(|operand| Some((operand, array_type(operand.ty)?)))
        .all(|(operand, array)| array.rank == rank && operand.memory_order() == Some(Layout::F));
    let layout = match in_fortran_order {
        true => Layout::F,
        false => Layout::C,
    };
    let is_constant = |operand: &Val| operand.literal.is_some() && operand.number().is_some();
    let inputs: Vec<_> = operands
        .iter()
        .filter(|operand| !is_constant(operand))
        .copied()
        .collect();
    let arguments: Vec<Type> = inputs
        .iter()
        .map(|input| array_type(input.ty).map_or(input.ty, |array| array.element))
        .collect();
    let result = e.region_op(
        &arguments,
        |b, ty| typed::ArrayExpr::create(b, &values(&inputs), ty),
        |e, elements| {
            let mut elements = elements.iter().copied();
            let operands: Vec<_> = operands
                .iter()
                .filter_map(|operand| match operand.literal {
                    Some(literal) if is_constant(operand) => Some(e.constant(literal, operand.ty)),
                    _ => elements.next(),
                })
                .collect();
            // A function of the program's may give anything, and nothing where it is wrong itself.
            let element = function(e, &operands)?;
            let element = wrappers::held(e, element);
            match is_scalar(element.ty) {
                true => Ok(element),
                false => Err(Stop::issue(format!(
                    "no array holds {}, which the function gives for an element",
                    display(element.ty)
                ))),
            }
        },
        |e, element| {
            ArrayType {
                layout,
                ..ArrayType::contiguous(rank, element)
            }
            .to_type(e.context())
        },
    )?;
    // NumPy gives a number for operations on arrays without dimensions.
    Ok(match rank {
        0 => load(e, result, &[]),
        _ => result,
    })
}

/// The type of an array's elements, or of a number itself.
pub(crate) fn element_type<'c>(operand: Val<'c, '_>) -> Type<'c> {
    array_type(operand.ty).map_or(operand.ty, |array| array.element)
}

/// Reduces all elements of an array to one number of a type.
pub(crate) fn reduce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: ReduceKind,
    array: Val<'c, 'a>,
    ty: Type<'c>,
) -> Val<'c, 'a> {
    e.op(ty, |b| typed::Reduce::create(b, kind, array.ir(), ty))
}

/// The number of elements.
pub(crate) fn size<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Val<'c, 'a> {
    dimensions(e, array)
        .into_iter()
        .reduce(|size, dimension| e.binary(BinaryKind::Mul, size, dimension))
        .unwrap_or_else(|| e.int(1))
}

/// The array as elements of another type of the same size.
pub(crate) fn reinterpreted<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    result: ArrayType<'c>,
) -> Val<'c, 'a> {
    reinterpret(e, array, result, 0)
}

/// The array as elements of another type, from so many bytes on.
pub(crate) fn reinterpret<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    result: ArrayType<'c>,
    offset: i64,
) -> Val<'c, 'a> {
    let ty = result.to_type(e.context());
    e.op(ty, |b| {
        let view = typed::Reinterpret::create(b, array.ir(), ty);
        view.set_offset(offset);
        view
    })
}
