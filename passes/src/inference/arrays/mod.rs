//! Arrays: operators, items and attributes, and NumPy's functions of arrays.
//!
//! Everything elementwise goes through [`elementwise`]; NumPy's functions of arrays are among the
//! [`functions`](super::functions).

mod advanced;
mod attributes;
mod elements;
mod flat;
mod indexing;
mod kernel;
mod only;
mod promotion;
mod reinterpret;
mod stencil;
mod stencil_options;

pub(crate) use attributes::{attribute, call_method, copy, permute, size, transpose};
pub(crate) use elements::{dimension, dimensions, empty, load, require_writable};
pub(crate) use flat::{flag, flat_item, flat_size, ndenumerate, ndindex, of_flags, set_flat_item};
pub(crate) use indexing::{assign, get_item, set_item};
pub(crate) use kernel::Kernel;
pub(crate) use only::{only_element, truth};
pub(crate) use promotion::weaken;
pub(crate) use reinterpret::{has_part, reinterpreted, set_part};
pub(crate) use stencil::{call_literal, finish as finish_stencils};

use super::{
    emit::{Emit, Val, values},
    functions,
    issue::{Stop, Typing, stop},
    operators, times,
};
use crate::{
    infra::{
        OperationExt,
        ops::{marks, typed},
    },
    types::{
        display::display,
        number::{Number, is_scalar},
    },
};
use melior::ir::{Attribute, Type};
use pyopt_dialects::{
    enums::{CompareKind, PyBinaryKind, PyCompareKind, PyUnaryKind, ReduceKind, UnaryKind},
    times::Time,
    typed::{ArrayType, Layout, array_type},
};

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
        .find(|operand| !is_scalar(element_type(**operand)))
    {
        return Err(
            Stop::issue(format!("{} can't be broadcast", display(wrong.ty)))
                .hint("arrays are computed with arrays, numbers and times"),
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

/// `lhs op rhs` with NumPy's rules, where one is an array or both are numbers.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if times::are_among(&[lhs, rhs]) {
        return times::binary(e, kind, lhs, rhs);
    }
    match kind {
        PyBinaryKind::MatMul => return functions::matmul(e, lhs, rhs),
        PyBinaryKind::Pow => check_exponent(e, lhs, rhs)?,
        _ => {}
    }
    let operands = weaken(e, &[lhs, rhs])?;
    elementwise(e, &operands, |e, elements| {
        functions::binary_element(e, kind, elements[0], elements[1])
    })
}

/// Raises ValueError for integers to negative powers, as NumPy does.
fn check_exponent<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    base: Val<'c, 'a>,
    exponent: Val<'c, 'a>,
) -> Typing<()> {
    const MESSAGE: &str = "Integers to negative integer powers are not allowed.";
    let number = |operand: Val<'c, 'a>| Number::of(element_type(operand));
    let (Some(base), Some(power)) = (number(base), number(exponent)) else {
        return Ok(());
    };
    let of_integers =
        base.is_integral() && power.is_integral() && base.promote(power).is_integral();
    if !of_integers || power.is_unsigned() {
        return Ok(());
    }
    match exponent.literal_int() {
        Some(..0) => return Err(Stop::Raises("ValueError", MESSAGE.into())),
        Some(_) => return Ok(()),
        None => {}
    }
    let mut negative = elementwise(e, &[exponent], |e, elements| {
        let zero = e.number(0, elements[0].ty);
        Ok(e.compare(CompareKind::Lt, elements[0], zero))
    })?;
    if array_type(negative.ty).is_some() {
        let i1 = e.i1();
        negative = reduce(e, ReduceKind::Any, negative, i1);
    }
    e.raise_if(negative, "ValueError", Some(MESSAGE));
    Ok(())
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

/// The type of an array's elements, or of a number itself.
pub(crate) fn element_type<'c>(operand: Val<'c, '_>) -> Type<'c> {
    array_type(operand.ty).map_or(operand.ty, |array| array.element)
}

/// `array op= rhs`: assigns to the array's elements.
pub(crate) fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    array: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    require_writable(array)?;
    let result = binary(e, kind, array, rhs)?;
    let rank = |operand: Val| array_type(operand.ty).map_or(0, |array| array.rank);
    if rank(result) != rank(array) {
        return stop(format!(
            "{} does not fit into {}: the operands are broadcast to {} dimensions",
            display(rhs.ty),
            display(array.ty),
            rank(result)
        ));
    }
    let (to, from) = (element_type(array), element_type(result));
    if times::are_among(&[array, result]) {
        assign(e, array, result)?;
        return Ok(array);
    }
    let (Some(to), Some(from)) = (Number::of(to), Number::of(from)) else {
        return Err(Stop::Unknown);
    };
    if !same_kind(from, to) {
        let symbol = operators::binary_symbol(kind);
        return Err(Stop::issue(format!(
            "{symbol}= can't cast its result from {} to {} with casting rule 'same_kind'",
            display(from.to_type(e.context())),
            display(to.to_type(e.context()))
        ))
        .hint(format!(
            "use a new array (a = a {symbol} b), or one whose elements hold the result"
        )));
    }
    let in_place = Attribute::unit(e.context());
    e.effect(|b| {
        typed::Assign::create(b, result.ir(), array.ir()).set_attr(marks::INPLACE, in_place)
    });
    Ok(array)
}

/// NumPy's `same_kind` casting: no float goes into an integer, no complex number into a float, no
/// signed integer into an unsigned one.
pub(crate) const fn same_kind(from: Number, to: Number) -> bool {
    const fn kind(number: Number) -> u8 {
        match number {
            Number::Bool => 0,
            Number::Int { signed: false, .. } => 1,
            Number::Int { signed: true, .. } => 2,
            Number::Float(_) => 3,
            Number::Complex(_) => 4,
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
    functions::unary_element(e, kind, array)
}

/// `lhs op rhs` for a comparison with NumPy's rules. Integers are compared as what they are, so
/// ints need not fit the integers of an array.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if times::are_among(&[lhs, rhs]) {
        return times::compare(e, kind, lhs, rhs);
    }
    let integral =
        |operand: &Val| Number::of(element_type(*operand)).is_some_and(Number::is_integral);
    let operands = match [lhs, rhs].iter().all(integral) {
        true => vec![lhs, rhs],
        false => weaken(e, &[lhs, rhs])?,
    };
    elementwise(e, &operands, |e, elements| {
        operators::compare_numbers(e, kind, elements[0], elements[1])
    })
}

/// A type that is called with an array: `np.float32(array)`; `array.astype(np.float32)`.
pub(crate) fn convert<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    element: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    if times::of(array).is_some() || Time::of(element).is_some() {
        return times::astype(e, array, element);
    }
    elementwise(e, &[array], |e, elements| e.coerce(elements[0], element))
}
