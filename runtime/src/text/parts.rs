//! Parts of texts: views that hold the owner of the whole.

use super::{Arguments, MadeList, Text, WORDS, compare::Finder, places};
use crate::{
    lists::{List, pyopt_list_new},
    memory::{Owner, acquire_times},
};
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
const fn is_space(character: u32) -> bool {
    matches!(character,
        9..=13 | 28..=32 | 0x85 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000)
}

/// The same for characters of one byte.
static SPACES: [bool; 256] = {
    let mut spaces = [false; 256];
    let mut character = 0;
    while character < 256 {
        spaces[character] = is_space(character as u32);
        character += 1;
    }
    spaces
};

/// The text without the characters at its ends that are spaces or, if the third argument isn't 0, in
/// the second text; at the start, end or both, by the bits of the last argument.
pub(super) fn strip(arguments: &mut Arguments, _: *mut i64) -> Text {
    let (text, characters) = (arguments.text(), arguments.text());
    let (are_given, ends) = (arguments.int() != 0, arguments.int());
    if are_given {
        return stripped(text, ends, |at| {
            let character = text.at(at);
            characters.characters().any(|one| one == character)
        });
    }
    match text.width {
        1 => {
            let bytes = text.bytes();
            stripped(text, ends, |at| SPACES[bytes[at] as usize])
        }
        _ => stripped(text, ends, |at| is_space(text.at(at))),
    }
}

#[inline]
fn stripped(text: Text, ends: i64, goes: impl Fn(usize) -> bool) -> Text {
    let (mut start, mut end) = (0, text.length);
    while ends & 1 != 0 && start < end && goes(start) {
        start += 1;
    }
    while ends & 2 != 0 && start < end && goes(end - 1) {
        end -= 1;
    }
    text.part(start, end)
}

/// `text.split(separator, most)`, at spaces if the third argument is 0; a negative number means all.
pub(super) fn split(arguments: &mut Arguments, _: *mut i64) -> MadeList {
    let (text, separator) = (arguments.text(), arguments.text());
    let is_given = arguments.int() != 0;
    let most = usize::try_from(arguments.int()).unwrap_or(usize::MAX);
    let mut parts = Parts::of(text);
    match separator.only_byte() {
        _ if !is_given => split_at_spaces(text, most, &mut parts),
        Some(byte) if text.width == 1 && most == usize::MAX => {
            split_at_byte(text, byte, &mut parts)
        }
        _ => split_at(text, separator, most, &mut parts),
    }
    parts.finish()
}

/// A list of parts of a text.
struct Parts<'l> {
    text: Text,
    owner: *mut Owner,
    list: &'l mut List,
    /// How many parts hold the text's owner.
    holding: i64,
}

impl Parts<'_> {
    fn of(text: Text) -> Self {
        // The first word of each item is its owner.
        let owner = pyopt_list_new(WORDS as i64, 1);
        // SAFETY: the list was just made, and is nobody else's yet.
        let list = unsafe { List::of(owner) };
        Self {
            text,
            owner,
            list,
            holding: 0,
        }
    }

    /// Makes room for more parts.
    fn reserve(&mut self, more: usize) {
        if !self.list.reserve(more as i64) {
            handle_alloc_error(Layout::new::<List>());
        }
    }

    #[inline]
    fn push(&mut self, start: usize, end: usize) {
        let part = self.text.lent_part(start, end);
        self.holding += i64::from(!part.owner.is_null());
        if !self.list.push(&part.words()) {
            handle_alloc_error(Layout::new::<List>());
        }
    }

    /// The list, whose items get their references all at once.
    fn finish(self) -> MadeList {
        // SAFETY: whoever has the text keeps its owner alive.
        unsafe { acquire_times(self.text.owner, self.holding) };
        MadeList(self.owner)
    }
}

fn split_at(text: Text, separator: Text, most: usize, parts: &mut Parts) {
    let width = text.width;
    let mut begin = 0;
    if let Some(wanted) = separator.encoded(width) {
        let finder = Finder::new(&wanted, width);
        let mut made = 0;
        while made < most {
            let Some(found) = finder.first(&text.bytes()[begin * width..]) else {
                break;
            };
            parts.push(begin, begin + found);
            begin += found + separator.length;
            made += 1;
        }
    }
    parts.push(begin, text.length);
}

/// Splits a text of small characters wherever one of them is.
fn split_at_byte(text: Text, byte: u8, parts: &mut Parts) {
    let bytes = text.bytes();
    let is_short = bytes.len() <= places::SHORT;
    let mut separators = match is_short {
        true => places::bits(bytes, places::equal(byte)),
        false => 0,
    };
    let count = match is_short {
        true => separators.count_ones() as usize,
        false => memchr::memchr_iter(byte, bytes).count(),
    };
    parts.reserve(count + 1);
    let mut places = parts.list.spare();
    let mut holding = 0;
    let mut put = |begin, end| {
        let part = text.lent_part(begin, end);
        holding += i64::from(!part.owner.is_null());
        places.push(part.words());
    };
    let mut begin = 0;
    let mut split = |at| {
        put(begin, at);
        begin = at + 1;
    };
    if is_short {
        while separators != 0 {
            split(separators.trailing_zeros() as usize);
            separators &= separators - 1;
        }
    } else {
        places::each(bytes, places::equal(byte), split);
    }
    put(begin, text.length);
    parts.holding += holding;
}

/// Splits a text of small characters at all spaces.
fn split_at_each_space(text: Text, parts: &mut Parts) {
    let bytes = text.bytes();
    let mut begin = 0;
    places::each(bytes, places::no_graphic_ascii, |at| {
        if SPACES[bytes[at] as usize] {
            if begin < at {
                parts.push(begin, at);
            }
            begin = at + 1;
        }
    });
    if begin < text.length {
        parts.push(begin, text.length);
    }
}

fn split_at_spaces(text: Text, most: usize, parts: &mut Parts) {
    match text.width {
        1 if most == usize::MAX => split_at_each_space(text, parts),
        1 => {
            let bytes = text.bytes();
            split_where(text.length, most, parts, |at| SPACES[bytes[at] as usize]);
        }
        _ => split_where(text.length, most, parts, |at| is_space(text.at(at))),
    }
}

#[inline]
fn split_where(length: usize, most: usize, parts: &mut Parts, is_space: impl Fn(usize) -> bool) {
    let next = |from: usize, space: bool| {
        let found = (from..length).find(|at| is_space(*at) == space);
        found.unwrap_or(length)
    };
    let mut begin = next(0, false);
    let mut made = 0;
    while begin < length {
        if made == most {
            // The spaces at the end stay.
            parts.push(begin, length);
            return;
        }
        let end = next(begin, true);
        parts.push(begin, end);
        made += 1;
        begin = next(end, false);
    }
}
