//! Raising from Rust, with messages that name types and objects as CPython's do.

use std::ffi::CStr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

/// Sets an exception.
#[cold]
pub fn raise(exception: PyErr) {
    let mut exception = Some(exception);
    // What PyO3 drops on the way it keeps until it knows again that the GIL is held.
    Python::try_attach(|py| exception.take().map(|exception| exception.restore(py)));
    if let Some(exception) = exception {
        // SAFETY: the functions here are called with the GIL held; the interpreter is about to end.
        exception.restore(unsafe { Python::assume_attached() });
    }
}

/// Whether the exception that is set is of a class.
///
/// # Safety
/// `class` is a live exception class and the GIL is held.
pub unsafe fn raised(class: *mut PyObject) -> bool {
    // SAFETY: the caller's promise.
    unsafe { ffi::PyErr_ExceptionMatches(class) != 0 }
}

/// The name of an object's type, as C code has it.
///
/// # Safety
/// The object is live.
pub unsafe fn type_name(object: *mut PyObject) -> String {
    // SAFETY: every type has a name that lives as long as it.
    unsafe { name_of(ffi::Py_TYPE(object)) }
}

/// The name of a type, as C code has it.
///
/// # Safety
/// The type is live.
pub unsafe fn name_of(ty: *mut ffi::PyTypeObject) -> String {
    // SAFETY: every type has a name that lives as long as it.
    let name = unsafe { CStr::from_ptr((*ty).tp_name) };
    name.to_string_lossy().into_owned()
}

/// `str(object)`, or as much as can be had.
///
/// # Safety
/// The object is live and the GIL is held.
pub unsafe fn text(object: *mut PyObject) -> String {
    // SAFETY: the caller's promise.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    match object.str() {
        Ok(text) => text.to_string_lossy().into_owned(),
        Err(error) => {
            // PyO3 doesn't know that the GIL is held and would keep what is dropped unbound.
            drop(error.into_value(object.py()).into_bound(object.py()));
            String::new()
        }
    }
}

/// How error messages name a callable.
///
/// # Safety
/// The object is live, or null for one that isn't known, and the GIL is held.
pub unsafe fn callable_name(callable: *mut PyObject) -> String {
    unsafe extern "C" {
        fn _PyObject_FunctionStr(callable: *mut PyObject) -> *mut PyObject;
    }
    // SAFETY: the caller's promise.
    unsafe {
        if callable.is_null() {
            return "function".into();
        }
        let name = _PyObject_FunctionStr(callable);
        if name.is_null() {
            ffi::PyErr_Clear();
            return String::new();
        }
        let text = text(name);
        ffi::Py_DECREF(name);
        text
    }
}
