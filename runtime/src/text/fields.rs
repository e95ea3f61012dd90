//! Texts and bytes in records: as many units as a field has, of four bytes or one, those behind the text
//! zeros.

use super::{Arguments, Text, units::write_unit};

/// The words of an array of one dimension: owner, address, size, and the distance of elements.
const ARRAY_WORDS: usize = 4;

/// The units of a field, which are passed as an array: their address, their number, and the bytes of each.
fn units(arguments: &mut Arguments) -> (*mut u8, usize, usize) {
    let words = arguments.words(ARRAY_WORDS);
    // SAFETY: the words are the next argument's.
    let [_, address, length, distance] = unsafe { *words.cast::<[i64; ARRAY_WORDS]>() };
    (address as *mut u8, length as usize, distance as usize)
}

/// The text in a field, without the zeros at its end.
pub(super) fn read(arguments: &mut Arguments, _: *mut i64) -> Text {
    let (units, length, width) = units(arguments);
    let field = Text {
        units,
        length,
        width,
        ..Text::EMPTY
    };
    let end = field.characters().rposition(|character| character != 0);
    let length = end.map_or(0, |last| last + 1);
    let field = Text { length, ..field };
    // Later writes to the record don't change the text.
    let (text, place) = Text::room(length, field.least_width());
    // SAFETY: there is room for so many units, in a width that holds them.
    unsafe { field.write_to(place, text.width) };
    text
}

/// Puts a text, or as much of it as there is room for, into a field.
pub(super) fn write(arguments: &mut Arguments, _: *mut i64) -> i64 {
    let text = arguments.text();
    let (units, length, width) = units(arguments);
    for index in 0..length {
        let character = match index < text.length {
            true => text.at(index),
            false => 0,
        };
        // SAFETY: the field has so many units.
        unsafe { write_unit(units.add(index * width), width, character) };
    }
    0
}
