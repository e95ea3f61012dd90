//! Scalar types, which are also the types of the elements of arrays.

use std::fmt;

use pyopt_dialects::times::Unit;
use pyopt_passes::Number;

use crate::addresses;
use crate::records;

/// A scalar, or the element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elem {
    /// A truth value; one byte in memory.
    Bool,
    /// Signed, 8 bits.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits; a Python int.
    I64,
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// Half precision.
    F16,
    /// Single precision.
    F32,
    /// Double precision; a Python float.
    F64,
    /// Two single-precision parts.
    C64,
    /// Two double-precision parts; a Python complex.
    C128,
    /// A point in time.
    Datetime(Unit),
    /// A distance in time.
    Timedelta(Unit),
    /// A record, by the number of its dtype.
    Record(u32),
}

/// Every number, in the order of their codes.
pub const NUMBERS: [Elem; 14] = [
    Elem::Bool,
    Elem::I8,
    Elem::I16,
    Elem::I32,
    Elem::I64,
    Elem::U8,
    Elem::U16,
    Elem::U32,
    Elem::U64,
    Elem::F16,
    Elem::F32,
    Elem::F64,
    Elem::C64,
    Elem::C128,
];

/// The code of records.
const RECORD: u8 = 64;

/// What an element is, whatever its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Truth values.
    Bool,
    /// Signed and unsigned integers.
    Int,
    /// Floating point.
    Float,
    /// Complex.
    Complex,
    /// Points and distances in time.
    Time,
    /// Records.
    Record,
}

impl Elem {
    /// The name in the `typed` dialect; of times without the unit.
    const fn text(self) -> &'static str {
        match self {
            Elem::Bool => "i1",
            Elem::I8 => "si8",
            Elem::I16 => "si16",
            Elem::I32 => "si32",
            Elem::I64 => "si64",
            Elem::U8 => "ui8",
            Elem::U16 => "ui16",
            Elem::U32 => "ui32",
            Elem::U64 => "ui64",
            Elem::F16 => "f16",
            Elem::F32 => "f32",
            Elem::F64 => "f64",
            Elem::C64 => "complex<f32>",
            Elem::C128 => "complex<f64>",
            Elem::Datetime(_) => "!typed.datetime64",
            Elem::Timedelta(_) => "!typed.timedelta64",
            Elem::Record(_) => "!typed.record",
        }
    }

    /// The element type at the start of a text in the compiler's form, and what follows it.
    pub fn parse(text: &str) -> Option<(Elem, &str)> {
        // No name is a prefix of another one.
        for elem in NUMBERS {
            if let Some(rest) = text.strip_prefix(elem.text()) {
                return Some((elem, rest));
            }
        }
        if text.starts_with(Elem::Record(0).text()) {
            let (own, rest) = text.split_at(addresses::closing(text)?);
            return Some((Elem::Record(records::slot_of_text(own)?), rest));
        }
        let (name, rest) = text.split_once('<')?;
        let (unit, rest) = rest.split_once('>')?;
        let unit = Unit::from_name(unit)?;
        let elem = [Elem::Datetime(unit), Elem::Timedelta(unit)]
            .into_iter()
            .find(|elem| elem.text() == name)?;
        Some((elem, rest))
    }

    /// What stands for it in the words of fingerprints, which have room for it in the bits 8 to 15 and
    /// from 40 on.
    #[inline]
    pub const fn bits(self) -> u64 {
        let slot = match self {
            Elem::Record(slot) => slot as u64,
            _ => 0,
        };
        (self.code() as u64) << 8 | slot << 40
    }

    /// The element type that a word holds.
    pub fn from_bits(word: u64) -> Elem {
        match (word >> 8) as u8 {
            RECORD => Elem::Record((word >> 40) as u32),
            code => Elem::from_code(code),
        }
    }

    /// The code of a type; one for all records.
    #[inline]
    pub const fn code(self) -> u8 {
        match self {
            Elem::Bool => 0,
            Elem::I8 => 1,
            Elem::I16 => 2,
            Elem::I32 => 3,
            Elem::I64 => 4,
            Elem::U8 => 5,
            Elem::U16 => 6,
            Elem::U32 => 7,
            Elem::U64 => 8,
            Elem::F16 => 9,
            Elem::F32 => 10,
            Elem::F64 => 11,
            Elem::C64 => 12,
            Elem::C128 => 13,
            Elem::Datetime(unit) => 16 | unit as u8,
            Elem::Timedelta(unit) => 32 | unit as u8,
            Elem::Record(_) => RECORD,
        }
    }

    /// The element type of a [`Self::code`] of no record.
    fn from_code(code: u8) -> Elem {
        let unit = || {
            let number = i32::from(code & 15);
            Unit::from_number(number).expect("codes are those of elements")
        };
        match code >> 4 {
            0 => NUMBERS[usize::from(code)],
            1 => Elem::Datetime(unit()),
            _ => Elem::Timedelta(unit()),
        }
    }

    /// Log2 of the size in memory, in bytes.
    #[inline]
    pub const fn size_log2(self) -> u32 {
        match self {
            // Strides between records are in bytes.
            Elem::Bool | Elem::I8 | Elem::U8 | Elem::Record(_) => 0,
            Elem::I16 | Elem::U16 | Elem::F16 => 1,
            Elem::I32 | Elem::U32 | Elem::F32 => 2,
            Elem::I64 | Elem::U64 | Elem::F64 | Elem::C64 => 3,
            Elem::Datetime(_) | Elem::Timedelta(_) => 3,
            Elem::C128 => 4,
        }
    }

    /// The kind of scalar.
    pub const fn kind(self) -> Kind {
        match self {
            Elem::Bool => Kind::Bool,
            Elem::F16 | Elem::F32 | Elem::F64 => Kind::Float,
            Elem::C64 | Elem::C128 => Kind::Complex,
            Elem::Datetime(_) | Elem::Timedelta(_) => Kind::Time,
            Elem::Record(_) => Kind::Record,
            _ => Kind::Int,
        }
    }

    /// The number that the compiler sees in it; `None` for times and records.
    pub fn number(self) -> Option<Number> {
        let width = 8 << self.size_log2();
        Some(match self.kind() {
            Kind::Bool => Number::Bool,
            Kind::Int => Number::Int {
                width,
                signed: !self.is_unsigned(),
            },
            Kind::Float => Number::Float(width),
            Kind::Complex => Number::Complex(width / 2),
            Kind::Time | Kind::Record => return None,
        })
    }

    /// Whether this is an unsigned integer.
    pub const fn is_unsigned(self) -> bool {
        matches!(self, Elem::U8 | Elem::U16 | Elem::U32 | Elem::U64)
    }

    /// NumPy's name of the dtype, for those that have no number of their own.
    pub fn time_name(self) -> Option<String> {
        let (name, unit) = match self {
            Elem::Datetime(unit) => ("datetime64", unit),
            Elem::Timedelta(unit) => ("timedelta64", unit),
            _ => return None,
        };
        Some(match unit {
            Unit::Generic => name.into(),
            _ => format!("{name}[{}]", unit.name()),
        })
    }
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elem::Datetime(unit) | Elem::Timedelta(unit) => {
                write!(f, "{}<{}>", self.text(), unit.name())
            }
            Elem::Record(slot) => f.write_str(&records::text(*slot)),
            _ => f.write_str(self.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pyopt_dialects::times::UNITS;

    #[test]
    fn codes_and_texts_translate_both_ways() {
        let times = UNITS.map(|unit| [Elem::Datetime(unit), Elem::Timedelta(unit)]);
        for elem in NUMBERS.into_iter().chain(times.into_iter().flatten()) {
            assert_eq!(Elem::from_code(elem.code()), elem);
            assert_eq!(Elem::parse(&format!("{elem}, C")), Some((elem, ", C")));
        }
    }
}
