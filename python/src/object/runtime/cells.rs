//! Cells, and locals without a value.

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::{PyNameError, PyUnboundLocalError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::errors::{raise, text};

unsafe extern "C" {
    fn PyCell_New(value: *mut PyObject) -> *mut PyObject;
}

/// A cell; CPython's layout is public.
#[repr(C)]
struct Cell {
    base: PyObject,
    value: *mut PyObject,
}

const _: () = assert!(std::mem::offset_of!(Cell, value) == pyopt_frontend::frame_311::cell::VALUE);

/// A new cell; `value` may be null.
pub unsafe extern "C" fn make_cell(value: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of this module.
    unsafe { PyCell_New(value) }
}

/// Empties a cell.
pub unsafe extern "C" fn delete_cell(
    cell: *mut PyObject,
    name: *mut PyObject,
    free: c_int,
) -> c_int {
    // SAFETY: the conventions of this module; the object is a cell.
    unsafe {
        let old = std::mem::replace(&mut (*cell.cast::<Cell>()).value, ptr::null_mut());
        if old.is_null() {
            raise_empty(name, free);
            return -1;
        }
        ffi::Py_DECREF(old);
        0
    }
}

/// Raises what an empty cell raises: as a free variable or one of the function's own.
#[cold]
pub unsafe extern "C" fn raise_empty(name: *mut PyObject, free: c_int) {
    // SAFETY: the conventions of this module.
    unsafe {
        match free {
            0 => raise_unbound(name),
            _ => raise_name(
                name,
                format!(
                    "cannot access free variable '{}' where it is not associated with a value in enclosing scope",
                    text(name)
                ),
            ),
        }
    }
}

/// Raises UnboundLocalError for a local.
#[cold]
pub unsafe extern "C" fn raise_unbound(name: *mut PyObject) {
    // SAFETY: the conventions of this module.
    let name = unsafe { text(name) };
    raise(PyUnboundLocalError::new_err(format!(
        "cannot access local variable '{name}' where it is not associated with a value"
    )));
}

/// Raises NameError, with the name for those who look for similar ones.
///
/// # Safety
/// As the functions of this module.
#[cold]
pub unsafe fn raise_name(name: *mut PyObject, message: String) {
    // SAFETY: the conventions of this module.
    let py = unsafe { Python::assume_attached() };
    let error = PyNameError::new_err(message);
    // SAFETY: as above.
    let name = unsafe { Bound::from_borrowed_ptr(py, name) };
    match error.value(py).setattr("name", name) {
        Ok(()) => raise(error),
        Err(other) => raise(other),
    }
}
