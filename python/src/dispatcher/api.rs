//! What the Python class behind the dispatcher does to an instance.

use pyo3::prelude::*;

use super::type_object::body_of;
use crate::specialisation::Specialisation;

/// Adds a compiled specialisation, unless one for the same types is there already.
#[pyfunction]
pub fn add_specialisation(dispatcher: &Bound<'_, PyAny>, made: Py<Specialisation>) -> PyResult<()> {
    // SAFETY: no Python code runs while the body is borrowed.
    let body = unsafe { &mut *body_of(dispatcher)? };
    if body.find(&made.get().words).is_none() {
        body.specialisations.push(made);
    }
    Ok(())
}

/// Removes all specialisations.
#[pyfunction]
pub fn clear_specialisations(dispatcher: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: the entries are taken out first; freeing them afterwards may run Python code.
    let removed = unsafe { std::mem::take(&mut (*body_of(dispatcher)?).specialisations) };
    drop(removed);
    Ok(())
}

/// Says whether calls with new types compile.
#[pyfunction]
pub fn set_compiles(dispatcher: &Bound<'_, PyAny>, compiles: bool) -> PyResult<()> {
    // SAFETY: no Python code runs while the body is borrowed.
    unsafe { (*body_of(dispatcher)?).compiles = compiles };
    Ok(())
}
