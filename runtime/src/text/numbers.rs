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
    padded(&fixed(number, digits), width, zeros != 0)
}

/// A finite number with so many digits behind the point: the exact value is rounded, ties to even, as C and
/// Python do.
fn fixed(number: f64, digits: usize) -> Digits {
    let mut text = Digits::new();
    let Some((scaled, scale)) = scaled(number.abs(), digits) else {
        // Rust rounds so, too.
        write!(text, "{number:.digits$}").expect("a vector takes everything");
        return text;
    };
    if number.is_sign_negative() {
        text.push(b'-');
    }
    let mut buffer = itoa::Buffer::new();
    text.extend_from_slice(buffer.format(scaled / scale).as_bytes());
    if digits > 0 {
        text.push(b'.');
        // The one in front keeps the zeros behind it.
        let behind = buffer.format(scaled % scale + scale).as_bytes();
        text.extend_from_slice(&behind[1..]);
    }
    text
}

/// A number times ten to the power of `digits`, rounded, and that power; `None` where words don't hold them.
fn scaled(number: f64, digits: usize) -> Option<(u64, u64)> {
    /// The bits of a mantissa that are stored.
    const STORED: u32 = f64::MANTISSA_DIGITS - 1;
    // Up to here the product of the power and a mantissa is less than half of two to the 127.
    const MOST_DIGITS: usize = 18;
    if digits > MOST_DIGITS {
        return None;
    }
    let scale = 10_u64.pow(digits as u32);
    let bits = number.to_bits();
    let (exponent, stored) = ((bits >> STORED) as i32, bits & ((1 << STORED) - 1));
    // Subnormal numbers have the exponent of the least normal ones, and no one in front.
    let mantissa = stored | u64::from(exponent > 0) << STORED;
    let exponent = exponent.max(1) - (f64::MAX_EXP - 1) - STORED as i32;
    let product = u128::from(mantissa) * u128::from(scale);
    let rounded = match -exponent {
        ..=0 => return None,
        shift @ 1..128 => {
            let (whole, rest) = (product >> shift, product & ((1 << shift) - 1));
            let half = 1 << (shift - 1);
            let is_up = rest > half || rest == half && whole & 1 == 1;
            whole + u128::from(is_up)
        }
        _ => 0,
    };
    Some((u64::try_from(rounded).ok()?, scale))
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
    fn given_digits_are_those_of_the_exact_value() {
        let mut bits = 0x0123_4567_89ab_cdef_u64;
        let mut numbers = vec![
            0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 1e-320, 5e-324, 1e22, 1e300,
        ];
        numbers.extend([
            9.995,
            0.9995,
            999.9995,
            1e15 + 0.5,
            4503599627370497.5,
            f64::MAX,
        ]);
        for _ in 0..4_000 {
            bits = bits
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let any = f64::from_bits(bits);
            // Few of any bits are near one; many ties are among eighths and sixteenths.
            let near = (bits >> 40) as f64 / [16.0, 1e3, 1e9, 1e20][bits as usize % 4];
            numbers.extend([any, near].into_iter().filter(|number| number.is_finite()));
        }
        for number in numbers {
            for digits in [0, 1, 2, 3, 6, 10, 17, 18, 19, 30] {
                for number in [number, -number] {
                    let text = format!("{number:.digits$}");
                    assert_eq!(fixed(number, digits).as_slice(), text.as_bytes());
                }
            }
        }
    }

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
