//! What families of operations ask of each other, by the emitter's table of [`Rules`].
//!
//! [`Rules`]: super::emit::Rules

use crate::inference::{arguments::Arguments, emit::Emit, issue::Typing, val::Val};
use melior::ir::Attribute;
use pyopt_dialects::enums::{PyBinaryKind, PyCompareKind, PyUnaryKind};
use pyopt_library::Source;

/// `op operand`.
pub(crate) fn unary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyUnaryKind,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.unary)(e, kind, operand)
}

/// `lhs op rhs`.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.binary)(e, kind, lhs, rhs)
}

/// `lhs op= rhs`: the value that the left side is from now on.
pub(crate) fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.inplace)(e, kind, lhs, rhs)
}

/// `lhs op rhs` for a comparison.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.compare)(e, kind, lhs, rhs)
}

/// `lhs is rhs`.
pub(crate) fn identity<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.identity)(e, lhs, rhs)
}

/// `item in container`.
pub(crate) fn contains<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    item: Val<'c, 'a>,
    container: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.contains)(e, item, container)
}

/// The truth value, as `bool(operand)` and branches ask for it.
pub(crate) fn truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    (e.rules.truth)(e, operand)
}

/// `iter(operand)`.
pub(crate) fn iterate<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.iterate)(e, operand)
}

/// `object.name`.
pub(crate) fn attribute<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    name: &str,
) -> Typing<Val<'c, 'a>> {
    (e.rules.attribute)(e, object, name)
}

/// `object[index]`.
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.item)(e, object, index)
}

/// `object[index] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    object: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    (e.rules.set_item)(e, object, index, value)
}

/// `callee(arguments)`.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    arguments: Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.call)(e, callee, arguments)
}

/// Calls what a qualified name stands for.
pub(crate) fn call_named<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.call_named)(e, name, arguments)
}

/// Calls the Python function of a symbol, specialised for the types of the arguments.
pub(crate) fn call_function<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    symbol: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.call_function)(e, symbol, arguments)
}

/// A constant of the code, a default or a binding.
pub(crate) fn constant<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Attribute<'c>,
) -> Typing<Val<'c, 'a>> {
    (e.rules.constant)(e, value)
}

/// Calls a function of the overload library. Where that sees what a sequence holds, one that nobody changes is
/// a tuple to it. To others it is an object of its class: a list equals other lists and no tuple, a named tuple
/// keeps its name.
pub(crate) fn call_library<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    source: &'static Source,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut arguments = arguments.clone();
    if source.sees_tuples() {
        for (at, value) in arguments.positional.iter_mut().enumerate() {
            if !source.changed.contains(&at) {
                *value = e.as_tuple(*value);
            }
        }
    }
    call_function(e, source.symbol, &arguments)
}
