//! Loops over iterators.

use std::ffi::c_int;

use pyo3::ffi::{self, PyObject};

use super::errors::raised;

/// `iter(object)`.
pub unsafe extern "C" fn get_iterator(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyObject_GetIter(object) }
}

/// Whether an iterator that gave no item has raised, or only ended.
pub unsafe extern "C" fn end_iteration() -> c_int {
    // SAFETY: the conventions of the module.
    unsafe {
        if !ffi::PyErr_Occurred().is_null() {
            if !raised(ffi::PyExc_StopIteration) {
                return -1;
            }
            ffi::PyErr_Clear();
        }
        0
    }
}
