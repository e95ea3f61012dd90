//! Operators on dicts and sets.

use super::{
    calls::{call_with, viewed},
    make::set,
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Typing, stop},
        operator_kinds::{binary_symbol, compare_symbol, no_operator},
        val::Val,
    },
    infra::ops::typed,
    types::tables::{Table, part_of_view},
};
use pyopt_dialects::{
    enums::{CompareKind, PyBinaryKind, PyCompareKind, TableNumber},
    typed::TypedType,
};

/// `len(table)`.
pub(crate) fn size<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Val<'c, 'a> {
    let table = viewed(e, operand);
    let si64 = e.si64();
    e.op(si64, |b| {
        typed::TableGet::create(b, TableNumber::Size, table.ir())
    })
}

/// The truth value.
pub(crate) fn truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, table: Val<'c, 'a>) -> Val<'c, 'a> {
    let size = size(e, table);
    let zero = e.int(0);
    e.compare(CompareKind::Ne, size, zero)
}

/// A set, or the keys or items of a dict as one; nothing for anything else.
fn as_set<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, operand: Val<'c, 'a>) -> Option<Typing<Val<'c, 'a>>> {
    match TypedType::from(operand.ty) {
        TypedType::Set(_) => Some(Ok(operand)),
        TypedType::DictView(_, part) if part_of_view(part) != "values" => {
            Some(set(e, &Arguments::new(&[operand], None)))
        }
        _ => None,
    }
}

/// Whether a value is a view of a dict.
fn is_view(operand: Val) -> bool {
    matches!(TypedType::from(operand.ty), TypedType::DictView(..))
}

fn set_operator(kind: PyBinaryKind) -> Option<&'static str> {
    Some(match kind {
        PyBinaryKind::Or => "__or__",
        PyBinaryKind::And => "__and__",
        PyBinaryKind::Sub => "__sub__",
        PyBinaryKind::Xor => "__xor__",
        _ => return None,
    })
}

/// `lhs op rhs` where one is a dict, a set or a view of a dict; nothing where none is.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let refuse = || stop(no_operator(binary_symbol(kind), &[lhs, rhs]));
    let tables = [lhs, rhs].map(|side| Table::of(side.ty));
    if let [
        Some(Table { value: Some(_), .. }),
        Some(Table { value: Some(_), .. }),
    ] = tables
        && kind == PyBinaryKind::Or
    {
        return Some(call_with(e, "__or__", &[lhs, rhs]));
    }
    let mut sides = (as_set(e, lhs), as_set(e, rhs));
    // Other than sets, views of keys and items go with whatever is iterated.
    if set_operator(kind).is_some() {
        if sides.1.is_none() && sides.0.is_some() && is_view(lhs) {
            sides.1 = Some(set(e, &Arguments::new(&[rhs], None)));
        } else if sides.0.is_none() && sides.1.is_some() && is_view(rhs) {
            sides.0 = Some(set(e, &Arguments::new(&[lhs], None)));
        }
    }
    match sides {
        (Some(lhs), Some(rhs)) if let Some(name) = set_operator(kind) => {
            Some(lhs.and_then(|lhs| call_with(e, name, &[lhs, rhs?])))
        }
        (None, None) if tables == [None, None] => None,
        _ => Some(refuse()),
    }
}

/// `lhs op= rhs` where the left side is a dict or set.
pub(crate) fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    table: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let is_dict = Table::of(table.ty).is_some_and(|table| table.value.is_some());
    let name = match kind {
        PyBinaryKind::Or => "update",
        PyBinaryKind::And if !is_dict => "intersection_update",
        PyBinaryKind::Sub if !is_dict => "difference_update",
        PyBinaryKind::Xor if !is_dict => "symmetric_difference_update",
        _ => {
            let symbol = format!("{}=", binary_symbol(kind));
            return stop(no_operator(&symbol, &[table, rhs]));
        }
    };
    let rhs = match is_dict {
        true => rhs,
        false => match as_set(e, rhs) {
            Some(set) => set?,
            None => {
                let symbol = format!("{}=", binary_symbol(kind));
                return stop(no_operator(&symbol, &[table, rhs]));
            }
        },
    };
    call_with(e, name, &[table, rhs])?;
    Ok(table)
}

/// `lhs op rhs` for a comparison where one is a dict, a set or a view of a dict; nothing where none is.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let is_table = |side: Val| Table::of(side.ty).is_some() || is_view(side);
    if !is_table(lhs) && !is_table(rhs) {
        return None;
    }
    let is_equality = matches!(kind, PyCompareKind::Eq | PyCompareKind::Ne);
    let is_dict = |side: Val| Table::of(side.ty).is_some_and(|table| table.value.is_some());
    if is_dict(lhs) && is_dict(rhs) && is_equality {
        return Some(equality(e, kind, lhs, rhs));
    }
    match (as_set(e, lhs), as_set(e, rhs)) {
        (Some(Ok(lhs)), Some(Ok(rhs))) => Some(match kind {
            PyCompareKind::Eq | PyCompareKind::Ne => equality(e, kind, lhs, rhs),
            PyCompareKind::Lt => call_with(e, "__lt__", &[lhs, rhs]),
            PyCompareKind::Le => call_with(e, "__le__", &[lhs, rhs]),
            PyCompareKind::Gt => call_with(e, "__lt__", &[rhs, lhs]),
            PyCompareKind::Ge => call_with(e, "__le__", &[rhs, lhs]),
        }),
        (Some(Err(stop)), _) | (_, Some(Err(stop))) => Some(Err(stop)),
        _ if is_equality => Some(Ok(e.bool(kind == PyCompareKind::Ne))),
        _ => Some(stop(no_operator(compare_symbol(kind), &[lhs, rhs]))),
    }
}

fn equality<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    // An empty one of unknown types equals what is empty.
    let is_empty = |side: Val| Table::of(side.ty).is_some_and(Table::is_empty);
    let equal = match (is_empty(lhs), is_empty(rhs)) {
        (false, false) => call_with(e, "__eq__", &[lhs, rhs])?,
        (true, _) => {
            let some = truth(e, rhs);
            e.not(some)
        }
        (_, true) => {
            let some = truth(e, lhs);
            e.not(some)
        }
    };
    Ok(e.equality(kind, equal))
}
