//! Methods of instances, which pyo3 doesn't declare.

use pyo3::ffi::PyObject;
use pyo3::prelude::*;

unsafe extern "C" {
    /// A new reference to a function that is called with `this` before its arguments; null with an error.
    pub fn PyMethod_New(function: *mut PyObject, this: *mut PyObject) -> *mut PyObject;
}

/// Makes the method of an instance: what calls a function with the instance as its first argument.
pub fn bind<'py>(
    function: &Bound<'py, PyAny>,
    instance: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: both are objects, and the GIL is held.
    unsafe {
        let method = PyMethod_New(function.as_ptr(), instance.as_ptr());
        Bound::from_owned_ptr_or_err(function.py(), method)
    }
}
