//! Operators on arrays, with NumPy's rules.

use super::{assignment::assign, promotion::weaken, records};
use crate::{
    inference::{
        emit::Emit,
        families::{
            elements::{element_type, elementwise, reduce, require_writable},
            numbers::compare_numbers,
            times, ufuncs,
        },
        issue::{Stop, Typing, stop},
        operator_kinds::{binary_symbol, no_operator},
        rules,
        val::Val,
    },
    infra::{
        OperationExt,
        ops::{marks, typed},
    },
    types::{display::display, number::Number},
};
use melior::ir::{Attribute, Type};
use pyopt_dialects::{
    enums::{CompareKind, PyBinaryKind, PyCompareKind, PyUnaryKind, ReduceKind, UnaryKind},
    times::Time,
    typed::array_type,
};

/// `lhs op rhs` with NumPy's rules, element by element, where one is an array or both are numbers.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if times::are_among(&[lhs, rhs]) {
        return times::binary(e, kind, lhs, rhs);
    }
    if kind == PyBinaryKind::Pow {
        check_exponent(e, lhs, rhs)?;
    }
    let operands = weaken(e, &[lhs, rhs])?;
    elementwise(e, &operands, |e, elements| {
        ufuncs::binary_element(e, kind, elements[0], elements[1])
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

/// `array op= rhs`: assigns to the array's elements.
pub(crate) fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    array: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    require_writable(array)?;
    let result = rules::binary(e, kind, array, rhs)?;
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
        let symbol = binary_symbol(kind);
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
        PyUnaryKind::Not => return stop(no_operator("not", &[array])),
    };
    ufuncs::unary_element(e, kind, array)
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
    if let Some(result) = records::compare(e, kind, lhs, rhs) {
        return result;
    }
    let integral =
        |operand: &Val| Number::of(element_type(*operand)).is_some_and(Number::is_integral);
    let operands = match [lhs, rhs].iter().all(integral) {
        true => vec![lhs, rhs],
        false => weaken(e, &[lhs, rhs])?,
    };
    elementwise(e, &operands, |e, elements| {
        compare_numbers(e, kind, elements[0], elements[1])
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
