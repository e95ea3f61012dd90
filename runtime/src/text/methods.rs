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
fn mapped(text: Text, map: impl Fn(u8, bool, bool) -> u8) -> Text {
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
    upper = |one, _, _| one.to_ascii_uppercase(),
    lower = |one, _, _| one.to_ascii_lowercase(),
    casefold = |one, _, _| one.to_ascii_lowercase(),
    swapcase = |one, _, _| match one.is_ascii_uppercase() {
        true => one.to_ascii_lowercase(),
        false => one.to_ascii_uppercase(),
    },
    capitalize = |one, _, is_first| match is_first {
        true => one.to_ascii_uppercase(),
        false => one.to_ascii_lowercase(),
    },
    title = |one, behind_letter, _| match behind_letter {
        true => one.to_ascii_lowercase(),
        false => one.to_ascii_uppercase(),
    },
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
    isalnum = |text| all(text, u8::is_ascii_alphanumeric),
    isalpha = |text| all(text, u8::is_ascii_alphabetic),
    isdecimal = |text| all(text, u8::is_ascii_digit),
    isdigit = |text| all(text, u8::is_ascii_digit),
    isnumeric = |text| all(text, u8::is_ascii_digit),
    isprintable = |text| text.iter().all(|one| matches!(one, 0x20..0x7f)),
    isspace = |text| all(text, |one| matches!(one, 9..=13 | 28..=32)),
    isidentifier = |text| {
        all(text, |one| one.is_ascii_alphanumeric() || *one == b'_') && !text[0].is_ascii_digit()
    },
    islower = |text| {
        text.iter().any(u8::is_ascii_lowercase) && !text.iter().any(u8::is_ascii_uppercase)
    },
    isupper = |text| {
        text.iter().any(u8::is_ascii_uppercase) && !text.iter().any(u8::is_ascii_lowercase)
    },
    istitle = is_title,
}

/// Whether upper case letters begin words, and lower case ones don't, and there are letters.
fn is_title(text: &[u8]) -> bool {
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
