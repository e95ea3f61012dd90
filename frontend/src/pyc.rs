//! The header of .pyc files.
//!
//! Sixteen bytes: a magic number that names the CPython version, flags, and either the source's
//! modification time and size or a hash of it.

use crate::{
    code::CodeObject,
    marshal::{self, MarshalError},
    opcodes,
    version::Version,
};
use std::{fmt, sync::Arc};

const HEADER_SIZE: usize = 16;

/// Flag: the header holds a hash of the source.
const FLAG_HASH: u32 = 1;

/// Flag: the hash is compared with the source when the module is imported.
const FLAG_CHECK_SOURCE: u32 = 2;

/// What the header says about the source it was compiled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The source's modification time in seconds and its size in bytes, both modulo 2³².
    Timestamp {
        /// Seconds since the epoch.
        modified: u32,
        /// Size in bytes.
        size: u32,
    },
    /// CPython's hash of the source.
    Hash {
        /// The hash.
        hash: u64,
        /// Whether CPython compares the hash when it imports the module.
        checked: bool,
    },
}

/// A .pyc file: its header and the module's code object.
#[derive(Clone, Debug, PartialEq)]
pub struct Pyc {
    /// The CPython version that wrote the file.
    pub version: Version,
    /// What the file was compiled from.
    pub source: Source,
    /// The module's code.
    pub code: Arc<CodeObject>,
}

/// Why a .pyc file can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PycError {
    /// The file ends inside the header.
    Truncated {
        /// The size of the file.
        size: usize,
    },
    /// The file doesn't start with a .pyc magic number.
    NotPyc,
    /// The file was written by a CPython version that isn't read, or by one nobody knows.
    UnsupportedVersion {
        /// The magic number in the file.
        magic: u16,
        /// The version that uses it, if known.
        version: Option<Version>,
    },
    /// The flags have bits that no CPython version defines.
    UnknownFlags(u32),
    /// The marshalled module is malformed.
    Marshal(MarshalError),
}

impl fmt::Display for PycError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { size } => {
                write!(
                    formatter,
                    "truncated .pyc file: the header takes {HEADER_SIZE} bytes, the file has {size}"
                )
            }
            Self::NotPyc => write!(formatter, "not a .pyc file: no magic number at its start"),
            Self::UnsupportedVersion { magic, version } => {
                match version {
                    Some(version) => write!(
                        formatter,
                        ".pyc file of CPython {version} (magic number {magic})"
                    )?,
                    None => write!(formatter, ".pyc file with the unknown magic number {magic}")?,
                }
                write!(formatter, "; supported: {}", opcodes::supported_versions())
            }
            Self::UnknownFlags(flags) => {
                write!(formatter, "unknown flags 0x{flags:x} in the .pyc header")
            }
            Self::Marshal(error) => write!(
                formatter,
                "{error} (counted from the end of the .pyc header)"
            ),
        }
    }
}

impl std::error::Error for PycError {}

/// Reads a .pyc file.
pub fn load(bytes: &[u8]) -> Result<Pyc, PycError> {
    let (version, source) = header(bytes)?;
    let code = marshal::load_code(&bytes[HEADER_SIZE..], version).map_err(PycError::Marshal)?;
    Ok(Pyc {
        version,
        source,
        code,
    })
}

/// Reads the magic number; it comes first so that a file with an older, shorter header is reported
/// by its version.
fn version(bytes: &[u8]) -> Result<Version, PycError> {
    let Some(&[low, high, b'\r', b'\n']) = bytes.first_chunk() else {
        return Err(match bytes.len() {
            size @ 0..4 => PycError::Truncated { size },
            _ => PycError::NotPyc,
        });
    };
    let magic = u16::from_le_bytes([low, high]);
    match Version::from_magic(magic) {
        Some(version) if opcodes::table(version).is_some_and(|table| table.magic == magic) => {
            Ok(version)
        }
        version => Err(PycError::UnsupportedVersion { magic, version }),
    }
}

fn header(bytes: &[u8]) -> Result<(Version, Source), PycError> {
    let version = version(bytes)?;
    let word = |index: usize| {
        let bytes = bytes.get(index * 4..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let (Some(flags), Some(first), Some(second)) = (word(1), word(2), word(3)) else {
        return Err(PycError::Truncated { size: bytes.len() });
    };
    let source = match flags {
        0 => Source::Timestamp {
            modified: first,
            size: second,
        },
        _ if flags & !(FLAG_HASH | FLAG_CHECK_SOURCE) == 0 && flags & FLAG_HASH != 0 => {
            Source::Hash {
                hash: u64::from(second) << 32 | u64::from(first),
                checked: flags & FLAG_CHECK_SOURCE != 0,
            }
        }
        _ => return Err(PycError::UnknownFlags(flags)),
    };
    Ok((version, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        header(bytes).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn headers_that_cannot_be_read_are_named() {
        insta::assert_snapshot!(message(b""), @"truncated .pyc file: the header takes 16 bytes, the file has 0");
        insta::assert_snapshot!(message(b"#!/usr/bin/python"), @"not a .pyc file: no magic number at its start");
        insta::assert_snapshot!(message(&[0x61, 0x0d, b'\r', b'\n', 0, 0, 0, 0]), @".pyc file of CPython 3.9 (magic number 3425); supported: CPython 3.10, 3.11, 3.12, 3.13, 3.14, 3.15");
        insta::assert_snapshot!(message(&[0xa7, 0x0d, b'\r', b'\n', 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), @"unknown flags 0x4 in the .pyc header");
        insta::assert_snapshot!(message(&[1, 0, b'\r', b'\n']), @".pyc file with the unknown magic number 1; supported: CPython 3.10, 3.11, 3.12, 3.13, 3.14, 3.15");
        insta::assert_snapshot!(message(&[0xa7, 0x0d, b'\r', b'\n', 0, 0]), @"truncated .pyc file: the header takes 16 bytes, the file has 6");
    }

    #[test]
    fn both_kinds_of_source_are_read() {
        let mut bytes = vec![0xa7, 0x0d, b'\r', b'\n', 0, 0, 0, 0, 1, 2, 0, 0, 3, 0, 0, 0];
        let timestamp = Source::Timestamp {
            modified: 513,
            size: 3,
        };
        assert_eq!(header(&bytes), Ok((Version::PYTHON_3_11, timestamp)));
        bytes[4] = 3;
        let hash = Source::Hash {
            hash: 0x3_0000_0201,
            checked: true,
        };
        assert_eq!(header(&bytes), Ok((Version::PYTHON_3_11, hash)));
    }
}
