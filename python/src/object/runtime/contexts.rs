//! `with`.

use std::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::errors::{raise, type_name};

unsafe extern "C" {
    fn _PyObject_LookupSpecial(object: *mut PyObject, name: *mut PyObject) -> *mut PyObject;
}

/// What a kind of `with` calls, and how errors name it.
struct Protocol {
    enter: &'static str,
    exit: &'static str,
    name: &'static str,
}

const CONTEXT: Protocol = Protocol {
    enter: "__enter__",
    exit: "__exit__",
    name: "context manager protocol",
};

const ASYNC_CONTEXT: Protocol = Protocol {
    enter: "__aenter__",
    exit: "__aexit__",
    name: "asynchronous context manager protocol",
};

/// Enters a context; `exit` becomes the bound method that leaves it.
pub unsafe extern "C" fn enter_context(
    manager: *mut PyObject,
    exit: *mut *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { enter(manager, exit, &CONTEXT) }
}

/// Begins to enter an asynchronous context: the result is to be awaited.
pub unsafe extern "C" fn enter_async_context(
    manager: *mut PyObject,
    exit: *mut *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { enter(manager, exit, &ASYNC_CONTEXT) }
}

unsafe fn enter(
    manager: *mut PyObject,
    exit: *mut *mut PyObject,
    protocol: &Protocol,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; `exit` can be written.
    unsafe {
        let enter = special(manager, protocol.enter, protocol, "");
        if enter.is_null() {
            return enter;
        }
        let missed = format!(" (missed {} method)", protocol.exit);
        *exit = special(manager, protocol.exit, protocol, &missed);
        let value = match (*exit).is_null() {
            true => ptr::null_mut(),
            false => ffi::PyObject_CallNoArgs(enter),
        };
        ffi::Py_DECREF(enter);
        if value.is_null() {
            ffi::Py_XDECREF(*exit);
        }
        value
    }
}

unsafe fn special(
    manager: *mut PyObject,
    name: &str,
    protocol: &Protocol,
    missed: &str,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let text = PyString::intern(Python::assume_attached(), name);
        let found = _PyObject_LookupSpecial(manager, text.as_ptr());
        if found.is_null() && ffi::PyErr_Occurred().is_null() {
            raise(PyTypeError::new_err(format!(
                "'{}' object does not support the {}{missed}",
                type_name(manager),
                protocol.name
            )));
        }
        found
    }
}

/// Leaves a context with an exception.
pub unsafe extern "C" fn leave_context(
    exit: *mut PyObject,
    exception: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let trace = ffi::PyException_GetTraceback(exception);
        let shown = if trace.is_null() {
            ffi::Py_None()
        } else {
            trace
        };
        let mut args = [
            ptr::null_mut(),
            ffi::Py_TYPE(exception).cast(),
            exception,
            shown,
        ];
        let result = super::calls::call(exit, args.as_mut_ptr().add(1), 3, ptr::null_mut());
        ffi::Py_XDECREF(trace);
        result
    }
}
