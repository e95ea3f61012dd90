//! What the methods of `typed.Set` do that dicts don't have.

use pyo3::prelude::*;

use super::calls::{call, structure};
use super::description::Method;

/// `self.add(item)` or `self.discard(item)`; `None` where Python's own method is to do it.
pub fn change<'py>(
    this: &Bound<'py, PyAny>,
    method: Method,
    item: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match structure(this)? {
        Some(structure) => call(this, &structure, method, &[item]).transpose(),
        None => Ok(None),
    }
}
