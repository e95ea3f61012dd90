//! What there is in the caches, for people and for making room.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{
    Damage, Key, eviction,
    file::{self, UNFINISHED},
};

/// The folders that a directory has.
const KINDS: [&str; 2] = ["functions", "library"];

/// A file, looked at from outside.
#[derive(Debug)]
pub(super) struct Found {
    pub path: PathBuf,
    pub size: u64,
    pub modified: SystemTime,
}

impl Found {
    /// Whether a process writes the file, or was killed while it did.
    pub fn is_unfinished(&self) -> bool {
        let name = self.path.file_name().and_then(OsStr::to_str);
        name.is_some_and(|name| name.starts_with(UNFINISHED))
    }
}

/// A file that is, or was, an entry.
#[derive(Debug)]
pub struct Entry {
    /// `functions` or `library`.
    pub kind: String,
    /// The version of the compiler that it is of.
    pub version: String,
    /// Where it is.
    pub path: PathBuf,
    /// How many bytes it has.
    pub size: u64,
    /// What it holds, for people, or why it is of no use.
    pub label: Result<String, Damage>,
}

/// How much there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The number of files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// How many bytes there may be.
    pub limit: u64,
}

/// All entries in a directory, read and checked, in the order of their paths.
pub fn entries(root: &Path) -> Vec<Entry> {
    let whole = files(root)
        .into_iter()
        .filter(|found| !found.is_unfinished());
    let mut entries: Vec<_> = whole.filter_map(entry).collect();
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    entries
}

/// How much there is in a directory.
pub fn usage(root: &Path) -> Usage {
    let files = files(root);
    Usage {
        files: files.len(),
        bytes: files.iter().map(|found| found.size).sum(),
        limit: eviction::limit(),
    }
}

/// Removes all that is in the folders of the caches; how many files it was.
pub fn clear(root: &Path) -> io::Result<usize> {
    let count = files(root).len();
    for kind in KINDS {
        match fs::remove_dir_all(root.join(kind)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(count)
}

fn entry(found: Found) -> Option<Entry> {
    let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
    let directory = found.path.parent()?;
    let key = name(&found.path).and_then(|name| blake3::Hash::from_hex(name).ok());
    let label = match key {
        Some(key) => file::read(&found.path, Some(Key(*key.as_bytes()))),
        None => Err(Damage::Unknown),
    };
    Some(Entry {
        kind: name(directory.parent()?)?,
        version: name(directory)?,
        size: found.size,
        label: label.map(|content| content.label),
        path: found.path,
    })
}

/// All files in the directories of versions. What another process removes meanwhile isn't there.
pub(super) fn files(root: &Path) -> Vec<Found> {
    let list = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten();
    let kinds = KINDS.into_iter().map(|kind| root.join(kind));
    let versions = kinds.flat_map(|place| list(&place));
    let files = versions.flat_map(|version| list(&version.path()));
    let looked_at = files.filter_map(|file| {
        let found = file.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(Found {
            path: file.path(),
            size: found.len(),
            modified: found.modified().ok()?,
        })
    });
    looked_at.collect()
}
