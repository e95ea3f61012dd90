//! Which CPython wrote a code object.

use serde::Serialize;
use std::fmt;

/// A CPython minor version: bytecode, marshal layout and tables are fixed within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Version {
    /// The major version.
    pub major: u8,
    /// The minor version.
    pub minor: u8,
}

impl Version {
    /// CPython 3.10.
    pub const PYTHON_3_10: Self = Self::new(3, 10);
    /// CPython 3.11.
    pub const PYTHON_3_11: Self = Self::new(3, 11);
    /// CPython 3.12.
    pub const PYTHON_3_12: Self = Self::new(3, 12);
    /// CPython 3.13.
    pub const PYTHON_3_13: Self = Self::new(3, 13);
    /// CPython 3.14.
    pub const PYTHON_3_14: Self = Self::new(3, 14);
    /// CPython 3.15.
    pub const PYTHON_3_15: Self = Self::new(3, 15);

    /// Makes a version.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// The version whose final releases, or pre-releases, wrote a .pyc magic number.
    ///
    /// CPython takes a new range of numbers for each minor version since 3.6.
    pub fn from_magic(magic: u16) -> Option<Self> {
        let minor = match magic {
            3360..=3379 => 6,
            3390..=3399 => 7,
            3400..=3419 => 8,
            3420..=3429 => 9,
            3430..=3449 => 10,
            3450..=3499 => 11,
            3500..=3549 => 12,
            3550..=3599 => 13,
            3600..=3649 => 14,
            3650..=3699 => 15,
            _ => return None,
        };
        Some(Self::new(3, minor))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}
