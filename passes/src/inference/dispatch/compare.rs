//! Comparisons and identity.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            arrays, choices, exceptions, lists, numbers::compare_numbers, objects, optional,
            overloads, packed_keywords, slices, tables, times, tuples, wrappers,
        },
        issue::{Stop, Typing, stop},
        operator_kinds::{compare_symbol, holds, no_operator, typed_kind},
        rules,
        val::Val,
    },
    types::{
        exceptions::is_class_at_run_time,
        layout::slot_count,
        lists::{is_any_list, list_item},
        number::Number,
        optional::is_optional,
        scalar_names,
        sequences::{has_one_value, held, is_structure},
        tables::Table,
        tuples::elements,
    },
};
use melior::ir::Attribute;
use pyopt_dialects::{
    enums::PyCompareKind,
    py::PyAttribute,
    typed::{TypedType, array_type},
};
use pyopt_library as library;

/// `lhs op rhs` for a comparison.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if is_optional(lhs.ty) || is_optional(rhs.ty) {
        return optional::compare(e, kind, lhs, rhs);
    }
    check_classes(lhs, rhs)?;
    if let PyCompareKind::Eq | PyCompareKind::Ne = kind
        && let Some(same) = choices::identity(e, lhs, rhs)?
    {
        return Ok(e.equality(kind, same));
    }
    // An enumeration of ints or texts may say itself what its order is.
    if [lhs, rhs].iter().any(|side| held(side.ty).is_some())
        && let Some(result) = overloads::comparison(e, kind, lhs, rhs)?
    {
        return Ok(result);
    }
    let (lhs, rhs) = (wrappers::held(e, lhs), wrappers::held(e, rhs));
    if times::are_among(&[lhs, rhs]) {
        return times::compare(e, kind, lhs, rhs);
    }
    if array_type(lhs.ty).is_some() || array_type(rhs.ty).is_some() {
        return arrays::compare(e, kind, lhs, rhs);
    }
    let is_equality = matches!(kind, PyCompareKind::Eq | PyCompareKind::Ne);
    if let (Some(a), Some(b)) = (lhs.number(), rhs.number()) {
        // Only NumPy's functions and its arrays of complex numbers know an order.
        return match a.promote(b) {
            Number::Complex(_) if !is_equality => {
                stop(no_operator(compare_symbol(kind), &[lhs, rhs]))
            }
            _ => compare_numbers(e, kind, lhs, rhs),
        };
    }
    if let Some(result) = wrappers::compare(e, kind, lhs, rhs) {
        return result;
    }
    let is_list = |side: Val| list_item(side.ty).is_some();
    if (is_list(lhs) || is_list(rhs)) && is_any_list(lhs.ty) && is_any_list(rhs.ty) {
        return lists::compare(e, kind, lhs, rhs);
    }
    if is_equality && let Some(result) = compare_keywords(e, kind, lhs, rhs) {
        return result;
    }
    if let Some(result) = tables::compare(e, kind, lhs, rhs) {
        return result;
    }
    // A class says itself what equals its instances.
    if let Some(result) = overloads::comparison(e, kind, lhs, rhs)? {
        return Ok(result);
    }
    if is_equality && has_one_value(lhs.ty) && has_one_value(rhs.ty) {
        return Ok(e.bool((lhs.ty == rhs.ty) == (kind == PyCompareKind::Eq)));
    }
    if elements(lhs.ty).is_some() && elements(rhs.ty).is_some() {
        return tuples::compare(e, kind, lhs, rhs);
    }
    match (TypedType::from(lhs.ty), TypedType::from(rhs.ty)) {
        (TypedType::Slice(_), TypedType::Slice(_)) => {
            let [lhs, rhs] = [lhs, rhs].map(|slice| {
                let parts = [0, 1, 2].map(|part| slices::slice_part(e, slice, part));
                e.tuple(&parts)
            });
            tuples::compare(e, kind, lhs, rhs)
        }
        (TypedType::Range(_), TypedType::Range(_)) if is_equality => {
            let source = library::find("range.__eq__").ok_or(Stop::Unknown)?;
            let equal = rules::call_library(e, source, &Arguments::new(&[lhs, rhs], None))?;
            Ok(e.equality(kind, equal))
        }
        (TypedType::Str, TypedType::Str) => match (lhs.literal_str(), rhs.literal_str()) {
            (Some(a), Some(b)) => Ok(e.bool(holds(kind, a, b))),
            _ => Ok(e.compare(typed_kind(kind), lhs, rhs)),
        },
        (TypedType::Bytes, TypedType::Bytes) => Ok(e.compare(typed_kind(kind), lhs, rhs)),
        (TypedType::Str | TypedType::Bytes, TypedType::Other(_) | TypedType::Sequence(..))
        | (TypedType::Other(_) | TypedType::Sequence(..), TypedType::Str | TypedType::Bytes)
        | (TypedType::Str, TypedType::Bytes)
        | (TypedType::Bytes, TypedType::Str)
            if is_equality =>
        {
            Ok(e.bool(kind == PyCompareKind::Ne))
        }
        (TypedType::DType(element), TypedType::Named(name))
        | (TypedType::Named(name), TypedType::DType(element))
            if is_equality && let Some(number) = scalar_names::scalar_type(name) =>
        {
            let same = Number::of(element) == Some(number);
            Ok(e.bool(same == (kind == PyCompareKind::Eq)))
        }
        (TypedType::Named(a), TypedType::Named(b)) if is_equality => {
            Ok(e.bool(same_object(a, b) == (kind == PyCompareKind::Eq)))
        }
        (TypedType::Literal(a), TypedType::Literal(b))
            if is_equality && [a, b].into_iter().all(is_class) =>
        {
            Ok(e.bool((a == b) == (kind == PyCompareKind::Eq)))
        }
        (TypedType::List(_) | TypedType::Range(_), _)
        | (_, TypedType::List(_) | TypedType::Range(_))
            if is_equality =>
        {
            Ok(e.bool(kind == PyCompareKind::Ne))
        }
        // Nothing else equals None, a function or a type but itself.
        (TypedType::None | TypedType::DType(_) | TypedType::Function(_), _)
        | (_, TypedType::None | TypedType::DType(_) | TypedType::Function(_))
            if is_equality =>
        {
            Ok(e.bool((lhs.ty == rhs.ty) == (kind == PyCompareKind::Eq)))
        }
        _ if is_equality && elements(lhs.ty).is_some() && rhs.number().is_some()
            || is_equality && elements(rhs.ty).is_some() && lhs.number().is_some() =>
        {
            Ok(e.bool(kind == PyCompareKind::Ne))
        }
        _ => stop(no_operator(compare_symbol(kind), &[lhs, rhs])),
    }
}

/// `lhs == rhs` or `!=` where one is a dict that is known by its keys; nothing where none is.
fn compare_keywords<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let operands = [lhs, rhs].map(|side| packed_keywords::unpack(e, side));
    let equal = match operands {
        [Some(entries), Some(others)] => equal_entries(e, &entries, &others),
        [Some(entries), None] => equals_dict(e, &entries, lhs, rhs)?,
        [None, Some(entries)] => equals_dict(e, &entries, rhs, lhs)?,
        [None, None] => return None,
    };
    Some(equal.map(|equal| e.equality(kind, equal)))
}

/// Whether two dicts that are known by their keys have the same keys, with equal values.
fn equal_entries<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    entries: &[(&'c str, Val<'c, 'a>)],
    others: &[(&'c str, Val<'c, 'a>)],
) -> Typing<Val<'c, 'a>> {
    let mut equal = e.bool(entries.len() == others.len());
    for (name, value) in entries {
        let Some((_, other)) = others.iter().find(|(known, _)| known == name) else {
            return Ok(e.bool(false));
        };
        let same = compare(e, PyCompareKind::Eq, *value, *other)?;
        equal = e.and(equal, same);
    }
    Ok(equal)
}

/// Whether a dict that is known by its keys equals something else; nothing where that may say so itself.
fn equals_dict<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    entries: &[(&'c str, Val<'c, 'a>)],
    packed: Val<'c, 'a>,
    other: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let is_dict = Table::of(other.ty).is_some_and(|table| table.value.is_some());
    if !is_dict {
        let is_data = other.number().is_some()
            || elements(other.ty).is_some()
            || is_any_list(other.ty)
            || Table::of(other.ty).is_some()
            || matches!(
                TypedType::from(other.ty),
                TypedType::Str | TypedType::Bytes | TypedType::None
            );
        return is_data.then(|| Ok(e.bool(false)));
    }
    if entries.is_empty() {
        let has_items = tables::truth(e, other);
        return Some(Ok(e.not(has_items)));
    }
    let parts: Vec<_> = entries
        .iter()
        .flat_map(|(name, value)| [e.string(name), *value])
        .collect();
    let made = tables::build_dict(e, None, &parts, false);
    Some(made.and_then(|made| match Table::of(made.ty) {
        Some(_) => compare(e, PyCompareKind::Eq, made, other),
        // Of values of several types no dict is made.
        None => stop(no_operator("==", &[packed, other])),
    }))
}

/// Whether the value of a literal is a class of named tuples, or one whose instances hold fields.
fn is_class(value: Attribute) -> bool {
    matches!(PyAttribute::from(value), PyAttribute::NamedTuple(..))
}

/// Whether two names are of one object: NumPy's types have several.
fn same_object(a: &str, b: &str) -> bool {
    let numpy = |name: &str| {
        let is_numpy = name.starts_with("numpy.");
        is_numpy.then(|| scalar_names::scalar_type(name)).flatten()
    };
    a == b || numpy(a).is_some_and(|number| numpy(b) == Some(number))
}

/// Refuses to compare classes of exceptions, of which the names alone are known.
fn check_classes(lhs: Val, rhs: Val) -> Typing<()> {
    match is_class_at_run_time(lhs.ty) || is_class_at_run_time(rhs.ty) {
        true => Err(
            exceptions::not_kept("of which class exactly an exception is").hint(
                "use isinstance(), or an 'except' for the class, or compare type(…).__name__",
            ),
        ),
        false => Ok(()),
    }
}

/// `lhs is rhs`: known for None and for everything that has one value a type; bools and other
/// numbers compare by value, as in Numba.
pub(crate) fn identity<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if let Some(same) = optional::identity(e, lhs, rhs)? {
        return Ok(same);
    }
    check_classes(lhs, rhs)?;
    if let Some(same) = choices::identity(e, lhs, rhs)? {
        return Ok(same);
    }
    let is_exception = |side: Val| TypedType::from(side.ty) == TypedType::Exception;
    if (is_exception(lhs) || is_exception(rhs)) && !lhs.is_none() && !rhs.is_none() {
        return Err(exceptions::not_kept("which exception this is"));
    }
    if lhs.ty != rhs.ty {
        return Ok(e.bool(false));
    }
    if has_one_value(lhs.ty) {
        return Ok(e.bool(true));
    }
    if held(lhs.ty).is_some() {
        let (lhs, rhs) = (wrappers::held(e, lhs), wrappers::held(e, rhs));
        return compare(e, PyCompareKind::Eq, lhs, rhs);
    }
    if let Some(same) = wrappers::compare(e, PyCompareKind::Eq, lhs, rhs) {
        return same;
    }
    match TypedType::from(lhs.ty) {
        TypedType::None
        | TypedType::Named(_)
        | TypedType::Function(_)
        | TypedType::DType(_)
        | TypedType::Literal(_) => Ok(e.bool(true)),
        _ if lhs.number().is_some() => compare_numbers(e, PyCompareKind::Eq, lhs, rhs),
        // As in Numba, an array is a view of it that has its sizes and strides.
        TypedType::Array(_) => Ok(same_slots(e, lhs, rhs, 1)),
        _ if is_any_list(lhs.ty) => {
            // Lists that nobody changes have no identity: these are to be ones that have.
            let (lhs, rhs) = (lists::changed(e, lhs)?, lists::changed(e, rhs)?);
            Ok(same_slots(e, lhs, rhs, 0))
        }
        _ if is_structure(lhs.ty) => Ok(same_slots(e, lhs, rhs, 0)),
        TypedType::Dict(_) | TypedType::Set(_) => Ok(same_slots(e, lhs, rhs, 0)),
        _ => stop(no_operator("is", &[lhs, rhs])),
    }
}

/// Whether two values of one type are the same in all slots but the first ones.
fn same_slots<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
    left_out: i64,
) -> Val<'c, 'a> {
    let count = e.int(slot_count(lhs.ty) as i64);
    let left_out = e.int(left_out);
    let i1 = e.i1();
    objects::call_native(e, "pyopt_same_slots", &[count, left_out, lhs, rhs], i1)
}
