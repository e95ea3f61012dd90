//! Raising, catching and the exception that is being handled.

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::errors::{raise as raise_error, text};
use crate::object::layout_311::{Frame, Thread};

unsafe extern "C" {
    fn PyTraceBack_Here(frame: *mut ffi::PyFrameObject) -> c_int;
}

/// Adds the frame's place to the traceback of the exception that is being raised.
pub unsafe extern "C" fn traceback(thread: *mut Thread, _frame: *mut Frame) {
    // SAFETY: the conventions of the module; the frame is the one that runs.
    unsafe {
        let object = ffi::PyThreadState_GetFrame(thread.cast());
        if !object.is_null() {
            PyTraceBack_Here(object);
            ffi::Py_DECREF(object.cast());
        }
    }
}

/// Takes the exception that is being raised, with its traceback.
pub unsafe extern "C" fn catch(_thread: *mut Thread) -> *mut PyObject {
    // SAFETY: the conventions of the module; an exception is set.
    unsafe {
        let (mut ty, mut value, mut trace) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        ffi::PyErr_Fetch(&raw mut ty, &raw mut value, &raw mut trace);
        ffi::PyErr_NormalizeException(&raw mut ty, &raw mut value, &raw mut trace);
        let shown = if trace.is_null() {
            ffi::Py_None()
        } else {
            trace
        };
        ffi::PyException_SetTraceback(value, shown);
        ffi::Py_XDECREF(trace);
        ffi::Py_XDECREF(ty);
        value
    }
}

/// Raises an exception again, with its own traceback.
pub unsafe extern "C" fn reraise(exception: *mut PyObject) {
    // SAFETY: the conventions of the module; `PyErr_Restore` takes references over.
    unsafe {
        let ty = ffi::Py_NewRef(ffi::Py_TYPE(exception).cast());
        let trace = ffi::PyException_GetTraceback(exception);
        ffi::PyErr_Restore(ty, ffi::Py_NewRef(exception), trace);
    }
}

/// `raise` without an exception: raises the handled one again.
pub unsafe extern "C" fn raise_handled(thread: *mut Thread, frame: *mut Frame) {
    // SAFETY: the conventions of the module.
    unsafe {
        let mut item = (*thread).handled;
        while is_nothing((*item).value) && !(*item).previous.is_null() {
            item = (*item).previous;
        }
        match (*item).value {
            value if is_nothing(value) => {
                raise_error(PyRuntimeError::new_err("No active exception to reraise"));
                traceback(thread, frame);
            }
            value => reraise(value),
        }
    }
}

unsafe fn is_nothing(value: *mut PyObject) -> bool {
    // SAFETY: `None` is always there.
    value.is_null() || value == unsafe { ffi::Py_None() }
}

/// `raise exception from cause`; the cause may be null.
pub unsafe extern "C" fn raise(exception: *mut PyObject, cause: *mut PyObject) {
    // SAFETY: the conventions of the module.
    unsafe {
        let value = match instance(exception, "exceptions must derive from BaseException") {
            Some(value) => value,
            None => return,
        };
        if !cause.is_null() {
            let cause = if cause == ffi::Py_None() {
                Some(ptr::null_mut())
            } else {
                instance(cause, "exception causes must derive from BaseException")
            };
            match cause {
                // The reference goes to the exception.
                Some(cause) => ffi::PyException_SetCause(value, cause),
                None => return ffi::Py_DECREF(value),
            }
        }
        ffi::PyErr_SetObject(ffi::Py_TYPE(value).cast(), value);
        ffi::Py_DECREF(value);
    }
}

/// An exception, made when a class is given; none when that raised.
unsafe fn instance(exception: *mut PyObject, wrong: &'static str) -> Option<*mut PyObject> {
    // SAFETY: as `raise`.
    unsafe {
        if ffi::PyExceptionInstance_Check(exception) != 0 {
            return Some(ffi::Py_NewRef(exception));
        }
        if ffi::PyExceptionClass_Check(exception) == 0 {
            raise_error(PyTypeError::new_err(wrong));
            return None;
        }
        let value = ffi::PyObject_CallNoArgs(exception);
        if value.is_null() {
            return None;
        }
        if ffi::PyExceptionInstance_Check(value) == 0 {
            let py = Python::assume_attached();
            let made = Bound::from_owned_ptr(py, value);
            let repr = |object: &Bound<'_, PyAny>| object.repr().map(|repr| repr.to_string());
            let class = Bound::from_borrowed_ptr(py, exception);
            raise_error(PyTypeError::new_err(format!(
                "calling {} should have returned an instance of BaseException, not {}",
                repr(&class).unwrap_or_default(),
                text(made.get_type().as_ptr())
            )));
            return None;
        }
        Some(value)
    }
}

/// Makes an exception the handled one; returns the one before, or None.
pub unsafe extern "C" fn push_exception(
    thread: *mut Thread,
    exception: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; the state owns its reference.
    unsafe {
        let state = &mut *(*thread).handled;
        let before = std::mem::replace(&mut state.value, ffi::Py_NewRef(exception));
        match before.is_null() {
            true => ffi::Py_NewRef(ffi::Py_None()),
            false => before,
        }
    }
}

/// Makes the exception before the handled one again; takes its reference over.
pub unsafe extern "C" fn pop_exception(thread: *mut Thread, before: *mut PyObject) {
    // SAFETY: as `push_exception`.
    unsafe {
        let old = std::mem::replace(&mut (*(*thread).handled).value, before);
        ffi::Py_XDECREF(old);
    }
}

/// Whether `except class` takes an exception.
pub unsafe extern "C" fn matches_exception(
    exception: *mut PyObject,
    class: *mut PyObject,
) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe {
        if !are_classes(class) {
            raise_error(PyTypeError::new_err(
                "catching classes that do not inherit from BaseException is not allowed",
            ));
            return -1;
        }
        ffi::PyErr_GivenExceptionMatches(exception, class)
    }
}

/// Whether an object is an exception class or a tuple of such.
///
/// # Safety
/// As the functions of this module.
pub unsafe fn are_classes(class: *mut PyObject) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        if ffi::PyTuple_Check(class) == 0 {
            return ffi::PyExceptionClass_Check(class) != 0;
        }
        (0..ffi::PyTuple_GET_SIZE(class))
            .all(|index| ffi::PyExceptionClass_Check(ffi::PyTuple_GET_ITEM(class, index)) != 0)
    }
}

/// Ends `async for`: nothing for StopAsyncIteration, anything else is raised again.
pub unsafe extern "C" fn end_async_for(exception: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe {
        if ffi::PyErr_GivenExceptionMatches(exception, ffi::PyExc_StopAsyncIteration) != 0 {
            return 0;
        }
        reraise(exception);
        -1
    }
}

/// Does what the interpreter is asked to do between instructions: signals, other threads,
/// exceptions from other threads.
pub unsafe extern "C" fn interrupt(_thread: *mut Thread) -> c_int {
    // SAFETY: the conventions of the module.
    let py = unsafe { Python::assume_attached() };
    // The interpreter does it at the start of any function it runs.
    let pause = || -> PyResult<()> {
        static PAUSE: pyo3::sync::PyOnceLock<Py<PyAny>> = pyo3::sync::PyOnceLock::new();
        let pause = PAUSE.get_or_try_init(py, || {
            py.eval(c"lambda: None", None, None).map(Bound::unbind)
        })?;
        pause.bind(py).call0().map(|_| ())
    };
    match pause() {
        Ok(()) => 0,
        Err(error) => {
            // Its frame isn't the user's.
            let below = error
                .traceback(py)
                .and_then(|trace| trace.getattr("tb_next").ok())
                .and_then(|next| next.cast_into().ok());
            error.set_traceback(py, below);
            raise_error(error);
            -1
        }
    }
}
