//! Objects of extensions' own types, which Python code gives as the fields of their models.

use std::sync::OnceLock;

use pyo3::ffi::PyObject;
use pyo3::prelude::*;

/// What gives the named tuple that stands for an object, or None for an object of no such type.
static UNBOX: OnceLock<Py<PyAny>> = OnceLock::new();

/// Sets what objects of unknown classes are passed to; the first one stays.
#[pyfunction]
pub fn set_unboxing(unbox: Py<PyAny>) {
    // One that is there already is the same function: the module that has it is imported once.
    let _ = UNBOX.set(unbox);
}

/// The named tuple that stands for an object of an extension's type; `None` for any other object.
///
/// # Safety
/// The GIL is held and `object` is alive.
pub unsafe fn unboxed(object: *mut PyObject) -> PyResult<Option<Py<PyAny>>> {
    let Some(unbox) = UNBOX.get() else {
        return Ok(None);
    };
    // SAFETY: as the caller says.
    let (py, object) = unsafe {
        let py = Python::assume_attached();
        (py, Bound::from_borrowed_ptr(py, object))
    };
    let fields = unbox.bind(py).call1((object,))?;
    Ok((!fields.is_none()).then(|| fields.unbind()))
}
