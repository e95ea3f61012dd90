//! Methods that ask for the classes and cases of characters: ASCII here, everything else by the host, whose
//! tables are of its Unicode version.

use super::{Answer, Arguments, Text, host};

/// A method that makes a text.
macro_rules! mapping {
    ($($name:ident = $map:expr,)*) => {
        $(pub(super) fn $name(arguments: &mut Arguments, returned: *mut i64) -> Answer<Text> {
            let text = arguments.text();
            let name = const { crate::symbols::symbol_name(concat!(stringify!($name), "\0")) };
            match text.is_ascii() {
                true => Answer::Here(mapped(text, $map)),
                false => host::ask(arguments, name, text, returned),
            }
        })*
    };
}

/// Maps each ASCII character, given whether the one before was a letter and whether it is the first.
pub(super) fn mapped(text: Text, map: impl Fn(u8, bool, bool) -> u8) -> Text {
    let mut made = Vec::with_capacity(text.length);
    let mut behind_letter = false;
    for character in text.characters() {
        let character = character as u8;
        made.push(map(character, behind_letter, made.is_empty()));
        behind_letter = character.is_ascii_alphabetic();
    }
    Text::of_bytes(&made)
}

mapping! {
    upper = upper_ascii,
    lower = lower_ascii,
    casefold = lower_ascii,
    swapcase = swap_ascii,
    capitalize = capitalize_ascii,
    title = title_ascii,
}

// What each method makes of a character, given whether the one before was a letter and whether it is the first.

pub(super) fn upper_ascii(one: u8, _: bool, _: bool) -> u8 {
    one.to_ascii_uppercase()
}

pub(super) fn lower_ascii(one: u8, _: bool, _: bool) -> u8 {
    one.to_ascii_lowercase()
}

pub(super) fn swap_ascii(one: u8, _: bool, _: bool) -> u8 {
    match one.is_ascii_uppercase() {
        true => one.to_ascii_lowercase(),
        false => one.to_ascii_uppercase(),
    }
}

pub(super) fn capitalize_ascii(one: u8, _: bool, is_first: bool) -> u8 {
    match is_first {
        true => one.to_ascii_uppercase(),
        false => one.to_ascii_lowercase(),
    }
}

pub(super) fn title_ascii(one: u8, behind_letter: bool, _: bool) -> u8 {
    match behind_letter {
        true => one.to_ascii_lowercase(),
        false => one.to_ascii_uppercase(),
    }
}

/// A method that gives a truth value.
macro_rules! question {
    ($($name:ident = $answer:expr,)*) => {
        $(pub(super) fn $name(arguments: &mut Arguments, returned: *mut i64) -> Answer<bool> {
            let text = arguments.text();
            let name = const { crate::symbols::symbol_name(concat!(stringify!($name), "\0")) };
            let answer: fn(&[u8]) -> bool = $answer;
            match text.is_ascii() {
                true => Answer::Here(answer(&text.encoded(1).unwrap_or_default())),
                false => host::ask(arguments, name, text, returned),
            }
        })*
    };
}

/// Whether there are characters, and all are of a class.
fn all(text: &[u8], is: impl Fn(&u8) -> bool) -> bool {
    !text.is_empty() && text.iter().all(is)
}

question! {
    isalnum = is_alphanumeric,
    isalpha = is_alphabetic,
    isdecimal = are_digits,
    isdigit = are_digits,
    isnumeric = are_digits,
    isprintable = |text| text.iter().all(|one| matches!(one, 0x20..0x7f)),
    isspace = |text| all(text, |one| matches!(one, 9..=13 | 28..=32)),
    isidentifier = |text| {
        all(text, |one| one.is_ascii_alphanumeric() || *one == b'_') && !text[0].is_ascii_digit()
    },
    islower = is_lower,
    isupper = is_upper,
    istitle = is_title,
}

pub(super) fn is_alphanumeric(text: &[u8]) -> bool {
    all(text, u8::is_ascii_alphanumeric)
}

pub(super) fn is_alphabetic(text: &[u8]) -> bool {
    all(text, u8::is_ascii_alphabetic)
}

pub(super) fn are_digits(text: &[u8]) -> bool {
    all(text, u8::is_ascii_digit)
}

pub(super) fn is_lower(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_lowercase) && !text.iter().any(u8::is_ascii_uppercase)
}

pub(super) fn is_upper(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_uppercase) && !text.iter().any(u8::is_ascii_lowercase)
}

/// Whether upper case letters begin words, and lower case ones don't, and there are letters.
pub(super) fn is_title(text: &[u8]) -> bool {
    let mut behind_letter = false;
    let mut has_letters = false;
    for one in text {
        let fits = match one.is_ascii_alphabetic() {
            true => one.is_ascii_uppercase() != behind_letter,
            false => true,
        };
        if !fits {
            return false;
        }
        behind_letter = one.is_ascii_alphabetic();
        has_letters |= behind_letter;
    }
    has_letters
}

pub(super) fn isascii(arguments: &mut Arguments, _: *mut i64) -> bool {
    arguments.text().is_ascii()
}
