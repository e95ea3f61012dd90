//! Numbers as texts.

use super::{Arguments, Text};

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
    Text::of_bytes(float(number).as_bytes())
}

/// The shortest digits that read as the number, as Python writes them.
pub(super) fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.into();
    }
    // Rust's digits are the shortest too, and of these the closest.
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').expect("there is an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is an int");
    match exponent {
        -4..16 => format!("{number:?}"),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
    }
}
