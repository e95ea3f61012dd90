//! Format specifications of numbers that the runtime follows itself: `.3f`, `8.2f`, `5d`, `04`.

use super::objects;
use crate::{
    inference::{emit::Emit, val::Val},
    types::number::Number,
};
use pyopt_dialects::typed::TypedType;

/// More digits than this behind the point, or characters, are left to Python.
const MOST: i64 = 100;

/// Digits behind the point where a specification names none.
const USUAL_DIGITS: i64 = 6;

/// `[0][width][.digits][d|f]`.
#[derive(Debug, PartialEq)]
struct NumberFormat {
    zeros: bool,
    width: i64,
    digits: Option<i64>,
    kind: Option<char>,
}

impl NumberFormat {
    /// Reads a specification; `None` for any other form.
    fn read(spec: &str) -> Option<Self> {
        let kind = spec.chars().last().filter(|kind| matches!(kind, 'd' | 'f'));
        let spec = spec.strip_suffix(['d', 'f']).unwrap_or(spec);
        let (width, digits) = match spec.split_once('.') {
            Some((width, digits)) => (width, Some(number(digits)?)),
            None => (spec, None),
        };
        let zeros = width.starts_with('0');
        let width = match width {
            "" => 0,
            width => number(width)?,
        };
        Some(Self {
            zeros,
            width,
            digits,
            kind,
        })
    }
}

fn number(digits: &str) -> Option<i64> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| is_number)?;
    (number <= MOST).then_some(number)
}

/// `format(value, spec)` for such a specification that is known, of a number of 64 bits; nothing otherwise.
pub(super) fn format<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    spec: Val<'c, 'a>,
) -> Option<Val<'c, 'a>> {
    let spec = NumberFormat::read(spec.literal_str()?)?;
    let (symbol, number, digits) = match (value.number()?, spec.kind, spec.digits) {
        (Number::Int { signed: true, .. }, None | Some('d'), None) => {
            ("pyopt_text_of_padded", Number::INT64, None)
        }
        (Number::Float(64) | Number::Int { .. }, Some('f'), digits) => {
            let digits = digits.unwrap_or(USUAL_DIGITS);
            ("pyopt_text_of_fixed", Number::FLOAT64, Some(digits))
        }
        _ => return None,
    };
    let ty = number.to_type(e.context());
    let mut inputs = vec![e.cast(value, ty)];
    inputs.extend(digits.map(|digits| e.int(digits)));
    inputs.extend([e.int(spec.width), e.int(i64::from(spec.zeros))]);
    let text = e.type_of(TypedType::Str);
    Some(objects::call_native(e, symbol, &inputs, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_read() {
        let read = |spec, zeros, width, digits, kind| {
            let wanted = NumberFormat {
                zeros,
                width,
                digits,
                kind,
            };
            assert_eq!(NumberFormat::read(spec), Some(wanted), "{spec}");
        };
        read(".3f", false, 0, Some(3), Some('f'));
        read("f", false, 0, None, Some('f'));
        read("8.2f", false, 8, Some(2), Some('f'));
        read("08.0f", true, 8, Some(0), Some('f'));
        read("d", false, 0, None, Some('d'));
        read("04", true, 4, None, None);
    }

    #[test]
    fn any_other_specification_is_left_to_python() {
        for spec in [
            "e", ".f", "<5d", "+d", ",", "5 d", ".3g", "101d", ".1000f", "_d", "x", "5.", "-5d",
        ] {
            assert_eq!(NumberFormat::read(spec), None, "{spec}");
        }
    }
}
