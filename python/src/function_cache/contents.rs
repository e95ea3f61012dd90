//! What there is on disk, for `python -m pyopt cache` and the dispatcher.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyopt_runtime::disk_cache::{self, Unusable};

/// The directory of all caches; `None` where the user wants none.
#[pyfunction]
pub fn cache_directory() -> PyResult<Option<String>> {
    match disk_cache::root() {
        Ok(root) => Ok(Some(root.display().to_string())),
        Err(Unusable::SwitchedOff) => Ok(None),
        Err(reason) => Err(PyOSError::new_err(reason.to_string())),
    }
}

/// An entry: its kind, the compiler's version, its path and size, what it holds, and what is wrong with it.
type Listed = (String, String, String, u64, String, Option<String>);

/// All entries in a directory, checked.
#[pyfunction]
pub fn cache_entries(py: Python<'_>, directory: &str) -> Vec<Listed> {
    let entries = py.detach(|| disk_cache::entries(directory.as_ref()));
    let entries = entries.into_iter().map(|entry| {
        let (label, damage) = match entry.label {
            Ok(label) => (label, None),
            Err(damage) => (String::new(), Some(damage.to_string())),
        };
        let path = entry.path.display().to_string();
        (entry.kind, entry.version, path, entry.size, label, damage)
    });
    entries.collect()
}

/// The number of files in a directory, their bytes, and how many bytes there may be.
#[pyfunction]
pub fn cache_usage(directory: &str) -> (usize, u64, u64) {
    let usage = disk_cache::usage(directory.as_ref());
    (usage.files, usage.bytes, usage.limit)
}

/// Removes all entries of a directory; how many files it was.
#[pyfunction]
pub fn clear_cache(directory: &str) -> PyResult<usize> {
    Ok(disk_cache::clear(directory.as_ref())?)
}
