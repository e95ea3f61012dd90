//! What Python says to the registry of extensions.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyImportError, PyValueError};
use pyo3::prelude::*;
use pyopt_passes::extension;
use pyopt_passes::infra::pipeline::placed;

use crate::devices;

/// Adds passes to all pipelines at a place, as in a textual pipeline; whether they weren't there.
#[pyfunction]
pub fn add_pass(place: &str, passes: &str) -> PyResult<bool> {
    extension::add_pass(place, passes).map_err(PyValueError::new_err)
}

/// Takes passes away from a place; whether they were there.
#[pyfunction]
pub fn remove_pass(place: &str, passes: &str) -> PyResult<bool> {
    extension::remove_pass(place, passes).map_err(PyValueError::new_err)
}

/// What was added: pairs of a place and passes.
#[pyfunction]
pub fn placed_passes() -> Vec<(String, String)> {
    placed()
}

/// The names and versions of the extensions that are registered.
#[pyfunction]
pub fn extensions() -> Vec<(&'static str, &'static str)> {
    let all = extension::extensions().into_iter();
    all.map(|one| (one.name, one.version)).collect()
}

/// The modules of Python that extensions name, in the order in which these were registered.
#[pyfunction]
pub fn extension_modules() -> Vec<&'static str> {
    let all = extension::extensions().into_iter();
    all.flat_map(|one| one.modules.iter().copied()).collect()
}

/// Those groups of entry points that an installed package in one of the folders may have. What can't be read has
/// none.
#[pyfunction]
pub fn mentioned_groups(folders: Vec<PathBuf>, groups: Vec<String>) -> Vec<String> {
    let is_metadata = |entry: &DirEntry| {
        let name = entry.file_name();
        [&b".dist-info"[..], b".egg-info"]
            .iter()
            .any(|end| name.as_encoded_bytes().ends_with(end))
    };
    let entries = folders.iter().flat_map(|folder| {
        // Python's path has the working folder as an empty text.
        let is_empty = folder.as_os_str().is_empty();
        fs::read_dir(if is_empty { Path::new(".") } else { folder })
    });
    let packages = entries.flatten().flatten().filter(is_metadata);
    let texts =
        packages.filter_map(|package| fs::read(package.path().join("entry_points.txt")).ok());
    let texts: Vec<_> = texts
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .collect();
    let is_mentioned = |group: &String| {
        let header = format!("[{group}]");
        texts.iter().any(|text| text.contains(&header))
    };
    groups.into_iter().filter(is_mentioned).collect()
}

/// Loads an extension, a library without an MLIR of its own; its name.
#[pyfunction]
pub fn load_extension(path: PathBuf) -> PyResult<&'static str> {
    let loaded = extension::load(&path).map_err(PyImportError::new_err)?;
    devices::register_drivers(loaded)?;
    Ok(loaded.name)
}
