//! Bytes: texts whose characters are below 256, in units of one byte. What only knows ASCII of a text is
//! here; everything else is the same function as for texts.

use super::{Arguments, Returned, Text, methods};
use crate::{lists::List, memory::Owner, random};

/// The bytes that the characters of a text are, each of which is below 256.
pub(super) fn as_bytes(arguments: &mut Arguments, _: *mut i64) -> Text {
    let text = arguments.text();
    match text.width {
        1 => text.shared(),
        _ => Text::of_bytes(&text.encoded(1).unwrap_or_default()),
    }
}

/// The text whose characters are these bytes.
pub(super) fn as_text(arguments: &mut Arguments, _: *mut i64) -> Text {
    arguments.text().shared()
}

/// The words of an array: owner, address, size and stride.
pub(super) struct ArrayWords([i64; 4]);

impl Returned for ArrayWords {
    unsafe fn write(self, place: *mut i64) -> i32 {
        // SAFETY: the caller's promise.
        unsafe { place.cast::<[i64; 4]>().write(self.0) };
        0
    }
}

/// An array that sees the bytes, and holds their owner.
pub(super) fn bytes_array(arguments: &mut Arguments, _: *mut i64) -> ArrayWords {
    let [owner, units, length, _] = arguments.text().shared().words();
    ArrayWords([owner, units, length, 1])
}

/// The bytes of a list of ints, of which the low 8 bits count.
pub(super) fn bytes_of(arguments: &mut Arguments, _: *mut i64) -> Text {
    // SAFETY: the argument is a list of ints, which nobody changes during the call.
    let list = unsafe { List::of(arguments.int() as *mut Owner) };
    let bytes: Vec<u8> = list.words().iter().map(|word| *word as u8).collect();
    Text::of_bytes(&bytes)
}

/// Seeds this thread's generator of Python's `random` with a key of words.
pub(super) fn seed_python(arguments: &mut Arguments, _: *mut i64) -> i64 {
    let text = arguments.text();
    let (words, _) = text.bytes().as_chunks();
    let key: Vec<u32> = words.iter().copied().map(u32::from_le_bytes).collect();
    random::seed_python(&key);
    0
}

/// Methods that map ASCII letters and leave all other bytes.
macro_rules! mapping {
    ($($name:ident = $map:path,)*) => {
        $(pub(super) fn $name(arguments: &mut Arguments, _: *mut i64) -> Text {
            methods::mapped(arguments.text(), $map)
        })*
    };
}

mapping! {
    bytes_upper = methods::upper_ascii,
    bytes_lower = methods::lower_ascii,
    bytes_swapcase = methods::swap_ascii,
    bytes_capitalize = methods::capitalize_ascii,
    bytes_title = methods::title_ascii,
}

/// Methods that give a truth value.
macro_rules! question {
    ($($name:ident = $answer:path,)*) => {
        $(pub(super) fn $name(arguments: &mut Arguments, _: *mut i64) -> bool {
            $answer(arguments.text().bytes())
        })*
    };
}

question! {
    bytes_isalnum = methods::is_alphanumeric,
    bytes_isalpha = methods::is_alphabetic,
    bytes_isdigit = methods::are_digits,
    bytes_islower = methods::is_lower,
    bytes_istitle = methods::is_title,
    bytes_isupper = methods::is_upper,
}
