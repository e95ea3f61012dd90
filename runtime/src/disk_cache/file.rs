//! The format of a file, and how one is read and written.
//!
//! A header of 48 bytes: [`MAGIC`] with the version of this format, the length of what follows as
//! 8 bytes, the least significant first, and its BLAKE3 hash. Then, in postcard's encoding, the
//! key, a line for people, and the value.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read, Write},
    ops::Range,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

use serde::Serialize;

use super::{Key, is_trusted};

/// What a file begins with: a name, and the version of the format.
const MAGIC: &[u8; 8] = b"pyopt\x00\x02\n";

const HEADER: usize = MAGIC.len() + 8 + blake3::OUT_LEN;

/// What the name of a file begins with that isn't whole yet.
pub const UNFINISHED: &str = ".writing-";

/// Why a file isn't an entry.
#[derive(Debug)]
pub enum Damage {
    /// It can't be read, or isn't there.
    Unreadable(io::Error),
    /// It is a link, a pipe or the like.
    NoFile,
    /// Others own it or may write to it.
    Foreign,
    /// It doesn't begin as an entry does.
    Unknown,
    /// It is shorter or longer than it says.
    Length,
    /// Its content isn't what was written.
    Content,
    /// It is the entry of another key.
    Key,
}

impl Damage {
    /// Whether the file is the user's own, and of no use.
    pub fn is_removable(&self) -> bool {
        matches!(
            self,
            Self::Unknown | Self::Length | Self::Content | Self::Key
        )
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Unreadable(error) => return error.fmt(formatter),
            Self::NoFile => "it is not a plain file",
            Self::Foreign => "others may write to it",
            Self::Unknown => "it doesn't begin as an entry",
            Self::Length => "it is cut off or too long",
            Self::Content => "its content was changed",
            Self::Key => "it is the entry of another key",
        };
        formatter.write_str(text)
    }
}

/// What a file holds.
#[derive(Debug)]
pub struct Content {
    /// What it is, for people.
    pub label: String,
    bytes: Vec<u8>,
    value: Range<usize>,
}

impl Content {
    /// The encoded value.
    pub fn value(&self) -> &[u8] {
        &self.bytes[self.value.clone()]
    }
}

/// The bytes of a file.
pub fn encode<T: Serialize>(key: Key, label: &str, value: &T) -> io::Result<Vec<u8>> {
    let content = postcard::to_extend(&(key.0, label), vec![0; HEADER]);
    let content = content.and_then(|bytes| postcard::to_extend(value, bytes));
    let mut bytes = content.map_err(io::Error::other)?;
    let (header, content) = bytes.split_at_mut(HEADER);
    let length = (content.len() as u64).to_le_bytes();
    let hash = blake3::hash(content);
    header.copy_from_slice(&[&MAGIC[..], &length, hash.as_bytes()].concat());
    Ok(bytes)
}

/// Puts a file in the place of what is there.
pub fn write(directory: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Reads a file; without a key, that of any.
pub fn read(path: &Path, key: Option<Key>) -> Result<Content, Damage> {
    let mut file = open(path).map_err(|error| match error.raw_os_error() {
        // What opening a symbolic link without following it gives.
        Some(libc::ELOOP) => Damage::NoFile,
        _ => Damage::Unreadable(error),
    })?;
    // Of the open file, not of the name, which may be another file's by now.
    let found = file.metadata().map_err(Damage::Unreadable)?;
    if !found.is_file() {
        return Err(Damage::NoFile);
    }
    if !is_trusted(&found) {
        return Err(Damage::Foreign);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.size()).unwrap_or(0));
    file.read_to_end(&mut bytes).map_err(Damage::Unreadable)?;
    decode(bytes, key)
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    // A pipe of that name must not stop the process.
    options
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open(path)
}

fn decode(bytes: Vec<u8>, key: Option<Key>) -> Result<Content, Damage> {
    let (header, content) = bytes.split_at_checked(HEADER).ok_or(Damage::Length)?;
    let rest = header.strip_prefix(MAGIC).ok_or(Damage::Unknown)?;
    let (length, hash) = rest.split_first_chunk::<8>().ok_or(Damage::Length)?;
    if u64::from_le_bytes(*length) != content.len() as u64 {
        return Err(Damage::Length);
    }
    if blake3::hash(content) != *hash {
        return Err(Damage::Content);
    }
    let head = postcard::take_from_bytes::<([u8; 32], String)>(content);
    let ((own, label), value) = head.map_err(|_| Damage::Content)?;
    if key.is_some_and(|key| key.0 != own) {
        return Err(Damage::Key);
    }
    let value = bytes.len() - value.len()..bytes.len();
    Ok(Content {
        label,
        value,
        bytes,
    })
}
