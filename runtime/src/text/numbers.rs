//! Numbers as texts.

use std::io::Write;

use smallvec::SmallVec;

use super::{Arguments, Text};

/// Exponents from here on, and those below [`FIRST_FIXED`], are written as such.
const END_OF_FIXED: i32 = 16;

/// The least exponent of a number that is written with zeros behind the point.
const FIRST_FIXED: i32 = -4;

/// The bytes of a number: few have more than this.
type Digits = SmallVec<[u8; 64]>;

/// `str(number)` of a signed int.
pub(super) fn of_int(arguments: &mut Arguments, _: *mut i64) -> Text {
    Text::of_bytes(itoa::Buffer::new().format(arguments.int()).as_bytes())
}

/// `str(number)` of an unsigned int.
pub(super) fn of_uint(arguments: &mut Arguments, _: *mut i64) -> Text {
    Text::of_bytes(
        itoa::Buffer::new()
            .format(arguments.int() as u64)
            .as_bytes(),
    )
}

/// `repr(number)` of a float.
pub(super) fn of_float(arguments: &mut Arguments, _: *mut i64) -> Text {
    let number = f64::from_bits(arguments.int() as u64);
    shortest(number, Text::of_bytes)
}

/// `format(number, ".…f")` of a float: the digits behind the point, the least number of characters, and
/// whether zeros fill them up.
pub(super) fn of_fixed(arguments: &mut Arguments, _: *mut i64) -> Text {
    let number = f64::from_bits(arguments.int() as u64);
    let [digits, width, zeros] = [(); 3].map(|()| arguments.int() as usize);
    if let Some(word) = not_finite(number) {
        return padded(word.as_bytes(), width, zeros != 0);
    }
    let mut text = Digits::new();
    // Rust's rounding is that of the exact value, ties to even, as C's and Python's.
    write!(text, "{number:.digits$}").expect("a vector takes everything");
    padded(&text, width, zeros != 0)
}

/// `format(number, "…d")` of a signed int: the least number of characters, and whether zeros fill them up.
pub(super) fn of_padded(arguments: &mut Arguments, _: *mut i64) -> Text {
    let number = arguments.int();
    let [width, zeros] = [(); 2].map(|()| arguments.int() as usize);
    padded(
        itoa::Buffer::new().format(number).as_bytes(),
        width,
        zeros != 0,
    )
}

/// A number at the right of so many characters; zeros follow its sign.
fn padded(number: &[u8], width: usize, zeros: bool) -> Text {
    let Some(missing) = width
        .checked_sub(number.len())
        .filter(|missing| *missing > 0)
    else {
        return Text::of_bytes(number);
    };
    let (sign, rest) = number.split_at(usize::from(zeros && number[0] == b'-'));
    let fill = if zeros { b'0' } else { b' ' };
    let mut text = Digits::from_slice(sign);
    text.resize(sign.len() + missing, fill);
    text.extend_from_slice(rest);
    Text::of_bytes(&text)
}

fn not_finite(number: f64) -> Option<&'static str> {
    match number {
        _ if number.is_nan() => Some("nan"),
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ => None,
    }
}

/// Calls back with the shortest digits that read as the number, as Python writes them.
fn shortest<T>(number: f64, take: impl FnOnce(&[u8]) -> T) -> T {
    if let Some(word) = not_finite(number) {
        return take(word.as_bytes());
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(number).as_bytes();
    let (sign, size) = text.split_at(usize::from(text[0] == b'-'));
    // The crate writes exponents elsewhere than Python does.
    let is_as_python = number == 0.0 || (1e-4..1e16).contains(&number.abs());
    if is_as_python && !text.contains(&b'e') {
        return take(text);
    }
    let (digits, exponent) = scientific(size);
    let mut made = Digits::from_slice(sign);
    match exponent {
        FIRST_FIXED..0 => {
            made.extend_from_slice(b"0.");
            made.resize(made.len() + exponent.unsigned_abs() as usize - 1, b'0');
            made.extend_from_slice(&digits);
        }
        0..END_OF_FIXED => {
            let whole = exponent as usize + 1;
            made.extend((0..whole).map(|at| digits.get(at).copied().unwrap_or(b'0')));
            made.push(b'.');
            made.extend_from_slice(
                digits
                    .get(whole..)
                    .filter(|rest| !rest.is_empty())
                    .unwrap_or(b"0"),
            );
        }
        _ => {
            made.push(digits[0]);
            if digits.len() > 1 {
                made.push(b'.');
                made.extend_from_slice(&digits[1..]);
            }
            let sign = if exponent < 0 { '-' } else { '+' };
            write!(made, "e{sign}{:02}", exponent.abs()).expect("a vector takes everything");
        }
    }
    take(&made)
}

/// The digits of a number that isn't 0, without zeros at the ends, and the exponent of the first.
fn scientific(text: &[u8]) -> (Digits, i32) {
    let at = text.iter().position(|byte| *byte == b'e');
    let (size, exponent) = text.split_at(at.unwrap_or(text.len()));
    let exponent = std::str::from_utf8(exponent.get(1..).unwrap_or(b"0"));
    let exponent: i32 = exponent
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let point = size
        .iter()
        .position(|byte| *byte == b'.')
        .unwrap_or(size.len());
    let mut digits: Digits = size.iter().copied().filter(u8::is_ascii_digit).collect();
    let leading = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.drain(..leading);
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    (digits, exponent + point as i32 - 1 - leading as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_as_python_does() {
        for (number, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-1.5, "-1.5"),
            (0.1, "0.1"),
            (1e-4, "0.0001"),
            (-1.25e-4, "-0.000125"),
            (9.999e-5, "9.999e-05"),
            (1e-5, "1e-05"),
            (123456789.123, "123456789.123"),
            (1e15, "1000000000000000.0"),
            (9007199254740993.0, "9007199254740992.0"),
            (1e16, "1e+16"),
            (1.2345e16, "1.2345e+16"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (1e22, "1e+22"),
            (1e300, "1e+300"),
            (-2.5e-300, "-2.5e-300"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
            (f64::NAN, "nan"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            shortest(number, |digits| assert_eq!(digits, text.as_bytes()));
        }
    }
}
