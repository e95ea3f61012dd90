//! `a, b = sequence` for everything that has items.

use super::{arrays, elements::dimension, lists, overloads, strings};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing},
        program::kernel::problem,
        rules,
        val::Val,
    },
    infra::ops::py,
    types::{
        display::display,
        join::{is_other_container, join_all},
        lists::list_item,
    },
};
use melior::ir::Type;
use pyopt_dialects::{enums::CompareKind, typed::TypedType};
use pyopt_library as library;

/// So many items of a tuple, list, range or text, or so many rows or elements of an array: a
/// sequence of another length raises ValueError.
pub(crate) fn unpack<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sequence: Val<'c, 'a>,
    count: usize,
) -> Typing<Vec<Val<'c, 'a>>> {
    let sequence = overloads::iterable(e, sequence)?.unwrap_or(sequence);
    if list_item(sequence.ty).is_some() {
        let length = lists::len(e, sequence);
        check_length(e, length, count);
        return lists::first_items(e, sequence, count);
    }
    if let Some(items) = e.unpack(sequence) {
        return match items.len() == count {
            true => Ok(items),
            false if items.len() > count => Err(Stop::Raises("ValueError", too_many(count))),
            false => Err(Stop::Raises(
                "ValueError",
                format!(
                    "not enough values to unpack (expected {count}, got {})",
                    items.len()
                ),
            )),
        };
    }
    match TypedType::from(sequence.ty) {
        TypedType::Array(array) if array.rank == 0 => Err(Stop::Raises(
            "TypeError",
            "cannot unpack a 0-d array".into(),
        )),
        TypedType::Array(_) if arrays::is_relative(sequence) => {
            Err(problem("a kernel can't unpack its arrays").hint("index them"))
        }
        TypedType::Array(_) => {
            let length = dimension(e, sequence, 0);
            check_length(e, length, count);
            (0..count)
                .map(|at| {
                    let at = e.int(at as i64);
                    arrays::get_item(e, sequence, at)
                })
                .collect()
        }
        TypedType::Range(element) => indexed(e, sequence, element, count),
        TypedType::Str => indexed(e, sequence, sequence.ty, count),
        TypedType::Bytes => {
            let int = e.si64();
            indexed(e, sequence, int, count)
        }
        _ if is_iterated(sequence.ty) => {
            let count = e.int(count as i64);
            let source = library::find("builtins.unpack.iterated").ok_or(Stop::Unknown)?;
            let arguments = Arguments::new(&[sequence, count], None);
            let taken = rules::call_library(e, source, &arguments)?;
            Ok(e.unpack(taken).unwrap_or_default())
        }
        _ => Err(
            Stop::issue(format!("{} can't be unpacked", display(sequence.ty)))
                .hint("unpack a tuple, list, array, range, text or what is iterated"),
        ),
    }
}

/// Whether values of a type give items one after the other, and not at positions.
pub(super) fn is_iterated(ty: Type) -> bool {
    matches!(
        TypedType::from(ty),
        TypedType::Iter(_)
            | TypedType::Zip(_)
            | TypedType::Enumerate(_)
            | TypedType::Reversed(_)
            | TypedType::Generator(..)
            | TypedType::Dict(_)
            | TypedType::DictView(..)
            | TypedType::Set(_)
    )
}

/// The same with one starred target, which gets a list of the items that the others leave.
pub(crate) fn unpack_starred<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sequence: Val<'c, 'a>,
    targets: py::UnpackEx<'c, 'a>,
) -> Typing<Vec<Val<'c, 'a>>> {
    let sequence = overloads::iterable(e, sequence)?.unwrap_or(sequence);
    let before = usize::try_from(targets.before()).unwrap_or_default();
    let after = targets.items().len() - 1 - before;
    let known = match list_item(sequence.ty) {
        Some(_) => None,
        None => e.unpack(sequence),
    };
    let Some(items) = known else {
        let sequence = match is_iterated(sequence.ty) {
            true => lists::convert(e, sequence)?,
            false => sequence,
        };
        let counts = [before, after].map(|count| e.int(count as i64));
        let source = library::find("builtins.unpack.starred").ok_or(Stop::Unknown)?;
        let arguments = Arguments::new(&[sequence, counts[0], counts[1]], None);
        let taken = rules::call_library(e, source, &arguments)?;
        return Ok(e.unpack(taken).unwrap_or_default());
    };
    let Some(end) = items.len().checked_sub(after).filter(|end| *end >= before) else {
        return Err(Stop::Raises(
            "ValueError",
            format!(
                "not enough values to unpack (expected at least {}, got {})",
                before + after,
                items.len()
            ),
        ));
    };
    let mut taken = items[..before].to_vec();
    let rest = &items[before..end];
    let joined = join_all(e.context(), rest.iter().map(|item| item.ty).collect());
    let would_copy = |joined| {
        rest.iter()
            .any(|item: &Val| is_other_container(item.ty, joined))
    };
    // Items of several types are in a list that can't be changed, and so are lists that have other names, until
    // it is known where these are made that they change.
    taken.push(match rest {
        [] => e.list(rest),
        _ if joined.is_some_and(would_copy) => e.list(rest),
        _ => lists::begin(e, None, rest).or_else(|_| Ok(e.list(rest)))?,
    });
    taken.extend(&items[end..]);
    Ok(taken)
}

/// The items of a range or text.
fn indexed<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sequence: Val<'c, 'a>,
    item: Type<'c>,
    count: usize,
) -> Typing<Vec<Val<'c, 'a>>> {
    let length = strings::length(e, sequence);
    check_length(e, length, count);
    (0..count)
        .map(|at| {
            let at = e.int(at as i64);
            Ok(strings::item_inside(e, sequence, at, item))
        })
        .collect()
}

/// Raises ValueError unless a length that is known at run time is the number of targets.
fn check_length<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, length: Val<'c, 'a>, count: usize) {
    let expected = e.int(count as i64);
    let too_long = e.compare(CompareKind::Gt, length, expected);
    e.raise_if(too_long, "ValueError", Some(&too_many(count)));
    let too_short = e.compare(CompareKind::Lt, length, expected);
    let message = format!("not enough values to unpack (expected {count}, got {{}})");
    e.raise_with(too_short, "ValueError", &message, &[length]);
}

/// What Python says when a sequence is longer than there are names.
fn too_many(count: usize) -> String {
    format!("too many values to unpack (expected {count})")
}
