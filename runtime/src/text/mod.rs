//! Texts of compiled code, and bytes, which are texts of characters below 256.
//!
//! A text is four words: the owner of its memory, the address of its code units, their number, and the
//! bytes that each takes: 1, 2 or 4, as in CPython, but not always as few as would do. The owner is null
//! for constants, and lent by the caller for arguments, which are read where CPython has them. Texts don't
//! change, so a part of one is a view that holds its owner.

mod bytes;
mod compare;
mod fields;
mod host;
mod make;
mod methods;
mod numbers;
mod parts;
mod places;
mod units;

use std::{
    alloc::{Layout, handle_alloc_error},
    borrow::Cow,
    ffi::CStr,
    ptr, slice,
};

use crate::{
    error::PyoptError,
    lists::List,
    memory::{HEADER, Owner, pyopt_acquire, pyopt_alloc},
    symbols::table,
};

pub use compare::{pyopt_compare_str, pyopt_str_equal, pyopt_str_hash};
pub use host::{on_text_hash, on_text_method};
use units::{copy, width_of, write_unit};

/// The number of words of a text.
pub const WORDS: usize = 4;

/// A text; whoever has it knows that its memory stays.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    owner: *mut Owner,
    units: *const u8,
    length: usize,
    width: usize,
}

impl Text {
    /// The text without characters.
    const EMPTY: Self = Self {
        owner: ptr::null_mut(),
        units: ptr::null(),
        length: 0,
        width: 1,
    };

    /// The text in four words, which keeps no reference.
    ///
    /// # Safety
    ///
    /// The words are a text's whose memory stays as long as the result is used.
    unsafe fn from_words(words: *const i64) -> Self {
        // SAFETY: the caller's promise.
        let words = unsafe { slice::from_raw_parts(words, WORDS) };
        Self {
            owner: words[0] as *mut Owner,
            units: words[1] as *const u8,
            length: words[2] as usize,
            width: words[3] as usize,
        }
    }

    fn words(self) -> [i64; WORDS] {
        let (owner, units) = (self.owner as i64, self.units as i64);
        [owner, units, self.length as i64, self.width as i64]
    }

    /// The memory of the code units.
    fn bytes(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: a text has so many units.
        unsafe { slice::from_raw_parts(self.units, self.length * self.width) }
    }

    fn at(&self, index: usize) -> u32 {
        debug_assert!(index < self.length);
        // SAFETY: the unit is one of the text's; it is read whatever its alignment.
        unsafe {
            match self.width {
                1 => u32::from(*self.units.add(index)),
                2 => u32::from(self.units.cast::<u16>().add(index).read_unaligned()),
                _ => self.units.cast::<u32>().add(index).read_unaligned(),
            }
        }
    }

    fn characters(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + '_ {
        (0..self.length).map(|index| self.at(index))
    }

    fn is_ascii(&self) -> bool {
        match self.width {
            1 => self.bytes().is_ascii(),
            _ => self.characters().all(|character| character < 0x80),
        }
    }

    /// The only character, where that is one and its unit a byte.
    fn only_byte(&self) -> Option<u8> {
        match *self.bytes() {
            [byte] => Some(byte),
            _ => None,
        }
    }

    /// The fewest bytes that hold each of its characters.
    fn least_width(&self) -> usize {
        match self.width {
            1 => 1,
            _ => width_of(self.characters().max().unwrap_or(0)).min(self.width),
        }
    }

    /// The code units in another width; `None` if that doesn't hold a character.
    fn encoded(&self, width: usize) -> Option<Cow<'_, [u8]>> {
        if width == self.width {
            return Some(Cow::Borrowed(self.bytes()));
        }
        if width < self.least_width() {
            return None;
        }
        let mut made = vec![0; self.length * width];
        // SAFETY: there is room for the units.
        unsafe { self.write_to(made.as_mut_ptr(), width) };
        Some(Cow::Owned(made))
    }

    /// Writes the code units somewhere in a width that holds them, and gives the address behind them.
    ///
    /// # Safety
    ///
    /// There is room.
    unsafe fn write_to(&self, place: *mut u8, width: usize) -> *mut u8 {
        // SAFETY: the caller's promise; what is written is fresh memory.
        unsafe {
            if width == self.width {
                copy(self.bytes(), place);
            } else {
                for (index, character) in self.characters().enumerate() {
                    write_unit(place.add(index * width), width, character);
                }
            }
            place.add(self.length * width)
        }
    }

    /// A part of the text, with a reference of its own.
    fn part(&self, start: usize, end: usize) -> Self {
        self.lent_part(start, end).shared()
    }

    /// A part of the text, without a reference.
    fn lent_part(&self, start: usize, end: usize) -> Self {
        debug_assert!(start <= end && end <= self.length);
        if start == end {
            return Self::EMPTY;
        }
        Self {
            length: end - start,
            // SAFETY: the start is in the text.
            units: unsafe { self.units.add(start * self.width) },
            ..*self
        }
    }

    /// The same text, with a reference of its own.
    fn shared(&self) -> Self {
        // SAFETY: whoever has the text keeps its owner alive.
        unsafe { pyopt_acquire(self.owner) };
        *self
    }

    /// Memory for a text of so many units, which must be written. Where there is none, the process ends.
    fn room(length: usize, width: usize) -> (Self, *mut u8) {
        if length == 0 {
            return (Self::EMPTY, ptr::NonNull::dangling().as_ptr());
        }
        let bytes = length.saturating_mul(width);
        let owner = i64::try_from(bytes).map_or(ptr::null_mut(), |bytes| pyopt_alloc(bytes, 0));
        if owner.is_null() {
            handle_alloc_error(Layout::new::<Owner>());
        }
        // SAFETY: the memory follows the header.
        let units = unsafe { owner.cast::<u8>().add(HEADER) };
        let text = Self {
            owner,
            units,
            length,
            width,
        };
        (text, units)
    }

    /// A text of these characters.
    fn of(characters: &[u32]) -> Self {
        let width = width_of(characters.iter().copied().max().unwrap_or(0));
        let (text, units) = Self::room(characters.len(), width);
        for (index, character) in characters.iter().enumerate() {
            // SAFETY: there is room for so many.
            unsafe { write_unit(units.add(index * width), width, *character) };
        }
        text
    }

    /// Bytes as a text, each of which is a character, for as long as they are there.
    fn borrowed(bytes: &[u8]) -> Self {
        Self {
            units: bytes.as_ptr(),
            length: bytes.len(),
            ..Self::EMPTY
        }
    }

    /// A text of bytes, each of which is a character.
    fn of_bytes(bytes: &[u8]) -> Self {
        let (text, units) = Self::room(bytes.len(), 1);
        // SAFETY: there is room for so many.
        unsafe { copy(bytes, units) };
        text
    }
}

/// The arguments of a function that compiled code calls, taken one by one.
struct Arguments {
    next: *const i64,
    error: *mut PyoptError,
}

impl Arguments {
    fn words(&mut self, count: usize) -> *const i64 {
        let words = self.next;
        // SAFETY: the compiler passes as many words as the function takes.
        self.next = unsafe { words.add(count) };
        words
    }

    fn int(&mut self) -> i64 {
        // SAFETY: the words are the next argument's.
        unsafe { *self.words(1) }
    }

    fn text(&mut self) -> Text {
        let words = self.words(WORDS);
        // Word by word, as compiled code has just written them: a load of two would wait until both are in
        // the cache.
        let word = |index| {
            // SAFETY: the words are the next argument's.
            unsafe { words.add(index).read_volatile() }
        };
        let words = [word(0), word(1), word(2), word(3)];
        // SAFETY: they are a text's, whose memory stays during the call.
        unsafe { Text::from_words(words.as_ptr()) }
    }

    /// So many texts.
    fn texts(&mut self, count: usize) -> Texts<'static> {
        // SAFETY: the words are the next arguments', whose memory stays during the call.
        Texts(unsafe { slice::from_raw_parts(self.words(count * WORDS), count * WORDS) })
    }

    /// The texts in a list.
    fn list(&mut self) -> Texts<'static> {
        // SAFETY: the argument is a list of texts, which nobody changes during the call.
        let list = unsafe { List::of(self.int() as *mut Owner) };
        Texts(list.words())
    }
}

/// Texts in memory, one behind the other.
#[derive(Clone, Copy)]
struct Texts<'w>(&'w [i64]);

impl<'w> Texts<'w> {
    fn len(self) -> usize {
        self.0.len() / WORDS
    }

    fn iter(self) -> impl Iterator<Item = Text> + Clone + 'w {
        let items = self.0.chunks_exact(WORDS);
        // SAFETY: who has the words keeps the texts' memory.
        items.map(|words| unsafe { Text::from_words(words.as_ptr()) })
    }
}

/// What a function gives to compiled code.
trait Returned {
    /// Writes the words, and gives the status.
    ///
    /// # Safety
    ///
    /// There is room for them.
    unsafe fn write(self, place: *mut i64) -> i32;
}

impl Returned for i64 {
    unsafe fn write(self, place: *mut i64) -> i32 {
        // SAFETY: the caller's promise.
        unsafe { place.write(self) };
        0
    }
}

impl Returned for bool {
    unsafe fn write(self, place: *mut i64) -> i32 {
        // SAFETY: the caller's promise.
        unsafe { i64::from(self).write(place) }
    }
}

impl Returned for Text {
    unsafe fn write(self, place: *mut i64) -> i32 {
        // SAFETY: the caller's promise.
        unsafe { place.cast::<[i64; WORDS]>().write(self.words()) };
        0
    }
}

/// A list that was made.
struct MadeList(*mut Owner);

impl Returned for MadeList {
    unsafe fn write(self, place: *mut i64) -> i32 {
        // SAFETY: the caller's promise.
        unsafe { (self.0 as i64).write(place) }
    }
}

/// What the host was asked for, or the status of its failure.
enum Answer<T> {
    Here(T),
    Written(i32),
}

impl<T: Returned> Returned for Answer<T> {
    unsafe fn write(self, place: *mut i64) -> i32 {
        match self {
            // SAFETY: the caller's promise.
            Self::Here(value) => unsafe { value.write(place) },
            Self::Written(status) => status,
        }
    }
}

/// Defines functions that compiled code calls by name, and their table.
macro_rules! functions {
    ($($symbol:ident = $function:path,)*) => {
        $(
            /// The function of this name on texts.
            ///
            /// # Safety
            ///
            /// The arguments are words of the types that the function takes, and there is room for what it
            /// returns.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $symbol(
                error: *mut PyoptError,
                returned: *mut i64,
                arguments: *const i64,
            ) -> i32 {
                let mut arguments = Arguments { next: arguments, error };
                // SAFETY: the caller's promise.
                unsafe { $function(&mut arguments, returned).write(returned) }
            }
        )*

        /// The names and addresses of the functions.
        pub(crate) fn symbols() -> Vec<(&'static CStr, usize)> {
            table![pyopt_compare_str, pyopt_str_equal, pyopt_str_hash, $($symbol,)*].to_vec()
        }
    };
}

functions! {
    pyopt_text_as_bytes = bytes::as_bytes,
    pyopt_text_as_text = bytes::as_text,
    pyopt_text_bytes_array = bytes::bytes_array,
    pyopt_text_bytes_of = bytes::bytes_of,
    pyopt_text_bytes_upper = bytes::bytes_upper,
    pyopt_text_bytes_lower = bytes::bytes_lower,
    pyopt_text_bytes_swapcase = bytes::bytes_swapcase,
    pyopt_text_bytes_capitalize = bytes::bytes_capitalize,
    pyopt_text_bytes_title = bytes::bytes_title,
    pyopt_text_bytes_isalnum = bytes::bytes_isalnum,
    pyopt_text_bytes_isalpha = bytes::bytes_isalpha,
    pyopt_text_bytes_isdigit = bytes::bytes_isdigit,
    pyopt_text_bytes_islower = bytes::bytes_islower,
    pyopt_text_bytes_istitle = bytes::bytes_istitle,
    pyopt_text_bytes_isupper = bytes::bytes_isupper,
    pyopt_text_compose = make::compose,
    pyopt_text_concat = make::concat,
    pyopt_text_repeat = make::repeat,
    pyopt_text_join = make::join,
    pyopt_text_pad = make::pad,
    pyopt_text_has_room = make::has_room,
    pyopt_text_replace = make::replace,
    pyopt_text_chr = make::chr,
    pyopt_text_slice = parts::slice,
    pyopt_text_strip = parts::strip,
    pyopt_text_split = parts::split,
    pyopt_text_find = compare::find,
    pyopt_text_rfind = compare::rfind,
    pyopt_text_count = compare::count,
    pyopt_text_matches = compare::matches,
    pyopt_text_hash = compare::hash,
    pyopt_text_mix = compare::mix,
    pyopt_text_ord = compare::ord,
    pyopt_text_seed_python = bytes::seed_python,
    pyopt_text_of_int = numbers::of_int,
    pyopt_text_of_uint = numbers::of_uint,
    pyopt_text_of_field = fields::read,
    pyopt_text_to_field = fields::write,
    pyopt_text_of_float = numbers::of_float,
    pyopt_text_of_fixed = numbers::of_fixed,
    pyopt_text_of_padded = numbers::of_padded,
    pyopt_text_upper = methods::upper,
    pyopt_text_lower = methods::lower,
    pyopt_text_casefold = methods::casefold,
    pyopt_text_swapcase = methods::swapcase,
    pyopt_text_capitalize = methods::capitalize,
    pyopt_text_title = methods::title,
    pyopt_text_isalnum = methods::isalnum,
    pyopt_text_isalpha = methods::isalpha,
    pyopt_text_isascii = methods::isascii,
    pyopt_text_isdecimal = methods::isdecimal,
    pyopt_text_isdigit = methods::isdigit,
    pyopt_text_isidentifier = methods::isidentifier,
    pyopt_text_islower = methods::islower,
    pyopt_text_isnumeric = methods::isnumeric,
    pyopt_text_isprintable = methods::isprintable,
    pyopt_text_isspace = methods::isspace,
    pyopt_text_istitle = methods::istitle,
    pyopt_text_isupper = methods::isupper,
}

#[cfg(test)]
mod tests;
