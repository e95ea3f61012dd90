//! Operators on lists.

use super::{
    changing::call_method,
    make::{call_with, len, make, mixed},
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Typing, stop},
        operator_kinds::{self, typed_kind},
        val::Val,
    },
    types::{
        join::{is_other_container, item_of, join_all},
        lists::{is_any_list, is_nothing, list_item, list_of},
        sequences::is_list,
    },
};
use pyopt_dialects::enums::{CompareKind, PyBinaryKind, PyCompareKind};

/// The most items that a list of several types is repeated to: each is a value of its own.
const MOST_REPEATED: usize = 1000;

/// `lhs op rhs` where one is a list; nothing where none changes or has to.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let [is_left, is_right] = [lhs, rhs].map(|operand| is_any_list(operand.ty));
    let (name, operands) = match kind {
        PyBinaryKind::Add if is_left && is_right => {
            let changes = [lhs, rhs].iter().any(|side| list_item(side.ty).is_some());
            if !changes {
                return None;
            }
            ("__add__", [lhs, rhs])
        }
        PyBinaryKind::Mul if is_left && e.is_int(rhs.ty) => ("__mul__", [lhs, rhs]),
        PyBinaryKind::Mul if is_right && e.is_int(lhs.ty) => ("__mul__", [rhs, lhs]),
        _ => return None,
    };
    if let ("__mul__", [list, count]) = (name, operands) {
        if is_bare(e, list) {
            return Some(Ok(e.list(&[])));
        }
        if let Some(repeated) = repeated(e, list, count) {
            return Some(Ok(repeated));
        }
    }
    Some(copied(e, &operands).and_then(|operands| {
        let [items, more] = operands.map(|operand| list_item(operand.ty));
        let name = match name {
            "__add__" if items != more => "of_both",
            _ => name,
        };
        call_with(e, name, &operands)
    }))
}

/// A list of items of several types, repeated as often as a constant says.
fn repeated<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    count: Val<'c, 'a>,
) -> Option<Val<'c, 'a>> {
    if !is_list(list.ty) || item_of(e.context(), list.ty).is_some() {
        return None;
    }
    let count = usize::try_from(count.literal_int()?.max(0)).ok()?;
    let items = e.unpack(list)?;
    (items.len() * count <= MOST_REPEATED).then(|| e.list(&items.repeat(count)))
}

/// Unchanged lists among the operands as lists of their own: the operator makes a new one anyway.
fn copied<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operands: &[Val<'c, 'a>; 2],
) -> Typing<[Val<'c, 'a>; 2]> {
    let context = e.context();
    let items = operands
        .iter()
        .filter(|operand| is_any_list(operand.ty))
        .map(|operand| item_of(context, operand.ty))
        .collect::<Option<_>>()
        .ok_or_else(|| mixed(operands))?;
    let joined = join_all(context, items).ok_or_else(|| mixed(operands))?;
    let mut made = *operands;
    for operand in &mut made {
        if !is_list(operand.ty) {
            continue;
        }
        let items = e.unpack(*operand).unwrap_or_default();
        if operand.origin.is_some() && items.iter().any(|item| is_other_container(item.ty, joined))
        {
            // Both lists have these items: they are to be what changes where they are made.
            *operand = e.coerce(*operand, list_of(context, joined))?;
        } else {
            *operand = make(e, joined, &items)?;
        }
    }
    Ok(made)
}

/// `list += items` and `list *= count`.
pub(crate) fn inplace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    list: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let name = match kind {
        PyBinaryKind::Add => "extend",
        PyBinaryKind::Mul => "__imul__",
        _ => {
            let symbol = format!("{}=", operator_kinds::binary_symbol(kind));
            return stop(operator_kinds::no_operator(&symbol, &[list, rhs]));
        }
    };
    call_method(e, list, name, &Arguments::new(&[rhs], None))?;
    Ok(Val {
        origin: list.origin,
        ..list
    })
}

/// `lhs op rhs` for two lists of which one may change.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if is_bare(e, lhs) || is_bare(e, rhs) {
        // Where one has no items, the lengths say it all.
        let [lhs, rhs] = [lhs, rhs].map(|side| size(e, side));
        return Ok(e.compare(typed_kind(kind), lhs, rhs));
    }
    let (name, lhs, rhs) = match kind {
        PyCompareKind::Eq | PyCompareKind::Ne => ("__eq__", lhs, rhs),
        PyCompareKind::Lt | PyCompareKind::Ge => ("__lt__", lhs, rhs),
        PyCompareKind::Gt | PyCompareKind::Le => ("__lt__", rhs, lhs),
    };
    let operands = copied_apart(e, [lhs, rhs])?;
    let result = call_with(e, name, &operands)?;
    Ok(match kind {
        PyCompareKind::Eq | PyCompareKind::Lt | PyCompareKind::Gt => result,
        PyCompareKind::Ne | PyCompareKind::Ge | PyCompareKind::Le => e.not(result),
    })
}

/// Whether a list has no items, as nothing says which type they would have.
fn is_bare<'c>(e: &Emit<'_, 'c, '_>, list: Val<'c, '_>) -> bool {
    item_of(e.context(), list.ty).is_some_and(is_nothing)
}

/// `len` of a list that changes or doesn't.
fn size<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>) -> Val<'c, 'a> {
    if is_list(list.ty) {
        let count = e.unpack(list).map_or(0, |items| items.len());
        return e.int(count as i64);
    }
    len(e, list)
}

/// Each operand as a list with items of its own type.
fn copied_apart<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operands: [Val<'c, 'a>; 2],
) -> Typing<[Val<'c, 'a>; 2]> {
    let mut made = operands;
    for operand in &mut made {
        if is_list(operand.ty) {
            let item = item_of(e.context(), operand.ty).ok_or_else(|| mixed(&operands))?;
            let items = e.unpack(*operand).unwrap_or_default();
            *operand = make(e, item, &items)?;
        }
    }
    Ok(made)
}

/// The truth value.
pub(crate) fn truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>) -> Val<'c, 'a> {
    let length = len(e, list);
    let zero = e.int(0);
    e.compare(CompareKind::Ne, length, zero)
}
