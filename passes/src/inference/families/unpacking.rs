//! `a, b = sequence` for everything that has items.

use super::{arrays, elements::dimension, lists, strings};
use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing},
        program::kernel::problem,
        val::Val,
    },
    types::{display::display, lists::list_item},
};
use melior::ir::Type;
use pyopt_dialects::{enums::CompareKind, typed::TypedType};

/// So many items of a tuple, list, range or text, or so many rows or elements of an array: a
/// sequence of another length raises ValueError.
pub(crate) fn unpack<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sequence: Val<'c, 'a>,
    count: usize,
) -> Typing<Vec<Val<'c, 'a>>> {
    if list_item(sequence.ty).is_some() {
        let length = lists::len(e, sequence);
        check_length(e, length, count);
        return lists::first_items(e, sequence, count);
    }
    if let Some(items) = e.unpack(sequence) {
        return match items.len() == count {
            true => Ok(items),
            false => Err(Stop::Raises("ValueError", wrong_length(items.len(), count))),
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
        _ => Err(
            Stop::issue(format!("{} can't be unpacked", display(sequence.ty)))
                .hint("unpack a tuple, list, array, range or text"),
        ),
    }
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
    e.raise_if(
        too_long,
        "ValueError",
        Some(&wrong_length(count + 1, count)),
    );
    // As in Python, the message has the length; each shorter one has a check of its own.
    for shorter in 0..count {
        let length_is = e.int(shorter as i64);
        let too_short = e.compare(CompareKind::Eq, length, length_is);
        e.raise_if(too_short, "ValueError", Some(&wrong_length(shorter, count)));
    }
}

/// What Python says when a sequence of a length is unpacked to so many names.
fn wrong_length(length: usize, count: usize) -> String {
    match length > count {
        true => format!("too many values to unpack (expected {count})"),
        false => format!("not enough values to unpack (expected {count}, got {length})"),
    }
}
