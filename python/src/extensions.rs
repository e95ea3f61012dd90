//! What Python says to the registry of extensions.

use std::path::PathBuf;

use pyo3::exceptions::{PyImportError, PyValueError};
use pyo3::prelude::*;
use pyopt_passes::extension;
use pyopt_passes::infra::pipeline::placed;

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

/// Loads an extension, a library without an MLIR of its own; its name.
#[pyfunction]
pub fn load_extension(path: PathBuf) -> PyResult<&'static str> {
    extension::load(&path).map_err(PyImportError::new_err)
}
