//! Tuples: items, slices, comparisons.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::{AttributeExt, ops::typed},
    types::{display::display, sequences::is_list, tuples::elements},
};
use melior::ir::Type;
use pyopt_dialects::{enums::PyCompareKind, typed::TypedType};

/// Whether tuples, not lists, have a method of this name.
pub(crate) fn has_method(ty: Type, name: &str) -> bool {
    matches!(name, "count" | "index") && elements(ty).is_some() && !is_list(ty)
}

/// `tuple[index]`.
pub(crate) fn item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    tuple: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let is_list = is_list(tuple.ty);
    let outside = match is_list {
        true => "list index out of range",
        false => "tuple index out of range",
    };
    let tuple = e.as_tuple(tuple);
    let types = elements(tuple.ty).expect("the caller checked for a tuple");
    let length = types.len() as i64;
    if let TypedType::Slice(_) = TypedType::from(index.ty) {
        let part = slice(e, tuple, index)?;
        if is_list {
            let items = e.unpack(part).unwrap_or_default();
            return Ok(e.list(&items));
        }
        return Ok(part);
    }
    let position = index.literal.and_then(|_| index.literal_int());
    if let Some(position) = position {
        let wrapped = if position < 0 {
            position + length
        } else {
            position
        };
        if !(0..length).contains(&wrapped) {
            return Err(Stop::Raises("IndexError", outside.into()));
        }
        return Ok(e.tuple_get(tuple, wrapped as usize));
    }
    if !e.is_int(index.ty) {
        return Err(
            Stop::issue(format!("a tuple can't be indexed by {}", display(index.ty)))
                .hint("use an integer"),
        );
    }
    let Some(&first) = types.first() else {
        return Err(Stop::Raises("IndexError", outside.into()));
    };
    if types.iter().any(|element| *element != first) {
        if let Some(functions) = e.same_items(tuple, &types) {
            return item(e, functions, index);
        }
        return Err(Stop::issue(format!(
            "{} is indexed by a value known at run time only, so the type of the item isn't known",
            display(tuple.ty)
        ))
        .hint("use a constant index, or a tuple whose elements have one type"));
    }
    let position = wrap_checked(e, index, length, outside)?;
    Ok(e.op(first, |b| {
        typed::TupleItem::create(b, tuple.ir(), position.ir(), first)
    }))
}

/// `tuple[start:end:step]` for constants, as CPython's `PySlice_AdjustIndices` counts.
fn slice<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    tuple: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let known = index.literal.and_then(AttributeExt::elements);
    let Some([start, end, step]) = known.as_deref() else {
        return Err(
            Stop::issue("a tuple is sliced by values known at run time only")
                .hint("use constants, so that the length of the result is known"),
        );
    };
    let [start, end, step] = [start, end, step].map(|part| part.integer_value());
    let length = elements(tuple.ty).map_or(0, |types| types.len()) as i64;
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(Stop::Raises(
            "ValueError",
            "slice step cannot be zero".into(),
        ));
    }
    let (lowest, highest) = if step < 0 {
        (-1, length - 1)
    } else {
        (0, length)
    };
    let bound = |part: Option<i64>, default: i64| match part {
        Some(part) if part < 0 => (part + length).clamp(lowest, highest),
        Some(part) => part.clamp(lowest, highest),
        None => default,
    };
    let (start, end) = match step < 0 {
        true => (bound(start, highest), bound(end, lowest)),
        false => (bound(start, lowest), bound(end, highest)),
    };
    let mut items = Vec::new();
    let mut position = start;
    while (step > 0 && position < end) || (step < 0 && position > end) {
        items.push(e.tuple_get(tuple, position as usize));
        position += step;
    }
    Ok(e.tuple(&items))
}

/// An index that counts from the end when negative, checked against a constant length.
fn wrap_checked<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    index: Val<'c, 'a>,
    length: i64,
    message: &str,
) -> Typing<Val<'c, 'a>> {
    let length = e.int(length);
    e.wrap_index(index, length, message)
}

/// `==`, `!=` and the order of two tuples, element by element.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (Some(a), Some(b)) = (e.unpack(lhs), e.unpack(rhs)) else {
        return stop("a tuple is compared with something else");
    };
    let equality = matches!(kind, PyCompareKind::Eq | PyCompareKind::Ne);
    if is_list(lhs.ty) != is_list(rhs.ty) {
        return match equality {
            true => Ok(e.bool(kind == PyCompareKind::Ne)),
            false => stop("a list has no order with a tuple"),
        };
    }
    if equality {
        if a.len() != b.len() {
            return Ok(e.bool(kind == PyCompareKind::Ne));
        }
        let mut equal = e.bool(true);
        for (a, b) in a.into_iter().zip(b) {
            let same = rules::compare(e, PyCompareKind::Eq, a, b)?;
            equal = e.and(equal, same);
        }
        return Ok(e.equality(kind, equal));
    }
    // The first elements that differ decide; if there are none, the lengths do.
    let by_length = match kind {
        PyCompareKind::Lt => a.len() < b.len(),
        PyCompareKind::Le => a.len() <= b.len(),
        PyCompareKind::Gt => a.len() > b.len(),
        _ => a.len() >= b.len(),
    };
    let mut result = e.bool(by_length);
    let pairs: Vec<_> = a.into_iter().zip(b).collect();
    for (a, b) in pairs.into_iter().rev() {
        let same = rules::compare(e, PyCompareKind::Eq, a, b)?;
        let ordered = rules::compare(e, kind, a, b)?;
        result = e.select(same, result, ordered);
    }
    Ok(result)
}
