//! Texts that code is compiled for the value of, by numbers, which fingerprints have room for. A number stays
//! as long as the process lives.

use std::collections::HashMap;
use std::fmt::Write;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyopt_runtime::fork::Table;

/// A text as UTF-8, in which surrogates have the form that they would have as characters.
type Text = Vec<u8>;

#[derive(Default)]
struct Texts {
    known: Vec<Text>,
    numbers: HashMap<Text, i64>,
}

static TEXTS: Table<Texts> = Table::new();

/// The number of a text.
pub fn number(text: &[u8]) -> i64 {
    let mut texts = TEXTS.lock();
    if let Some(number) = texts.numbers.get(text) {
        return *number;
    }
    let number = texts.known.len() as i64;
    texts.known.push(text.to_owned());
    texts.numbers.insert(text.to_owned(), number);
    number
}

/// The text with a number.
pub fn text(number: i64) -> Text {
    TEXTS.lock().known[number as usize].clone()
}

/// Writes a text as MLIR does: in quotation marks, with other bytes than ASCII's as two digits.
pub fn quoted(text: &[u8]) -> String {
    let mut written = String::from("\"");
    for &byte in text {
        match byte {
            b'\\' => written.push_str("\\\\"),
            b'"' | ..32 | 127.. => {
                write!(written, "\\{byte:02X}").expect("a text can be written to");
            }
            _ => written.push(byte.into()),
        }
    }
    written.push('"');
    written
}

/// Reads what MLIR has written at the start of a text; gives it and what follows the quotation mark.
pub fn unquoted(text: &str) -> Option<(Text, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let at = rest.find(['"', '\\'])?;
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        if rest.as_bytes()[at] == b'"' {
            return Some((bytes, &rest[at + 1..]));
        }
        rest = &rest[at + 1..];
        match rest.strip_prefix('\\') {
            Some(behind) => {
                bytes.push(b'\\');
                rest = behind;
            }
            None => {
                bytes.push(u8::from_str_radix(rest.get(..2)?, 16).ok()?);
                rest = &rest[2..];
            }
        }
    }
}

/// [`quoted`], for types that Python makes; of a text's bytes.
#[pyfunction]
pub fn quoted_text(text: &[u8]) -> String {
    quoted(text)
}

/// [`unquoted`], for types that Python reads; nothing may follow.
#[pyfunction]
pub fn unquoted_text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyBytes>> {
    match unquoted(text) {
        Some((bytes, "")) => Ok(PyBytes::new(py, &bytes)),
        _ => Err(PyValueError::new_err(format!(
            "{text} isn't a text of MLIR's"
        ))),
    }
}

/// A text of CPython's by the address of its code units, their number and the bytes of each.
///
/// # Safety
/// There are as many code units.
pub unsafe fn read(data: i64, length: i64, width: i64) -> Text {
    let data = data as usize;
    let unit = |at: usize| {
        // SAFETY: the caller's promise.
        unsafe {
            match width {
                1 => u32::from(*(data as *const u8).add(at)),
                2 => u32::from(*(data as *const u16).add(at)),
                _ => *(data as *const u32).add(at),
            }
        }
    };
    let mut text = Text::new();
    for unit in (0..length as usize).map(unit) {
        match char::from_u32(unit) {
            Some(character) => {
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            None => text.extend([
                0xE0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3F) as u8,
                0x80 | (unit & 0x3F) as u8,
            ]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in ["", "ab", "a\nb", "a\"b", "\\", "\\n", "é€🐍", "a>, b<"] {
            let text = text.as_bytes();
            let written = format!("{}>, si64", quoted(text));
            assert_eq!(unquoted(&written), Some((text.to_owned(), ">, si64")));
            let number = number(text);
            let again = (super::text(number), super::number(text));
            assert_eq!(again, (text.to_owned(), number));
        }
        assert_eq!(quoted("é\n".as_bytes()), "\"\\C3\\A9\\0A\"");
        for damaged in ["\"abc", "abc", "\"\\", "\"\\G1\""] {
            assert_eq!(unquoted(damaged), None);
        }
    }

    #[test]
    fn code_units_of_all_widths() {
        let wide = ['a' as u32, 'é' as u32, '€' as u32, '🐍' as u32];
        let units = [0x61_u16, 0xD800];
        // SAFETY: there are as many.
        let (texts, lone) = unsafe {
            (
                read(wide.as_ptr().addr() as i64, 4, 4),
                read(units.as_ptr().addr() as i64, 2, 2),
            )
        };
        assert_eq!(texts, "aé€🐍".as_bytes());
        assert_eq!(lone, [0x61, 0xED, 0xA0, 0x80]);
    }
}
