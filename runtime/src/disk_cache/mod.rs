//! Files that keep what was compiled for later processes.
//!
//! A cache is for speed alone: an entry that is missing, cut off or changed is one to be made
//! again, and a cache that can't be written is one that keeps nothing. Machine code from a file is
//! as good as the directory it is in, so only files and directories are used that nobody but the
//! user, or the system's administrator, may write to.
//!
//! A directory has a folder for each kind of entry and in it one for each version of the compiler:
//! `<directory>/<kind>/<version>/<key>`. No file is ever changed. One is written under a temporary
//! name and then moved, so that other processes see it whole or not at all, however many there are
//! and whenever they are killed; there are no locks.

mod contents;
mod eviction;
mod file;
#[cfg(test)]
mod tests;

use std::{
    env, fmt, fs, io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use serde::{Serialize, de::DeserializeOwned};

pub use contents::{Entry, Usage, clear, entries, usage};
pub use file::Damage;

/// Set in the environment, the directory of the caches; empty for none.
pub const VARIABLE: &str = "PYOPT_CACHE_DIR";

/// Set in the environment, how much the caches may hold: a number of bytes, or of `K`, `M` or `G`.
pub const SIZE_VARIABLE: &str = "PYOPT_CACHE_SIZE";

/// What an entry is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key([u8; 32]);

/// Why there is no cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The user wants none.
    SwitchedOff,
    /// There is no place for it; the text says why.
    NoPlace(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SwitchedOff => write!(formatter, "{VARIABLE} is empty"),
            Self::NoPlace(reason) => formatter.write_str(reason),
        }
    }
}

/// A directory of files, each for one key.
#[derive(Debug)]
pub struct DiskCache {
    /// Where all kinds are.
    root: PathBuf,
    directory: PathBuf,
    version: String,
    /// Bytes that were written since files were last removed.
    grown: AtomicU64,
}

/// The directory of all caches.
pub fn root() -> Result<PathBuf, Unusable> {
    let place = match env::var_os(VARIABLE) {
        Some(place) if place.is_empty() => return Err(Unusable::SwitchedOff),
        Some(place) => PathBuf::from(place),
        None => {
            let users = dirs::cache_dir();
            let reason = || Unusable::NoPlace("the user has no directory for caches".to_owned());
            users.ok_or_else(reason)?.join("pyopt")
        }
    };
    // A relative one would be another when the process changes its directory.
    std::path::absolute(&place).map_err(|error| unusable(&place, error))
}

fn unusable(place: &Path, reason: impl fmt::Display) -> Unusable {
    Unusable::NoPlace(format!("'{}' can't be used: {reason}", place.display()))
}

impl DiskCache {
    /// The user's cache of a kind, for one version of what is kept.
    pub fn open(kind: &str, version: &str) -> Result<Self, Unusable> {
        Self::at(&root()?, kind, version)
    }

    /// The cache of a version in a directory, which is made where it is missing.
    pub fn at(root: &Path, kind: &str, version: &str) -> Result<Self, Unusable> {
        let place = root.join(kind);
        let directory = place.join(version);
        if !directory.is_dir() {
            make_directory(&directory).map_err(|error| unusable(&directory, error))?;
            eviction::remove_unused_versions(&place);
        }
        for path in [&place, &directory] {
            let found = fs::metadata(path).map_err(|error| unusable(path, error))?;
            if !is_trusted(&found) {
                return Err(unusable(path, "others may write to it"));
            }
        }
        Ok(Self {
            root: root.to_owned(),
            directory,
            version: version.to_owned(),
            // So that the first entry that a process writes looks at what there is.
            grown: AtomicU64::new(u64::MAX / 2),
        })
    }

    /// Where this version's files are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The key of what is described by bytes: of their content and the version.
    pub fn key(&self, description: &[u8]) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(self.version.len() as u64).to_le_bytes());
        hasher.update(self.version.as_bytes());
        hasher.update(description);
        Key(*hasher.finalize().as_bytes())
    }

    /// What was written under a key. A file that isn't what was written, and is the user's, goes.
    pub fn read<T: DeserializeOwned>(&self, key: Key) -> Option<T> {
        let path = self.path(key);
        match file::read(&path, Some(key)) {
            Ok(content) => {
                eviction::mark_used(&path);
                postcard::from_bytes(content.value()).ok()
            }
            Err(damage) => {
                if damage.is_removable() {
                    // One that can't be removed is found damaged again.
                    let _ = fs::remove_file(&path);
                }
                None
            }
        }
    }

    /// Writes a value under a key, in place of what is there, with a line that tells people what
    /// it is. Then files that weren't used for long go, if there are too many.
    pub fn write<T: Serialize>(&self, key: Key, label: &str, value: &T) -> io::Result<()> {
        let limit = eviction::limit();
        let bytes = file::encode(key, label, value)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::other(format!("it is larger than {limit} bytes")));
        }
        let path = self.path(key);
        match file::write(&self.directory, &path, &bytes) {
            // Somebody has cleared the cache.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_directory(&self.directory)?;
                file::write(&self.directory, &path, &bytes)?;
            }
            written => written?,
        }
        let grown = self.grown.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if grown >= limit / eviction::SLACK {
            self.grown.store(0, Ordering::Relaxed);
            eviction::shrink(&self.root, limit);
        }
        Ok(())
    }

    fn path(&self, key: Key) -> PathBuf {
        let name = blake3::Hash::from_bytes(key.0).to_hex();
        self.directory.join(name.as_str())
    }
}

fn make_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(path)
}

/// Whether what a file or directory holds is the user's or the administrator's.
fn is_trusted(found: &fs::Metadata) -> bool {
    let user = rustix::process::geteuid().as_raw();
    (found.uid() == user || found.uid() == 0) && found.mode() & 0o022 == 0
}
