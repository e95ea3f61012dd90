//! Calls, and the making of functions.

use std::ptr;

use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::errors::{callable_name, raise, raised, text, type_name};
use crate::object::layout_311::{Frame, FunctionObject};

unsafe extern "C" {
    fn _PyObject_MakeTpCall(
        thread: *mut ffi::PyThreadState,
        callable: *mut PyObject,
        args: *const *mut PyObject,
        count: ffi::Py_ssize_t,
        names: *mut PyObject,
    ) -> *mut PyObject;
    fn _Py_CheckFunctionResult(
        thread: *mut ffi::PyThreadState,
        callable: *mut PyObject,
        result: *mut PyObject,
        place: *const std::ffi::c_char,
    ) -> *mut PyObject;
    fn _PyDict_MergeEx(dict: *mut PyObject, other: *mut PyObject, overrides: i32) -> i32;
}

/// Calls an object. The word in front of the arguments may be used by the callee.
pub unsafe extern "C" fn call(
    callable: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; keyword arguments are the last of the arguments.
    unsafe {
        let positional = match names.is_null() {
            true => count,
            false => count - ffi::PyTuple_GET_SIZE(names) as usize,
        };
        let thread = ffi::PyThreadState_Get();
        let ty = ffi::Py_TYPE(callable);
        if (*ty).tp_flags & ffi::Py_TPFLAGS_HAVE_VECTORCALL != 0 {
            let slot = callable.byte_offset((*ty).tp_vectorcall_offset);
            if let Some(vectorcall) = *slot.cast::<Option<ffi::vectorcallfunc>>() {
                let flags = positional | ffi::PY_VECTORCALL_ARGUMENTS_OFFSET;
                let result = vectorcall(callable, args, flags, names);
                return _Py_CheckFunctionResult(thread, callable, result, ptr::null());
            }
        }
        _PyObject_MakeTpCall(thread, callable, args, positional as isize, names)
    }
}

/// Calls what `load_method` found.
pub unsafe extern "C" fn call_method(
    callable: *mut PyObject,
    this: *mut PyObject,
    args: *mut *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; there are two words in front of the arguments.
    unsafe {
        if this.is_null() {
            return call(callable, args, count, names);
        }
        let args = args.sub(1);
        *args = this;
        call(callable, args, count + 1, names)
    }
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

/// Makes a function of code; takes the references of its parts over: defaults, keyword defaults,
/// annotations, closure, each where its flag is set.
pub unsafe extern "C" fn make_function(
    frame: *mut Frame,
    code: *mut PyObject,
    flags: usize,
    parts: *const *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module. The new function's fields are empty.
    unsafe {
        let made = ffi::PyFunction_New(code, (*frame).globals);
        let mut next = parts;
        let mut part = |flag: usize| {
            if flags & flag == 0 {
                return ptr::null_mut();
            }
            let part = *next;
            next = next.add(1);
            part
        };
        let (defaults, keyword_defaults) = (part(1), part(2));
        let (annotations, closure) = (part(4), part(8));
        if made.is_null() {
            for part in [defaults, keyword_defaults, annotations, closure] {
                ffi::Py_XDECREF(part);
            }
            return made;
        }
        let function = &mut *made.cast::<FunctionObject>();
        function.defaults = defaults;
        function.keyword_defaults = keyword_defaults;
        function.annotations = annotations;
        function.closure = closure;
        made
    }
}
