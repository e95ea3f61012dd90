//! Calls with a tuple of arguments and a dict of those with names.

use std::ptr;

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::errors::{callable_name, raise, raised, text, type_name};

unsafe extern "C" {
    fn _PyDict_MergeEx(dict: *mut PyObject, other: *mut PyObject, overrides: i32) -> i32;
}

/// Calls with a tuple or another iterable of arguments, and a mapping of keyword arguments or null.
pub unsafe extern "C" fn call_starred(
    callable: *mut PyObject,
    args: *mut PyObject,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let names = if keywords.is_null() || ffi::PyDict_CheckExact(keywords) != 0 {
            ffi::Py_XINCREF(keywords);
            keywords
        } else {
            let names = ffi::PyDict_New();
            if names.is_null() || merge_keywords(names, keywords, callable) < 0 {
                ffi::Py_XDECREF(names);
                return ptr::null_mut();
            }
            names
        };
        let positional = if ffi::PyTuple_CheckExact(args) != 0 {
            ffi::Py_NewRef(args)
        } else {
            sequence(callable, args)
        };
        let result = match positional.is_null() {
            true => ptr::null_mut(),
            false => ffi::PyObject_Call(callable, positional, names),
        };
        ffi::Py_XDECREF(positional);
        ffi::Py_XDECREF(names);
        result
    }
}

unsafe fn sequence(callable: *mut PyObject, args: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `call_starred`.
    unsafe {
        if (*ffi::Py_TYPE(args)).tp_iter.is_none() && ffi::PySequence_Check(args) == 0 {
            raise(PyTypeError::new_err(format!(
                "{} argument after * must be an iterable, not {}",
                callable_name(callable),
                type_name(args)
            )));
            return ptr::null_mut();
        }
        ffi::PySequence_Tuple(args)
    }
}

/// Adds keyword arguments to a dict of them; one that is there already is an error of the call.
///
/// # Safety
/// As the functions of this module; `callable` may be null.
pub unsafe fn merge_keywords(
    names: *mut PyObject,
    keywords: *mut PyObject,
    callable: *mut PyObject,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let status = _PyDict_MergeEx(names, keywords, 2);
        if status < 0 {
            explain_keywords(keywords, callable);
        }
        status
    }
}

#[cold]
unsafe fn explain_keywords(keywords: *mut PyObject, callable: *mut PyObject) {
    // SAFETY: as `merge_keywords`.
    unsafe {
        let py = Python::assume_attached();
        if raised(ffi::PyExc_AttributeError) {
            ffi::PyErr_Clear();
            raise(PyTypeError::new_err(format!(
                "{} argument after ** must be a mapping, not {}",
                callable_name(callable),
                type_name(keywords)
            )));
        } else if raised(ffi::PyExc_KeyError) {
            let error = PyErr::fetch(py);
            let key = error
                .value(py)
                .cast::<PyKeyError>()
                .ok()
                .and_then(|error| error.getattr("args").ok())
                .filter(|args| args.len().is_ok_and(|count| count == 1))
                .and_then(|args| args.get_item(0).ok());
            match key {
                Some(key) => raise(PyTypeError::new_err(format!(
                    "{} got multiple values for keyword argument '{}'",
                    callable_name(callable),
                    text(key.as_ptr())
                ))),
                None => raise(error),
            }
        }
    }
}
