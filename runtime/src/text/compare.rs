//! Comparing, hashing and searching texts.

use std::{borrow::Cow, hash::BuildHasher, sync::LazyLock};

use foldhash::fast::RandomState;
use memchr::memmem;

use super::{Arguments, Text, host};

/// Two texts without owners.
///
/// # Safety
///
/// Each is the address of so many units of that width.
unsafe fn text(units: *const u8, length: i64, width: i32) -> Text {
    Text {
        units,
        length: usize::try_from(length).unwrap_or(0),
        width: width as usize,
        ..Text::EMPTY
    }
}

/// Compares two texts by code points: -1, 0 or 1. Each is its code units, their number, and the
/// bytes a unit takes.
///
/// # Safety
///
/// Both pointers lead to that many readable units of that width.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_compare_str(
    a: *const u8,
    a_length: i64,
    a_width: i32,
    b: *const u8,
    b_length: i64,
    b_width: i32,
) -> i32 {
    // SAFETY: the caller's promise.
    let (a, b) = unsafe { (text(a, a_length, a_width), text(b, b_length, b_width)) };
    match (a.width, b.width) {
        (1, 1) => a.bytes().cmp(b.bytes()) as i32,
        _ => a.characters().cmp(b.characters()) as i32,
    }
}

/// Whether two texts are equal: 1 or 0.
///
/// # Safety
///
/// As [`pyopt_compare_str`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_str_equal(
    a: *const u8,
    a_length: i64,
    a_width: i32,
    b: *const u8,
    b_length: i64,
    b_width: i32,
) -> i32 {
    // SAFETY: the caller's promise.
    let (a, b) = unsafe { (text(a, a_length, a_width), text(b, b_length, b_width)) };
    let equal = a.length == b.length
        && match a.width == b.width {
            true => a.bytes() == b.bytes(),
            false => a.characters().eq(b.characters()),
        };
    i32::from(equal)
}

/// The hash of a text: that of Python's equal `str` in this process.
///
/// # Safety
///
/// The pointer leads to that many readable units of that width.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_str_hash(units: *const u8, length: i64, width: i32) -> i64 {
    // SAFETY: the caller's promise.
    hash_of(unsafe { text(units, length, width) })
}

fn hash_of(text: Text) -> i64 {
    // CPython hashes the narrowest form.
    let units = text.encoded(text.least_width());
    host::hash(&units.unwrap_or_default())
}

pub(super) fn hash(arguments: &mut Arguments, _: *mut i64) -> i64 {
    hash_of(arguments.text())
}

/// The hash of a text in tables: faster than the host's, seeded in each process, and the same for equal
/// texts of different widths.
pub(super) fn mix(arguments: &mut Arguments, _: *mut i64) -> i64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    let text = arguments.text();
    let units = match text.width {
        1 => Cow::Borrowed(text.bytes()),
        _ => text.encoded(text.least_width()).unwrap_or_default(),
    };
    STATE.hash_one(&*units) as i64
}

/// The code point of the first character.
pub(super) fn ord(arguments: &mut Arguments, _: *mut i64) -> i64 {
    let text = arguments.text();
    text.characters().next().map_or(-1, i64::from)
}

/// A text, another one, and the part of the first that lies between two positions, which count from the
/// end if they are negative. The part is `None` where it is too short for the second text.
struct Search {
    text: Text,
    wanted: Text,
    part: Option<(usize, usize)>,
}

impl Search {
    fn of(arguments: &mut Arguments) -> Self {
        let (text, wanted) = (arguments.text(), arguments.text());
        let length = text.length as i64;
        let position = |at: i64| match at {
            at if at < 0 => at.saturating_add(length).max(0),
            at => at,
        };
        let (start, end) = (
            position(arguments.int()),
            position(arguments.int()).min(length),
        );
        let fits = end.saturating_sub(start) >= wanted.length as i64;
        let part = fits.then_some((start as usize, end as usize));
        Self { text, wanted, part }
    }

    /// Calls back with the bytes of the part and of what is wanted in one width; `None` where there is
    /// nothing to be found.
    fn with_bytes<T>(&self, found: impl FnOnce(&[u8], &[u8], usize) -> Option<T>) -> Option<T> {
        let (start, end) = self.part?;
        let width = self.text.width;
        let wanted = self.wanted.encoded(width)?;
        found(
            &self.text.bytes()[start * width..end * width],
            &wanted,
            width,
        )
    }
}

/// What looks for the same units several times.
pub(super) struct Finder<'w> {
    wanted: &'w [u8],
    width: usize,
    finder: Option<memmem::Finder<'w>>,
}

impl<'w> Finder<'w> {
    /// Prepares the search for some units of a width.
    pub(super) fn new(wanted: &'w [u8], width: usize) -> Self {
        Self {
            wanted,
            width,
            finder: (wanted.len() != 1).then(|| memmem::Finder::new(wanted)),
        }
    }

    /// The first unit at which they are found in others.
    pub(super) fn first(&self, units: &[u8]) -> Option<usize> {
        match &self.finder {
            Some(finder) => first_by(units, self.width, |units| finder.find(units)),
            None => memchr::memchr(self.wanted[0], units),
        }
    }
}

/// The first unit at which some units are found in others.
pub(super) fn first(units: &[u8], wanted: &[u8], width: usize) -> Option<usize> {
    match wanted {
        [byte] => memchr::memchr(*byte, units),
        _ => first_by(units, width, |units| memmem::find(units, wanted)),
    }
}

/// The first unit that `find`, which knows no units, finds.
fn first_by(units: &[u8], width: usize, find: impl Fn(&[u8]) -> Option<usize>) -> Option<usize> {
    let mut from = 0;
    loop {
        let found = from + find(&units[from..])?;
        if found.is_multiple_of(width) {
            return Some(found / width);
        }
        from = found + 1;
    }
}

fn last(units: &[u8], wanted: &[u8], width: usize) -> Option<usize> {
    let mut to = units.len();
    loop {
        let found = memmem::rfind(&units[..to], wanted)?;
        if found.is_multiple_of(width) {
            return Some(found / width);
        }
        to = found + wanted.len() - 1;
    }
}

/// `text.find(wanted, start, end)`.
pub(super) fn find(arguments: &mut Arguments, _: *mut i64) -> i64 {
    let search = Search::of(arguments);
    position(&search, search.with_bytes(first))
}

/// `text.rfind(wanted, start, end)`.
pub(super) fn rfind(arguments: &mut Arguments, _: *mut i64) -> i64 {
    let search = Search::of(arguments);
    position(&search, search.with_bytes(last))
}

fn position(search: &Search, found: Option<usize>) -> i64 {
    match (search.part, found) {
        (Some((start, _)), Some(found)) => (start + found) as i64,
        _ => -1,
    }
}

/// `text.count(wanted, start, end)`.
pub(super) fn count(arguments: &mut Arguments, _: *mut i64) -> i64 {
    let search = Search::of(arguments);
    let found = search.with_bytes(|units, wanted, width| {
        if wanted.is_empty() {
            return Some(units.len() / width + 1);
        }
        let finder = Finder::new(wanted, width);
        let mut rest = units;
        let mut count = 0;
        while let Some(at) = finder.first(rest) {
            count += 1;
            rest = &rest[at * width + wanted.len()..];
        }
        Some(count)
    });
    found.unwrap_or(0) as i64
}

/// `text.startswith(wanted, start, end)`, or `endswith` if the last argument isn't 0.
pub(super) fn matches(arguments: &mut Arguments, _: *mut i64) -> bool {
    let search = Search::of(arguments);
    let at_end = arguments.int() != 0;
    let found = search.with_bytes(|units, wanted, _| {
        Some(match at_end {
            true => units.ends_with(wanted),
            false => units.starts_with(wanted),
        })
    });
    found.unwrap_or(false)
}
