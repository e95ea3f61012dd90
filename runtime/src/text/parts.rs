//! Parts of texts: views that hold the owner of the whole.

use super::{Arguments, MadeList, Text, WORDS, compare};
use crate::lists::{List, pyopt_list_new};
use std::alloc::{Layout, handle_alloc_error};

/// `text[start:stop:step]` for bounds that are adjusted to the length.
pub(super) fn slice(arguments: &mut Arguments, _: *mut i64) -> Text {
    let text = arguments.text();
    let [start, stop, step] = [(); 3].map(|()| arguments.int());
    let count = match step {
        1.. => (stop - start)
            .max(0)
            .unsigned_abs()
            .div_ceil(step.unsigned_abs()),
        _ => (start - stop)
            .max(0)
            .unsigned_abs()
            .div_ceil(step.unsigned_abs()),
    } as usize;
    if step == 1 {
        return text.part(start as usize, start as usize + count);
    }
    let taken: Vec<_> = (0..count as i64)
        .map(|index| text.at((start + index * step) as usize))
        .collect();
    Text::of(&taken)
}

/// Whether `str.isspace` takes a character for space: the same ones in all versions of Unicode since 6.3.
fn is_space(character: u32) -> bool {
    matches!(character,
        9..=13 | 28..=32 | 0x85 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000)
}

/// The text without the characters at its ends that are spaces or, if the third argument isn't 0, in
/// the second text; at the start, end or both, by the bits of the last argument.
pub(super) fn strip(arguments: &mut Arguments, _: *mut i64) -> Text {
    let (text, characters) = (arguments.text(), arguments.text());
    let (are_given, ends) = (arguments.int() != 0, arguments.int());
    let goes = |character: u32| match are_given {
        true => characters.characters().any(|one| one == character),
        false => is_space(character),
    };
    let (mut start, mut end) = (0, text.length);
    while ends & 1 != 0 && start < end && goes(text.at(start)) {
        start += 1;
    }
    while ends & 2 != 0 && start < end && goes(text.at(end - 1)) {
        end -= 1;
    }
    text.part(start, end)
}

/// `text.split(separator, most)`, at spaces if the third argument is 0; a negative number means all.
pub(super) fn split(arguments: &mut Arguments, _: *mut i64) -> MadeList {
    let (text, separator) = (arguments.text(), arguments.text());
    let is_given = arguments.int() != 0;
    let most = usize::try_from(arguments.int()).unwrap_or(usize::MAX);
    let mut parts = Vec::new();
    match is_given {
        true => split_at(text, separator, most, &mut parts),
        false => split_at_spaces(text, most, &mut parts),
    }
    // The first word of each item is its owner.
    let owner = pyopt_list_new(WORDS as i64, 1);
    // SAFETY: the list was just made, and is nobody else's yet.
    let list = unsafe { List::of(owner) };
    for (start, end) in parts {
        if !list.push(&text.part(start, end).words()) {
            handle_alloc_error(Layout::new::<List>());
        }
    }
    MadeList(owner)
}

fn split_at(text: Text, separator: Text, most: usize, parts: &mut Vec<(usize, usize)>) {
    let width = text.width;
    let mut begin = 0;
    if let Some(wanted) = separator.encoded(width) {
        while parts.len() < most {
            let rest = &text.bytes()[begin * width..];
            let Some(found) = compare::first(rest, &wanted, width) else {
                break;
            };
            parts.push((begin, begin + found));
            begin += found + separator.length;
        }
    }
    parts.push((begin, text.length));
}

fn split_at_spaces(text: Text, most: usize, parts: &mut Vec<(usize, usize)>) {
    let next = |from: usize, space: bool| {
        let found = (from..text.length).find(|at| is_space(text.at(*at)) == space);
        found.unwrap_or(text.length)
    };
    let mut begin = next(0, false);
    while begin < text.length {
        if parts.len() == most {
            // The spaces at the end stay.
            parts.push((begin, text.length));
            return;
        }
        let end = next(begin, true);
        parts.push((begin, end));
        begin = next(end, false);
    }
}
