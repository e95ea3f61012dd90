//! NumPy's datetime64 and timedelta64.

use crate::ffi;
use melior::{
    Context,
    ir::{Type, TypeLike},
};

/// NumPy's units of time, with its numbers, the coarsest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Unit {
    /// Years.
    Year = 0,
    /// Months.
    Month = 1,
    /// Weeks.
    Week = 2,
    /// Days.
    Day = 4,
    /// Hours.
    Hour = 5,
    /// Minutes.
    Minute = 6,
    /// Seconds.
    Second = 7,
    /// Milliseconds.
    Milli = 8,
    /// Microseconds.
    Micro = 9,
    /// Nanoseconds.
    Nano = 10,
    /// Picoseconds.
    Pico = 11,
    /// Femtoseconds.
    Femto = 12,
    /// Attoseconds.
    Atto = 13,
    /// None: the number fits any unit.
    Generic = 14,
}

/// Every unit.
pub const UNITS: [Unit; 14] = [
    Unit::Year,
    Unit::Month,
    Unit::Week,
    Unit::Day,
    Unit::Hour,
    Unit::Minute,
    Unit::Second,
    Unit::Milli,
    Unit::Micro,
    Unit::Nano,
    Unit::Pico,
    Unit::Femto,
    Unit::Atto,
    Unit::Generic,
];

impl Unit {
    /// The unit of NumPy's number.
    pub fn from_number(number: i32) -> Option<Self> {
        UNITS.into_iter().find(|unit| *unit as i32 == number)
    }

    /// The unit of NumPy's name.
    pub fn from_name(name: &str) -> Option<Self> {
        UNITS.into_iter().find(|unit| unit.name() == name)
    }

    /// NumPy's name; that of no unit is `generic`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Year => "Y",
            Self::Month => "M",
            Self::Week => "W",
            Self::Day => "D",
            Self::Hour => "h",
            Self::Minute => "m",
            Self::Second => "s",
            Self::Milli => "ms",
            Self::Micro => "us",
            Self::Nano => "ns",
            Self::Pico => "ps",
            Self::Femto => "fs",
            Self::Atto => "as",
            Self::Generic => "generic",
        }
    }

    /// Whether it has no fixed length: years and months.
    pub const fn is_calendar(self) -> bool {
        matches!(self, Self::Year | Self::Month)
    }
}

/// A type of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    /// Whether it is a distance, timedelta64, and no point in time.
    pub is_delta: bool,
    /// What it counts.
    pub unit: Unit,
}

impl Time {
    /// Takes a type apart, `None` for any other type.
    pub fn of(r#type: Type) -> Option<Self> {
        // SAFETY: any type may be asked for its kind; the unit is read of a type of times.
        unsafe {
            let is_delta = match ffi::pyoptTypedTimeKind(r#type.to_raw()) {
                0 => false,
                1 => true,
                _ => return None,
            };
            let unit = Unit::from_number(ffi::pyoptTypedTimeUnit(r#type.to_raw()))?;
            Some(Self { is_delta, unit })
        }
    }

    /// The MLIR type.
    pub fn to_type(self, context: &Context) -> Type<'_> {
        let kind = i32::from(self.is_delta);
        // SAFETY: the context outlives the type, by its lifetime; the unit is one of NumPy's.
        unsafe {
            Type::from_raw(ffi::pyoptTypedTimeGet(
                context.to_raw(),
                kind,
                self.unit as i32,
            ))
        }
    }
}
