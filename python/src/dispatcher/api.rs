//! What the Python class behind the dispatcher does to an instance.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::convert;
use super::type_object::body_of;
use crate::specialisation::Specialisation;
use crate::types::TypeDesc;

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

/// Says which parameters code is compiled for the values of.
#[pyfunction]
pub fn set_literals(dispatcher: &Bound<'_, PyAny>, positions: Vec<usize>) -> PyResult<()> {
    // SAFETY: no Python code runs while the body is borrowed.
    unsafe { (*body_of(dispatcher)?).literals = positions };
    Ok(())
}

/// Says whether calls with new types compile.
#[pyfunction]
pub fn set_compiles(dispatcher: &Bound<'_, PyAny>, compiles: bool) -> PyResult<()> {
    // SAFETY: no Python code runs while the body is borrowed.
    unsafe { (*body_of(dispatcher)?).compiles = compiles };
    Ok(())
}

/// Whether arguments of some types can be converted to others, in the compiler's text form.
#[pyfunction]
pub fn can_convert(from: Vec<String>, to: Vec<String>) -> PyResult<bool> {
    let parse = |texts: Vec<String>| -> Result<Vec<_>, String> {
        texts.iter().map(|text| TypeDesc::parse(text)).collect()
    };
    let parsed = parse(from).and_then(|from| Ok((from, parse(to)?)));
    let (from, to) = parsed.map_err(PyValueError::new_err)?;
    Ok(convert::is_possible(&from, &to))
}
