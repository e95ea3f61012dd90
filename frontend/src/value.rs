//! The constant values a code object can hold.
//!
//! A [`Value`] is what the marshal format can express: it is immutable, cheap to clone (containers
//! are shared) and acyclic, so that walking one always terminates.

use crate::code::CodeObject;
use serde::Serialize;
use std::{fmt, sync::Arc};

/// A Python object read from a marshal stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Value {
    /// `None`.
    None,
    /// `StopIteration`, which only CPython's own sources marshal.
    StopIteration,
    /// `...`.
    Ellipsis,
    /// `True` or `False`.
    Bool(bool),
    /// An integer of any size.
    Int(Integer),
    /// A float.
    Float(f64),
    /// A complex number: real and imaginary part.
    Complex(f64, f64),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A string that is valid Unicode.
    Str(Arc<str>),
    /// A string with lone surrogates, in CPython's `surrogatepass` UTF-8.
    SurrogateStr(Arc<[u8]>),
    /// A tuple.
    Tuple(Arc<[Value]>),
    /// A list.
    List(Arc<[Value]>),
    /// A set, in stream order.
    Set(Arc<[Value]>),
    /// A frozen set, in stream order.
    FrozenSet(Arc<[Value]>),
    /// A dictionary, in insertion order.
    Dict(Arc<[(Value, Value)]>),
    /// A slice: start, stop and step.
    Slice(Arc<[Value; 3]>),
    /// A code object.
    Code(Arc<CodeObject>),
    /// A code object that lies elsewhere in a module, by its symbol; marshal data never holds one.
    CodeSymbol(Arc<str>),
}

impl Value {
    /// The name of the value's Python type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::StopIteration => "type",
            Self::Ellipsis => "ellipsis",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Complex(..) => "complex",
            Self::Bytes(_) => "bytes",
            Self::Str(_) | Self::SurrogateStr(_) => "str",
            Self::Tuple(_) => "tuple",
            Self::List(_) => "list",
            Self::Set(_) => "set",
            Self::FrozenSet(_) => "frozenset",
            Self::Dict(_) => "dict",
            Self::Slice(_) => "slice",
            Self::Code(_) | Self::CodeSymbol(_) => "code",
        }
    }

    /// The text of a string value.
    pub fn as_str(&self) -> Option<&Arc<str>> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The value of an integer that fits 64 bits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(integer) => integer.to_i64(),
            _ => None,
        }
    }

    /// The code object in this value.
    pub fn as_code(&self) -> Option<&Arc<CodeObject>> {
        match self {
            Self::Code(code) => Some(code),
            _ => None,
        }
    }
}

/// A Python integer: a sign and a magnitude in 32-bit digits, least significant first, without
/// leading zeros.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Integer {
    negative: bool,
    magnitude: Arc<[u32]>,
}

impl Integer {
    /// Makes an integer from a sign and 32-bit digits, least significant first.
    pub fn from_digits(negative: bool, mut digits: Vec<u32>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self {
            negative: negative && !digits.is_empty(),
            magnitude: digits.into(),
        }
    }

    /// Reads decimal digits, with `-` before them for a number below zero.
    pub fn from_decimal(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        if digits.is_empty() {
            return None;
        }
        let mut magnitude: Vec<u32> = Vec::new();
        for digit in digits.chars() {
            let mut carry = u64::from(digit.to_digit(10)?);
            for part in &mut magnitude {
                carry += u64::from(*part) * 10;
                *part = carry as u32;
                carry >>= 32;
            }
            if carry != 0 {
                magnitude.push(carry as u32);
            }
        }
        Some(Self::from_digits(negative, magnitude))
    }

    /// Whether the integer is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The absolute value in 32-bit digits, least significant first.
    pub fn magnitude(&self) -> &[u32] {
        &self.magnitude
    }

    /// The value, if it fits 64 bits with a sign.
    pub fn to_i64(&self) -> Option<i64> {
        if self.magnitude.len() > 2 {
            return None;
        }
        let magnitude = self
            .magnitude
            .iter()
            .rev()
            .fold(0i128, |value, &digit| (value << 32) | i128::from(digit));
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    /// The number of bits of the magnitude.
    pub fn bits(&self) -> u64 {
        self.magnitude.last().map_or(0, |&top| {
            self.magnitude.len() as u64 * 32 - u64::from(top.leading_zeros())
        })
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Self {
        let magnitude = value.unsigned_abs();
        Self::from_digits(value < 0, vec![magnitude as u32, (magnitude >> 32) as u32])
    }
}

impl fmt::Display for Integer {
    /// Writes the integer in decimal.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CHUNK: u64 = 1_000_000_000;
        let mut digits = self.magnitude.to_vec();
        let mut chunks = Vec::new();
        while !digits.is_empty() {
            let mut remainder = 0u64;
            for digit in digits.iter_mut().rev() {
                let value = (remainder << 32) | u64::from(*digit);
                *digit = (value / CHUNK) as u32;
                remainder = value % CHUNK;
            }
            chunks.push(remainder);
            while digits.last() == Some(&0) {
                digits.pop();
            }
        }
        let mut text = chunks.pop().unwrap_or(0).to_string();
        for chunk in chunks.iter().rev() {
            text.push_str(&format!("{chunk:09}"));
        }
        formatter.pad_integral(!self.negative, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_convert_at_the_borders_of_64_bits() {
        for value in [0, 1, -1, i64::MAX, i64::MIN, 1 << 32, -(1 << 32)] {
            let integer = Integer::from(value);
            assert_eq!(integer.to_i64(), Some(value));
            assert_eq!(integer.to_string(), value.to_string());
        }
        let above = Integer::from_digits(false, vec![0, 0x8000_0000]);
        assert_eq!(above.to_i64(), None);
        assert_eq!(above.bits(), 64);
        assert_eq!(
            Integer::from_digits(true, vec![0, 0x8000_0000]).to_i64(),
            Some(i64::MIN)
        );
    }

    #[test]
    fn large_integers_print_in_decimal() {
        let power = Integer::from_digits(true, vec![0, 0, 0, 1]);
        assert_eq!(power.to_string(), "-79228162514264337593543950336");
        assert_eq!(Integer::from_decimal(&power.to_string()), Some(power));
        assert_eq!(Integer::from_decimal("-"), None);
        assert_eq!(Integer::from_decimal("1x"), None);
        assert_eq!(
            Integer::from_digits(false, vec![1_000_000_000, 0]).to_string(),
            "1000000000"
        );
    }
}
