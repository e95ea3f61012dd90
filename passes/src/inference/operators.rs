//! Python's operators, by the kinds of their operands.

mod compare;
mod power;
mod scalar;

pub(crate) use compare::{
    compare, compare_numbers, identity, symbol as compare_symbol, typed_kind,
};
pub(crate) use power::repeated_product;
pub(crate) use scalar::{check_divisor, scalar_binary, scalar_unary};

use super::{
    arrays,
    emit::{Emit, Val},
    issue::{Typing, stop},
    lists, optional, sequences, strings, times, tuples,
};
use crate::types::{
    display::{display, display_list},
    lists::is_any_list,
    number::is_scalar,
    sequences::is_list,
    tuples::elements,
};
use pyopt_dialects::{
    enums::{CompareKind, PyBinaryKind, PyUnaryKind, UnaryKind},
    typed::{TypedType, array_type},
};

/// How Python writes a binary operator.
pub(crate) const fn binary_symbol(kind: PyBinaryKind) -> &'static str {
    match kind {
        PyBinaryKind::Add => "+",
        PyBinaryKind::Sub => "-",
        PyBinaryKind::Mul => "*",
        PyBinaryKind::TrueDiv => "/",
        PyBinaryKind::FloorDiv => "//",
        PyBinaryKind::Mod => "%",
        PyBinaryKind::Pow => "**",
        PyBinaryKind::MatMul => "@",
        PyBinaryKind::And => "&",
        PyBinaryKind::Or => "|",
        PyBinaryKind::Xor => "^",
        PyBinaryKind::LShift => "<<",
        PyBinaryKind::RShift => ">>",
    }
}

/// `lhs op rhs`.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (lhs, rhs) = (optional::unwrap(e, lhs), optional::unwrap(e, rhs));
    if times::are_among(&[lhs, rhs]) {
        return times::binary(e, kind, lhs, rhs);
    }
    if array_type(lhs.ty).is_some() || array_type(rhs.ty).is_some() {
        return arrays::binary(e, kind, lhs, rhs);
    }
    if lhs.number().is_some() && rhs.number().is_some() {
        return scalar_binary(e, kind, lhs, rhs);
    }
    if let Some(result) = lists::binary(e, kind, lhs, rhs) {
        return result;
    }
    if kind == PyBinaryKind::Add
        && let (Some(a), Some(b)) = (tuples::unpack(e, lhs), tuples::unpack(e, rhs))
    {
        sequences::check_concatenation(lhs, rhs)?;
        let items = [a, b].concat();
        return Ok(match is_list(lhs.ty) {
            true => sequences::list(e, &items),
            false => e.tuple(&items),
        });
    }
    stop(no_operator(binary_symbol(kind), &[lhs, rhs]))
}

/// `lhs op= rhs`: changes an array in place, and gives a new value for everything else.
pub(crate) fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let lhs = optional::unwrap(e, lhs);
    let rhs = optional::unwrap(e, rhs);
    if array_type(lhs.ty).is_some() {
        return arrays::inplace(e, kind, lhs, rhs);
    }
    if is_any_list(lhs.ty) {
        return lists::inplace(e, kind, lhs, rhs);
    }
    binary(e, kind, lhs, rhs)
}

/// `op operand`.
pub(crate) fn unary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyUnaryKind,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if kind == PyUnaryKind::Not {
        let truth = truth(e, operand)?;
        return Ok(e.not(truth));
    }
    let operand = optional::unwrap(e, operand);
    if times::of(operand).is_some() && kind == PyUnaryKind::Neg {
        return times::unary(e, UnaryKind::Neg, operand);
    }
    if array_type(operand.ty).is_some() {
        return arrays::unary(e, kind, operand);
    }
    if times::of(operand).is_some() && kind == PyUnaryKind::Pos {
        return Ok(operand);
    }
    if operand.number().is_some() {
        return scalar_unary(e, kind, operand);
    }
    let symbol = match kind {
        PyUnaryKind::Neg => "unary -",
        PyUnaryKind::Pos => "unary +",
        PyUnaryKind::Invert => "~",
        PyUnaryKind::Not => "not",
    };
    stop(no_operator(symbol, &[operand]))
}

/// The truth value, as `bool(operand)` and branches ask for it.
pub(crate) fn truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    if operand.number().is_some() {
        if let Some(value) = operand.literal.and_then(|_| operand.literal_int()) {
            return Ok(e.bool(value != 0));
        }
        let i1 = e.i1();
        return Ok(e.cast(operand, i1));
    }
    if array_type(operand.ty).is_none() && times::of(operand).is_some() {
        return Ok(times::truth(e, operand));
    }
    if let Some(items) = elements(operand.ty) {
        return Ok(e.bool(!items.is_empty()));
    }
    match TypedType::from(operand.ty) {
        TypedType::None => Ok(e.bool(false)),
        TypedType::List(_) => Ok(lists::truth(e, operand)),
        TypedType::Optional(_) => {
            let (some, value) = optional::parts(e, operand);
            let truth = truth(e, value)?;
            Ok(e.and(some, truth))
        }
        TypedType::Named(_) | TypedType::Function(_) | TypedType::DType(_) => Ok(e.bool(true)),
        TypedType::Str | TypedType::Range(_) => {
            let length = strings::length(e, operand);
            let zero = e.int(0);
            Ok(e.compare(CompareKind::Ne, length, zero))
        }
        TypedType::Array(array) if is_scalar(array.element) => arrays::truth(e, operand),
        _ => stop(format!("{} has no truth value", display(operand.ty))),
    }
}

/// What to say when an operator isn't defined for its operands.
pub(crate) fn no_operator(symbol: &str, operands: &[Val]) -> String {
    let types = display_list(operands.iter().map(|operand| operand.ty));
    format!("no implementation of {symbol} for ({types})")
}
