use super::*;
use std::{
    fs::Permissions,
    os::unix::fs::{PermissionsExt, symlink},
    time::{Duration, SystemTime},
};

fn place() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn open(place: &tempfile::TempDir) -> DiskCache {
    DiskCache::at(place.path(), "functions", "1").unwrap()
}

fn paths(cache: &DiskCache) -> Vec<PathBuf> {
    let files = fs::read_dir(&cache.directory).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

fn make_older(path: &Path, days: u64) {
    let file = fs::File::open(path).unwrap();
    let age = Duration::from_secs(days * 24 * 60 * 60);
    file.set_modified(SystemTime::now() - age).unwrap();
}

#[test]
fn what_is_written_is_read_by_its_key() {
    let place = place();
    let cache = open(&place);
    let key = cache.key(b"key");
    assert_eq!(cache.read::<Vec<u64>>(key), None);
    cache.write(key, "first", &vec![1u64, 2]).unwrap();
    cache.write(key, "second", &vec![3u64]).unwrap();
    assert_eq!(open(&place).read::<Vec<u64>>(key), Some(vec![3]));
    assert_eq!(cache.read::<Vec<u64>>(cache.key(b"other")), None);
    let other = DiskCache::at(place.path(), "functions", "2").unwrap();
    assert_ne!(other.key(b"key"), key);
    assert_eq!(other.read::<Vec<u64>>(key), None);
    // What a version and a key are made of doesn't run into each other.
    let longer = DiskCache::at(place.path(), "functions", "1k").unwrap();
    assert_ne!(longer.key(b"ey"), key);
}

#[test]
fn a_damaged_file_is_no_entry_and_goes() {
    let place = place();
    let cache = open(&place);
    let key = cache.key(b"key");
    cache.write(key, "a label", &"a value".to_owned()).unwrap();
    let file = cache.path(key);
    let whole = fs::read(&file).unwrap();
    let check = |bytes: &[u8], what: &str| {
        fs::write(&file, bytes).unwrap();
        assert_eq!(cache.read::<String>(key), None, "{what}");
        assert!(!file.exists(), "{what}");
    };
    for length in 0..whole.len() {
        check(&whole[..length], &format!("{length} bytes"));
    }
    for position in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[position] ^= 1 << bit;
            check(&changed, &format!("bit {bit} of byte {position}"));
        }
    }
    check(&[&whole[..], b"more"].concat(), "longer");
    cache.write(key, "a label", &"a value".to_owned()).unwrap();
    assert_eq!(cache.read::<String>(key).as_deref(), Some("a value"));
}

#[test]
fn the_entry_of_another_key_is_no_entry() {
    let place = place();
    let cache = open(&place);
    let (one, other) = (cache.key(b"one"), cache.key(b"other"));
    cache.write(one, "", &1u64).unwrap();
    fs::rename(cache.path(one), cache.path(other)).unwrap();
    assert_eq!(cache.read::<u64>(other), None);
}

#[test]
fn what_others_may_write_to_is_not_used() {
    let place = place();
    let cache = open(&place);
    let key = cache.key(b"key");
    cache.write(key, "", &1u64).unwrap();
    let file = cache.path(key);
    fs::set_permissions(&file, Permissions::from_mode(0o666)).unwrap();
    assert_eq!(cache.read::<u64>(key), None);
    // It isn't ours to remove: nobody knows who wrote it.
    assert!(file.exists());
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    assert_eq!(cache.read::<u64>(key), Some(1));
    let moved = place.path().join("moved");
    fs::rename(&file, &moved).unwrap();
    symlink(&moved, &file).unwrap();
    assert_eq!(cache.read::<u64>(key), None);
    for directory in ["functions", "functions/1"] {
        let shared = place.path().join(directory);
        fs::set_permissions(&shared, Permissions::from_mode(0o777)).unwrap();
        let refused = DiskCache::at(place.path(), "functions", "1");
        assert!(matches!(refused, Err(Unusable::NoPlace(_))), "{directory}");
        fs::set_permissions(&shared, Permissions::from_mode(0o700)).unwrap();
    }
    fs::write(place.path().join("file"), "").unwrap();
    assert!(DiskCache::at(&place.path().join("file"), "functions", "1").is_err());
}

#[test]
fn versions_that_are_not_used_any_more_go() {
    let place = place();
    let cache = DiskCache::at(place.path(), "functions", "old").unwrap();
    make_older(&cache.directory, 60);
    DiskCache::at(place.path(), "functions", "recent").unwrap();
    assert!(!cache.directory.exists());
    DiskCache::at(place.path(), "functions", "new").unwrap();
    assert!(place.path().join("functions/recent").exists());
}

#[test]
fn what_was_used_longest_ago_goes_first() {
    let place = place();
    let cache = open(&place);
    let keys: Vec<_> = (0..8u8).map(|number| cache.key(&[number])).collect();
    for (key, days) in keys.iter().zip(1..) {
        cache.write(*key, "", &vec![0u8; 100]).unwrap();
        make_older(&cache.path(*key), days);
    }
    // Reading makes it one that was just used.
    assert!(cache.read::<Vec<u8>>(keys[7]).is_some());
    let left = cache.directory.join(format!("{}1", file::UNFINISHED));
    fs::write(&left, "").unwrap();
    let size = fs::metadata(cache.path(keys[0])).unwrap().len();
    eviction::shrink(place.path(), 8 * size);
    assert_eq!(paths(&cache).len(), 9);
    eviction::shrink(place.path(), 4 * size);
    let stay = |number: usize| cache.path(keys[number]).exists();
    let there: Vec<_> = (0..8).filter(|number| stay(*number)).collect();
    assert_eq!(there, [0, 1, 7]);
    assert!(left.exists());
    make_older(&left, 1);
    eviction::shrink(place.path(), 4 * size);
    assert!(!left.exists());
}

#[test]
fn sizes_are_read() {
    for (text, size) in [
        ("64", Some(64)),
        (" 3K ", Some(3 << 10)),
        ("3 m", Some(3 << 20)),
        ("2G", Some(2 << 30)),
        ("", None),
        ("G", None),
        ("-1", None),
        ("99999999999999G", None),
    ] {
        assert_eq!(eviction::parse_size(text), size, "{text}");
    }
}

#[test]
fn contents_are_listed_and_cleared() {
    let place = place();
    let cache = open(&place);
    cache.write(cache.key(b"a"), "f(int64)", &1u64).unwrap();
    fs::write(cache.directory.join("stranger"), "?").unwrap();
    fs::write(place.path().join("mine"), "not the cache's").unwrap();
    let entries = entries(place.path());
    let labels: Vec<_> = entries
        .iter()
        .map(|one| one.label.as_deref().ok())
        .collect();
    assert_eq!(entries.len(), 2);
    assert!(labels.contains(&Some("f(int64)")) && labels.contains(&None));
    assert!(
        entries
            .iter()
            .all(|one| one.kind == "functions" && one.version == "1")
    );
    let found = usage(place.path());
    assert_eq!(found.files, 2);
    assert_eq!(found.bytes, entries.iter().map(|one| one.size).sum::<u64>());
    assert_eq!(clear(place.path()).unwrap(), 2);
    assert_eq!(clear(place.path()).unwrap(), 0);
    assert!(place.path().join("mine").exists());
    cache.write(cache.key(b"a"), "f(int64)", &1u64).unwrap();
    assert_eq!(cache.read::<u64>(cache.key(b"a")), Some(1));
}

#[test]
fn writers_and_readers_at_once_see_whole_files() {
    let place = place();
    let cache = open(&place);
    let key = cache.key(b"key");
    std::thread::scope(|scope| {
        for writer in 0..4u64 {
            let cache = &cache;
            scope.spawn(move || {
                for _ in 0..50 {
                    let value = vec![writer; 10_000];
                    cache.write(key, "", &value).unwrap();
                    let found: Vec<u64> = cache.read(key).unwrap();
                    assert_eq!(found.len(), 10_000);
                    assert!(found.iter().all(|one| *one == found[0]));
                }
            });
        }
    });
    assert_eq!(paths(&cache), [cache.path(key)]);
}
