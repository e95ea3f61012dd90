//! What keeps the caches from growing for ever.
//!
//! A file's time of change is when it was used last, to the hour. When there is more than the
//! limit, what was used longest ago goes. Another process may be reading such a file, or have
//! removed it: neither minds.

use std::{
    env, fs,
    path::Path,
    time::{Duration, SystemTime},
};

use super::{
    SIZE_VARIABLE,
    contents::{Found, files},
};

/// How much the caches may hold where the environment doesn't say.
const DEFAULT_LIMIT: u64 = 1 << 30;

/// What is written between two looks at what there is: this part of the limit.
pub const SLACK: u64 = 16;

/// Of the limit, what stays when files go.
const KEPT: (u64, u64) = (3, 4);

/// Directories of other versions that nothing was written to for so long go.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What a process that was killed has left goes after that.
const MAX_WRITING: Duration = Duration::from_secs(60 * 60);

/// How exact the time of the last use is.
const USE_TIME: Duration = Duration::from_secs(60 * 60);

/// How many bytes the caches may hold.
pub fn limit() -> u64 {
    let given = env::var(SIZE_VARIABLE).ok();
    given
        .and_then(|text| parse_size(&text))
        .unwrap_or(DEFAULT_LIMIT)
}

/// Reads `64`, `64K`, `64M` or `64G`.
pub(super) fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let units = [('K', 10), ('M', 20), ('G', 30)];
    let unit = units.into_iter().find_map(|(unit, shift)| {
        let number = text.strip_suffix([unit, unit.to_ascii_lowercase()])?;
        Some((number, shift))
    });
    let (number, shift) = unit.unwrap_or((text, 0));
    let number: u64 = number.trim_end().parse().ok()?;
    number.checked_mul(1 << shift)
}

/// Takes down that a file was used.
pub fn mark_used(path: &Path) {
    let modified = fs::metadata(path).and_then(|found| found.modified());
    if modified.is_ok_and(|time| age(time) > USE_TIME) {
        // In a directory that can't be written, nothing is removed either.
        let file = fs::File::options().append(true).open(path);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
    }
}

/// Removes files until there is less than the limit.
pub fn shrink(root: &Path, limit: u64) {
    let (unfinished, mut whole): (Vec<_>, Vec<_>) =
        files(root).into_iter().partition(Found::is_unfinished);
    for found in unfinished {
        if age(found.modified) > MAX_WRITING {
            let _ = fs::remove_file(&found.path);
        }
    }
    let mut total: u64 = whole.iter().map(|found| found.size).sum();
    if total <= limit {
        return;
    }
    whole.sort_by_key(|found| found.modified);
    for found in whole {
        if total <= limit / KEPT.1 * KEPT.0 {
            break;
        }
        if fs::remove_file(&found.path).is_ok() {
            total -= found.size;
        }
    }
}

/// Removes the directories of versions that are not used any more. One that can't be removed stays.
pub fn remove_unused_versions(place: &Path) {
    let is_old = |entry: &fs::DirEntry| {
        let modified = entry.metadata().and_then(|found| found.modified());
        modified.is_ok_and(|time| age(time) > MAX_AGE)
    };
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    for entry in entries.filter(is_old) {
        let _ = fs::remove_dir_all(entry.path());
    }
}

fn age(time: SystemTime) -> Duration {
    SystemTime::now().duration_since(time).unwrap_or_default()
}
