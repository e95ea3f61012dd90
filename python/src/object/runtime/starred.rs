//! Calls with a tuple of arguments and a dict of those with names.

use std::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};

use super::errors::{callable_name, raise, raised, text, type_name};

unsafe extern "C" {
    fn _PyDict_MergeEx(dict: *mut PyObject, other: *mut PyObject, overrides: i32) -> i32;
}

/// Calls with a tuple or another iterable of arguments, and a mapping of keyword arguments or null.
/// Takes the references over: an iterable goes before the call, the rest behind it.
pub unsafe extern "C" fn call_starred(
    callable: *mut PyObject,
    args: *mut PyObject,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let positional = if ffi::PyTuple_CheckExact(args) != 0 {
            args
        } else {
            let made = sequence(callable, args);
            ffi::Py_DECREF(args);
            made
        };
        let result = match positional.is_null() {
            true => ptr::null_mut(),
            false => call_with(callable, positional, keywords),
        };
        ffi::Py_DECREF(callable);
        ffi::Py_XDECREF(positional);
        ffi::Py_XDECREF(keywords);
        result
    }
}

/// Calls with a tuple, and a mapping or null.
unsafe fn call_with(
    callable: *mut PyObject,
    positional: *mut PyObject,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `call_starred`.
    unsafe {
        if keywords.is_null() || ffi::PyDict_CheckExact(keywords) != 0 {
            return ffi::PyObject_Call(callable, positional, keywords);
        }
        let names = ffi::PyDict_New();
        let mut result = ptr::null_mut();
        if !names.is_null() && merge_keywords(names, keywords, callable) == 0 {
            result = ffi::PyObject_Call(callable, positional, names);
        }
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
        if raised(ffi::PyExc_AttributeError) {
            ffi::PyErr_Clear();
            raise(PyTypeError::new_err(format!(
                "{} argument after ** must be a mapping, not {}",
                callable_name(callable),
                type_name(keywords)
            )));
        } else if raised(ffi::PyExc_KeyError) {
            let mut error = [ptr::null_mut(); 3];
            let [class, value, trace] = &mut error;
            ffi::PyErr_Fetch(class, value, trace);
            // CPython has made an exception of the key where another is being handled, and lets
            // that go on.
            let key = *value;
            if key.is_null() || ffi::PyTuple_Check(key) == 0 || ffi::PyTuple_GET_SIZE(key) != 1 {
                return ffi::PyErr_Restore(*class, *value, *trace);
            }
            raise(PyTypeError::new_err(format!(
                "{} got multiple values for keyword argument '{}'",
                callable_name(callable),
                text(ffi::PyTuple_GET_ITEM(key, 0))
            )));
            error.into_iter().for_each(|part| ffi::Py_XDECREF(part));
        }
    }
}
