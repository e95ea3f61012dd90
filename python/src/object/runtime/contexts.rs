//! `with`.

use std::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::errors::{raise, text, type_name};

unsafe extern "C" {
    fn _PyType_Lookup(ty: *mut ffi::PyTypeObject, name: *mut PyObject) -> *mut PyObject;
    fn _PyObject_LookupSpecial(object: *mut PyObject, name: *mut PyObject) -> *mut PyObject;
}

/// What a kind of `with` calls, and how errors name it.
struct Protocol {
    enter: fn(Python<'_>) -> *mut PyObject,
    exit: fn(Python<'_>) -> *mut PyObject,
    name: &'static str,
}

const CONTEXT: Protocol = Protocol {
    enter: |py| pyo3::intern!(py, "__enter__").as_ptr(),
    exit: |py| pyo3::intern!(py, "__exit__").as_ptr(),
    name: "context manager protocol",
};

const ASYNC_CONTEXT: Protocol = Protocol {
    enter: |py| pyo3::intern!(py, "__aenter__").as_ptr(),
    exit: |py| pyo3::intern!(py, "__aexit__").as_ptr(),
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
        let py = Python::assume_attached();
        let enter = lookup(manager, (protocol.enter)(py));
        let Some((enter, binds)) = enter else {
            explain(manager, protocol, None);
            return ptr::null_mut();
        };
        let leave = (protocol.exit)(py);
        *exit = _PyObject_LookupSpecial(manager, leave);
        let value = match (*exit).is_null() {
            true => {
                explain(manager, protocol, Some(leave));
                ptr::null_mut()
            }
            false if binds => ffi::PyObject_CallOneArg(enter, manager),
            false => ffi::PyObject_CallNoArgs(enter),
        };
        ffi::Py_DECREF(enter);
        if value.is_null() {
            ffi::Py_XDECREF(*exit);
        }
        value
    }
}

/// A special method of an object, and whether it wants the object as its argument. None when there
/// is none, or asking for it raised.
unsafe fn lookup(object: *mut PyObject, name: *mut PyObject) -> Option<(*mut PyObject, bool)> {
    // SAFETY: the conventions of the module.
    unsafe {
        let found = _PyType_Lookup(ffi::Py_TYPE(object), name);
        if found.is_null() {
            return None;
        }
        if (*ffi::Py_TYPE(found)).tp_flags & ffi::Py_TPFLAGS_METHOD_DESCRIPTOR != 0 {
            return Some((ffi::Py_NewRef(found), true));
        }
        let found = _PyObject_LookupSpecial(object, name);
        (!found.is_null()).then_some((found, false))
    }
}

/// Raises for an object that lacks a method, unless something has raised.
#[cold]
unsafe fn explain(manager: *mut PyObject, protocol: &Protocol, missed: Option<*mut PyObject>) {
    // SAFETY: the conventions of the module.
    unsafe {
        if !ffi::PyErr_Occurred().is_null() {
            return;
        }
        let missed = match missed {
            Some(name) => format!(" (missed {} method)", text(name)),
            None => String::new(),
        };
        raise(PyTypeError::new_err(format!(
            "'{}' object does not support the {}{missed}",
            type_name(manager),
            protocol.name
        )));
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
        let count = 3 | ffi::PY_VECTORCALL_ARGUMENTS_OFFSET;
        let args = args.as_mut_ptr().add(1);
        let result = ffi::PyObject_Vectorcall(exit, args, count, ptr::null_mut());
        ffi::Py_XDECREF(trace);
        result
    }
}
