//! Python's operators, by the kinds of their operands.

use super::compare::compare;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            arrays, lists,
            numbers::{scalar_binary, scalar_unary},
            optional, overloads, packed_keywords, sequences, strings, tables, texts, times,
            wrappers,
        },
        functions,
        issue::{Stop, Typing, stop},
        operator_kinds::{binary_symbol, no_operator},
        rules,
        val::Val,
    },
    types::{
        display::display,
        lists::is_any_list,
        number::{Number, is_scalar},
        optional::{is_optional, is_seen_when_absent},
        sequences::{held, is_list, is_own, is_structure, keyword_names, member_number},
        tables::Table,
        tuples::elements,
    },
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{CompareKind, PyBinaryKind, PyCompareKind, PyUnaryKind, UnaryKind},
    typed::{TypedType, array_type},
};
use pyopt_library as library;

/// `lhs op rhs`.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = [lhs, rhs].map(|side| optional::unwrap(e, side));
    if kind == PyBinaryKind::Mod {
        let template = wrappers::held(e, lhs);
        // What a text is filled with says itself how it is written.
        if texts::has_characters(template.ty)
            && let Some(filled) = texts::binary(e, kind, template, rhs)
        {
            return filled;
        }
    }
    let (lhs, rhs) = (beside(e, lhs, rhs)?, beside(e, rhs, lhs)?);
    let [lhs, rhs] = [lhs, rhs].map(|side| wrappers::held(e, side));
    if times::are_among(&[lhs, rhs]) {
        return times::binary(e, kind, lhs, rhs);
    }
    if array_type(lhs.ty).is_some() || array_type(rhs.ty).is_some() {
        return match kind {
            PyBinaryKind::MatMul => functions::matmul(e, lhs, rhs),
            _ => arrays::binary(e, kind, lhs, rhs),
        };
    }
    if lhs.number().is_some() && rhs.number().is_some() {
        return scalar_binary(e, kind, lhs, rhs);
    }
    if let Some(result) = texts::binary(e, kind, lhs, rhs) {
        return result;
    }
    if let Some(result) = lists::binary(e, kind, lhs, rhs) {
        return result;
    }
    if let Some(result) = tables::binary(e, kind, lhs, rhs) {
        return result;
    }
    if kind == PyBinaryKind::Add
        && let (Some(a), Some(b)) = (e.unpack(lhs), e.unpack(rhs))
    {
        sequences::check_concatenation(lhs, rhs)?;
        let items = [a, b].concat();
        return Ok(match is_list(lhs.ty) {
            true => e.list(&items),
            false => e.tuple(&items),
        });
    }
    if kind == PyBinaryKind::Mul
        && let Some(items) = repeated(e, lhs, rhs)
    {
        return Ok(e.tuple(&items));
    }
    let stop = Stop::issue(no_operator(binary_symbol(kind), &[lhs, rhs]));
    let is_text = |value: Val| TypedType::from(value.ty) == TypedType::Str;
    let joins = |text, other: Val| is_text(text) && Number::of(other.ty).is_some();
    match kind == PyBinaryKind::Add && (joins(lhs, rhs) || joins(rhs, lhs)) {
        true => Err(stop.hint("make a text of the number with str(…)")),
        false => Err(stop),
    }
}

/// An array as one beside another operand: to NumPy a member of an enumeration is an int of 64 bits, where an
/// int of Python's is of the type of the array.
fn beside<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    other: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let held = held(other.ty).and_then(Number::of);
    let element = array_type(array.ty).and_then(|array| Number::of(array.element));
    match held.zip(element) {
        Some((held, element)) if element.promote(held) != element => {
            let element = element.promote(held).to_type(e.context());
            arrays::convert(e, array, element)
        }
        _ => Ok(array),
    }
}

/// The items of a tuple that is repeated as often as a constant says: what has a type for each item is small.
fn repeated<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Vec<Val<'c, 'a>>> {
    const MOST_ITEMS: usize = 1000;
    let (tuple, times) = match (lhs.literal_int(), rhs.literal_int()) {
        (None, Some(times)) => (lhs, times),
        (Some(times), None) => (rhs, times),
        _ => return None,
    };
    let items = e.unpack(tuple)?;
    let times = usize::try_from(times).unwrap_or(0);
    (times.saturating_mul(items.len()) <= MOST_ITEMS).then(|| items.repeat(times))
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
    let held = wrappers::held(e, lhs);
    if held.ty != lhs.ty {
        return inplace(e, kind, held, rhs);
    }
    let rhs = wrappers::held(e, rhs);
    if array_type(lhs.ty).is_some() {
        return arrays::inplace(e, kind, lhs, rhs);
    }
    if is_any_list(lhs.ty) {
        return lists::inplace(e, kind, lhs, rhs);
    }
    if Table::of(lhs.ty).is_some() {
        return tables::inplace(e, kind, lhs, rhs);
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
    let operand = wrappers::held(e, operand);
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
    if let TypedType::Optional(value) = TypedType::from(operand.ty)
        && !is_seen_when_absent(value)
    {
        let source = library::find("pyopt.optional_truth").ok_or(Stop::Unknown)?;
        return rules::call_library(e, source, &Arguments::new(&[operand], None));
    }
    if let Some(overloaded) = overloads::truth(e, operand)? {
        return known_truth(e, overloaded);
    }
    if is_own(operand.ty)
        && let Some(length) = overloads::length(e, operand)?
    {
        return known_truth(e, length);
    }
    known_truth(e, operand)
}

/// The truth value, without overloads.
fn known_truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let operand = wrappers::held(e, operand);
    if member_number(operand.ty).is_some() || is_structure(operand.ty) {
        return Ok(e.bool(true));
    }
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
    let count = elements(operand.ty).map(|items| items.len());
    if let Some(count) = count.or_else(|| packed_keywords::count(operand)) {
        return Ok(e.bool(count > 0));
    }
    match TypedType::from(operand.ty) {
        TypedType::None => Ok(e.bool(false)),
        TypedType::List(_) => Ok(lists::truth(e, operand)),
        TypedType::Dict(_) | TypedType::Set(_) | TypedType::DictView(..) => {
            Ok(tables::truth(e, operand))
        }
        TypedType::Optional(_) => {
            let (some, value) = optional::parts(e, operand);
            let truth = truth(e, value)?;
            Ok(e.and(some, truth))
        }
        TypedType::Named(_) | TypedType::Function(_) | TypedType::DType(_) => Ok(e.bool(true)),
        TypedType::Str | TypedType::Bytes | TypedType::Range(_) => {
            let length = strings::length(e, operand);
            let zero = e.int(0);
            Ok(e.compare(CompareKind::Ne, length, zero))
        }
        TypedType::Array(array) if is_scalar(array.element) => arrays::truth(e, operand),
        _ => stop(format!("{} has no truth value", display(operand.ty))),
    }
}

/// Whether a container looks an item up, and has no None: what is None isn't in it.
fn looks_up(container: Type) -> bool {
    match TypedType::from(container) {
        TypedType::Dict(_) | TypedType::Set(_) | TypedType::Range(_) => true,
        TypedType::DictView(_, part) => part.ends_with("keys"),
        _ => false,
    }
}

/// `item in container`: for tuples here, else by the library.
pub(crate) fn contains<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    item: Val<'c, 'a>,
    container: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let container = optional::unwrap(e, container);
    let container = wrappers::held(e, container);
    if is_optional(item.ty) && looks_up(container.ty) {
        let source = library::find("pyopt.optional_contains").ok_or(Stop::Unknown)?;
        return rules::call_library(e, source, &Arguments::new(&[item, container], None));
    }
    if let TypedType::Dict(_) | TypedType::Set(_) | TypedType::DictView(..) =
        TypedType::from(container.ty)
    {
        return tables::contains(e, item, container);
    }
    if keyword_names(container.ty).is_some() {
        return packed_keywords::contains(e, item, container);
    }
    let source = match TypedType::from(container.ty) {
        TypedType::Array(_) => library::method("__contains__"),
        TypedType::Range(_) => library::find("range.__contains__"),
        TypedType::List(_) => library::find("list.__contains__"),
        TypedType::Str => library::find("str.__contains__"),
        TypedType::Bytes => library::find("bytes.__contains__"),
        _ => None,
    };
    if let Some(source) = source {
        let item = match TypedType::from(container.ty) {
            // Comparisons know None.
            TypedType::List(_) | TypedType::Array(_) => item,
            TypedType::Str => {
                let item = optional::unwrap(e, item);
                wrappers::held(e, item)
            }
            _ => optional::unwrap(e, item),
        };
        return rules::call_library(e, source, &Arguments::new(&[container, item], None));
    }
    let Some(elements) = e.unpack(container) else {
        return Err(Stop::issue(no_operator("in", &[item, container]))
            .hint("use a tuple, an array or a range"));
    };
    let mut found = e.bool(false);
    for element in elements {
        let equal = compare(e, PyCompareKind::Eq, item, element)?;
        found = e.or(found, equal);
    }
    Ok(found)
}
