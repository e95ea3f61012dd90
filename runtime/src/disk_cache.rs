//! Files that keep what was compiled for later processes.
//!
//! A cache is for speed alone: an entry that is missing, cut off or changed is one to be made
//! again, and a cache that can't be written is one that keeps nothing. Machine code from a file is
//! as good as the directory it is in, so only one that nobody else may write to is used.

use std::{
    env, fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use serde::{Serialize, de::DeserializeOwned};

/// Set in the environment, the directory of the caches; empty for none.
pub const VARIABLE: &str = "PYOPT_CACHE_DIR";

/// What a file begins with. The hash of the rest follows.
const MAGIC: &[u8; 8] = b"pyopt\x00\x01\n";

/// Directories of other versions that nothing was written to for so long go.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A directory of files, each for one key.
#[derive(Clone, Debug)]
pub struct DiskCache {
    directory: PathBuf,
}

impl DiskCache {
    /// The user's cache of a name, for one version of what is kept; `None` if there is no place for
    /// it.
    pub fn open(name: &str, version: &str) -> Option<Self> {
        let place = match env::var_os(VARIABLE) {
            Some(place) => PathBuf::from(place),
            None => dirs::cache_dir()?.join("pyopt"),
        };
        if place.as_os_str().is_empty() {
            return None;
        }
        Self::at(&place.join(name), version)
    }

    /// The cache of a version in a directory, which is made where it is missing.
    pub fn at(place: &Path, version: &str) -> Option<Self> {
        let directory = place.join(version);
        if !directory.is_dir() {
            let mut builder = fs::DirBuilder::new();
            builder.recursive(true).mode(0o700);
            builder.create(&directory).ok()?;
            remove_unused(place);
        }
        let is_private = |path: &Path| {
            let user = rustix::process::geteuid().as_raw();
            let found = fs::metadata(path);
            found.is_ok_and(|found| found.uid() == user && found.mode() & 0o022 == 0)
        };
        (is_private(place) && is_private(&directory)).then_some(Self { directory })
    }

    /// What was written under a key.
    pub fn read<T: DeserializeOwned>(&self, key: &[u8]) -> Option<T> {
        let bytes = fs::read(self.path(key)).ok()?;
        let (hash, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if blake3::hash(content) != blake3::Hash::from_bytes(*hash) {
            return None;
        }
        let (known, value) = postcard::take_from_bytes::<Vec<u8>>(content).ok()?;
        // Another key of the same hash.
        if known != key {
            return None;
        }
        postcard::from_bytes(value).ok()
    }

    /// Writes a value under a key, in place of what is there. Other processes see the file whole
    /// or not at all.
    pub fn write<T: Serialize>(&self, key: &[u8], value: &T) -> io::Result<()> {
        let mut content = postcard::to_allocvec(key).map_err(io::Error::other)?;
        content.extend(postcard::to_allocvec(value).map_err(io::Error::other)?);
        let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
        file.write_all(MAGIC)?;
        file.write_all(blake3::hash(&content).as_bytes())?;
        file.write_all(&content)?;
        file.persist(self.path(key))?;
        Ok(())
    }

    fn path(&self, key: &[u8]) -> PathBuf {
        self.directory.join(&*blake3::hash(key).to_hex())
    }
}

/// Removes the directories of versions that are not used any more. One that can't be removed stays.
fn remove_unused(place: &Path) {
    let is_old = |entry: &fs::DirEntry| {
        let modified = entry.metadata().and_then(|found| found.modified());
        let age = modified.map(|time| SystemTime::now().duration_since(time).unwrap_or_default());
        age.is_ok_and(|age| age > MAX_AGE)
    };
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    for entry in entries.filter(is_old) {
        let _ = fs::remove_dir_all(entry.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs::Permissions, os::unix::fs::PermissionsExt};

    fn place() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn only_file(cache: &DiskCache) -> PathBuf {
        let mut files = fs::read_dir(&cache.directory).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        file
    }

    #[test]
    fn what_is_written_is_read_by_its_key() {
        let place = place();
        let cache = DiskCache::at(&place.path().join("a"), "1").unwrap();
        assert_eq!(cache.read::<Vec<u64>>(b"key"), None);
        cache.write(b"key", &vec![1u64, 2]).unwrap();
        cache.write(b"key", &vec![3u64]).unwrap();
        let again = DiskCache::at(&place.path().join("a"), "1").unwrap();
        assert_eq!(again.read::<Vec<u64>>(b"key"), Some(vec![3]));
        assert_eq!(again.read::<Vec<u64>>(b"other"), None);
        let other = DiskCache::at(&place.path().join("a"), "2").unwrap();
        assert_eq!(other.read::<Vec<u64>>(b"key"), None);
    }

    #[test]
    fn a_damaged_file_is_no_entry() {
        let place = place();
        let cache = DiskCache::at(&place.path().join("a"), "1").unwrap();
        cache.write(b"key", &"a value".to_owned()).unwrap();
        let file = only_file(&cache);
        let whole = fs::read(&file).unwrap();
        for length in 0..whole.len() {
            fs::write(&file, &whole[..length]).unwrap();
            assert_eq!(cache.read::<String>(b"key"), None, "{length} bytes");
        }
        for position in 0..whole.len() {
            let mut changed = whole.clone();
            changed[position] ^= 1;
            fs::write(&file, &changed).unwrap();
            assert_eq!(cache.read::<String>(b"key"), None, "byte {position}");
        }
        cache.write(b"key", &"a value".to_owned()).unwrap();
        assert_eq!(cache.read::<String>(b"key").as_deref(), Some("a value"));
    }

    #[test]
    fn a_directory_that_others_may_write_to_is_not_used() {
        let place = place();
        let shared = place.path().join("a");
        assert!(DiskCache::at(&shared, "1").is_some());
        fs::set_permissions(&shared, Permissions::from_mode(0o777)).unwrap();
        assert!(DiskCache::at(&shared, "1").is_none());
        fs::write(place.path().join("file"), "").unwrap();
        assert!(DiskCache::at(&place.path().join("file"), "1").is_none());
    }

    #[test]
    fn versions_that_are_not_used_any_more_go() {
        let place = place();
        let cache = DiskCache::at(place.path(), "old").unwrap();
        let directory = fs::File::open(&cache.directory).unwrap();
        directory
            .set_modified(SystemTime::now() - 2 * MAX_AGE)
            .unwrap();
        DiskCache::at(place.path(), "recent").unwrap();
        assert!(!cache.directory.exists());
        DiskCache::at(place.path(), "new").unwrap();
        assert!(place.path().join("recent").exists());
    }
}
