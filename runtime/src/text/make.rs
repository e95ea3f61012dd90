//! Texts made of others.

use super::{Arguments, Text, compare::Finder};
use crate::memory::{pyopt_alloc, pyopt_release};
use smallvec::SmallVec;
use std::array;

/// Puts texts behind each other, with another one between them.
fn joined(between: Text, count: usize, texts: impl Iterator<Item = Text> + Clone) -> Text {
    if count == 1
        && let Some(only) = texts.clone().next()
    {
        return only.shared();
    }
    let gaps = count.saturating_sub(1);
    let mut length = gaps * between.length;
    let mut width = match gaps * between.length {
        0 => 1,
        _ => between.width,
    };
    for text in texts.clone() {
        length += text.length;
        width = width.max(text.width);
    }
    let (made, mut place) = Text::room(length, width);
    for (index, text) in texts.enumerate() {
        // SAFETY: the room is that of all texts together, in a width that holds them.
        unsafe {
            if index > 0 {
                place = between.write_to(place, width);
            }
            place = text.write_to(place, width);
        }
    }
    made
}

/// So many texts behind each other.
pub(super) fn concat(arguments: &mut Arguments, _: *mut i64) -> Text {
    let count = arguments.int() as usize;
    joined(Text::EMPTY, count, arguments.texts(count).iter())
}

/// So many ints are among the parts of a text at most: the compiler leaves the digits of others as texts.
const MOST_INTS: usize = 8;

/// So many texts behind each other, of which those with a bit in a word are ints, written in decimal.
pub(super) fn compose(arguments: &mut Arguments, _: *mut i64) -> Text {
    let (count, ints) = (arguments.int() as usize, arguments.int() as u64);
    let is_int = |at: usize| ints.unbounded_shr(at as u32) & 1 != 0;
    let mut digits: [itoa::Buffer; MOST_INTS] = array::from_fn(|_| itoa::Buffer::new());
    let mut digits = digits.iter_mut();
    let (mut few, mut many) = ([Text::EMPTY; 8], Vec::new());
    let parts = match few.get_mut(..count) {
        Some(few) => few,
        None => {
            many.resize(count, Text::EMPTY);
            &mut many[..]
        }
    };
    for (at, part) in parts.iter_mut().enumerate() {
        *part = match is_int(at) {
            true => {
                let digits = digits.next().expect("there is a place for each int");
                Text::borrowed(digits.format(arguments.int()).as_bytes())
            }
            false => arguments.text(),
        };
    }
    joined(Text::EMPTY, count, parts.iter().copied())
}

/// `between.join(texts)`.
pub(super) fn join(arguments: &mut Arguments, _: *mut i64) -> Text {
    let between = arguments.text();
    let texts = arguments.list();
    joined(between, texts.len(), texts.iter())
}

/// `text * times`.
pub(super) fn repeat(arguments: &mut Arguments, _: *mut i64) -> Text {
    let (text, times) = (arguments.text(), arguments.int());
    let times = match text.length {
        0 => 0,
        _ => usize::try_from(times).unwrap_or(0),
    };
    if times == 1 {
        return text.shared();
    }
    let (made, mut place) = Text::room(text.length.saturating_mul(times), text.width);
    for _ in 0..times {
        // SAFETY: there is room for so many.
        place = unsafe { text.write_to(place, text.width) };
    }
    made
}

/// Whether there is memory for so many bytes now.
pub(super) fn has_room(arguments: &mut Arguments, _: *mut i64) -> bool {
    let owner = pyopt_alloc(arguments.int(), 0);
    // SAFETY: the memory is this function's own, if there is any.
    unsafe { pyopt_release(owner) };
    !owner.is_null()
}

/// A text with so many of a character before and behind it.
pub(super) fn pad(arguments: &mut Arguments, _: *mut i64) -> Text {
    let (text, fill) = (arguments.text(), arguments.text());
    let [before, behind] = [arguments.int(), arguments.int()].map(|count| count.max(0) as usize);
    if before + behind == 0 {
        return text.shared();
    }
    let width = text.width.max(fill.width);
    let (made, mut place) = Text::room(before + text.length + behind, width);
    // SAFETY: there is room for so many, in a width that holds them.
    unsafe {
        for _ in 0..before {
            place = fill.write_to(place, width);
        }
        place = text.write_to(place, width);
        for _ in 0..behind {
            place = fill.write_to(place, width);
        }
    }
    made
}

/// `text.replace(old, new, count)`; a negative count means all.
pub(super) fn replace(arguments: &mut Arguments, _: *mut i64) -> Text {
    let [text, old, new] = [(); 3].map(|()| arguments.text());
    let most = usize::try_from(arguments.int()).unwrap_or(usize::MAX);
    let width = text.width;
    let Some(wanted) = old.encoded(width) else {
        return text.shared();
    };
    let finder = Finder::new(&wanted, width);
    let mut places = SmallVec::<[usize; 32]>::new();
    let mut begin = 0;
    while places.len() < most {
        let units = &text.bytes()[begin * width..];
        let found = match (old.length, places.is_empty()) {
            // Between all characters, and at both ends.
            (0, true) => Some(0),
            (0, false) if begin < text.length => Some(1),
            (0, false) => None,
            _ => finder.first(units),
        };
        let Some(found) = found else {
            break;
        };
        places.push(begin + found);
        begin += found + old.length;
    }
    if places.is_empty() {
        return text.shared();
    }
    let length = text.length - places.len() * old.length + places.len() * new.length;
    let width = match new.length {
        0 => width,
        _ => width.max(new.width),
    };
    let (made, mut place) = Text::room(length, width);
    let mut begin = 0;
    // SAFETY: the room is that of what is left and of what is put in, in a width that holds both.
    unsafe {
        for found in places {
            place = text.lent_part(begin, found).write_to(place, width);
            place = new.write_to(place, width);
            begin = found + old.length;
        }
        text.lent_part(begin, text.length).write_to(place, width);
    }
    made
}

/// `chr(code)` for a code that is one.
pub(super) fn chr(arguments: &mut Arguments, _: *mut i64) -> Text {
    Text::of(&[arguments.int() as u32])
}
