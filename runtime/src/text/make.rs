//! Texts made of others.

use super::{Arguments, Text, compare};

/// Puts texts behind each other, with another one between them.
fn joined(between: Text, texts: &[Text]) -> Text {
    if let [only] = texts {
        return only.shared();
    }
    let gaps = texts.len().saturating_sub(1);
    let length = texts
        .iter()
        .fold(gaps * between.length, |length, text| length + text.length);
    let widths = texts.iter().map(|text| text.width);
    let between_width = if between.length > 0 && gaps > 0 {
        between.width
    } else {
        1
    };
    let width = widths.max().unwrap_or(1).max(between_width);
    let (made, mut place) = Text::room(length, width);
    for (index, text) in texts.iter().enumerate() {
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
    joined(Text::EMPTY, &arguments.texts(count))
}

/// `between.join(texts)`.
pub(super) fn join(arguments: &mut Arguments, _: *mut i64) -> Text {
    let between = arguments.text();
    joined(between, &arguments.list())
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
    let mut parts = Vec::new();
    let mut begin = 0;
    while parts.len() / 2 < most {
        let units = &text.bytes()[begin * width..];
        let found = match (old.length, parts.is_empty()) {
            // Between all characters, and at both ends.
            (0, true) => Some(0),
            (0, false) if begin < text.length => Some(1),
            (0, false) => None,
            _ => compare::first(units, &wanted, width),
        };
        let Some(found) = found else {
            break;
        };
        parts.push(view(text, begin, begin + found));
        parts.push(new);
        begin += found + old.length;
    }
    if parts.is_empty() {
        return text.shared();
    }
    parts.push(view(text, begin, text.length));
    joined(Text::EMPTY, &parts)
}

/// A part of a text without a reference of its own.
fn view(text: Text, start: usize, end: usize) -> Text {
    Text {
        length: end - start,
        // SAFETY: the start is in the text or at its end.
        units: unsafe { text.units.add(start * text.width) },
        ..text
    }
}

/// `chr(code)` for a code that is one.
pub(super) fn chr(arguments: &mut Arguments, _: *mut i64) -> Text {
    Text::of(&[arguments.int() as u32])
}
