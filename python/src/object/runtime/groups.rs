//! `except*`.

use std::ffi::c_int;

use pyo3::exceptions::{PyBaseExceptionGroup, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::errors::raise;
use super::exceptions::are_classes;

/// Splits an exception by `except* class`: `parts` become the rest and the match.
pub unsafe extern "C" fn match_group(
    exception: *mut PyObject,
    class: *mut PyObject,
    parts: *mut *mut PyObject,
) -> c_int {
    // SAFETY: the conventions of the module; `parts` has room for two.
    unsafe {
        let py = Python::assume_attached();
        let exception = Bound::from_borrowed_ptr(py, exception);
        match split(&exception, &Bound::from_borrowed_ptr(py, class)) {
            Ok((rest, matched)) => {
                if !matched.is_none() {
                    ffi::PyErr_SetHandledException(matched.as_ptr());
                }
                *parts = rest.into_ptr();
                *parts.add(1) = matched.into_ptr();
                0
            }
            Err(error) => {
                raise(error);
                -1
            }
        }
    }
}

/// The rest and what is taken.
fn split<'py>(
    exception: &Bound<'py, PyAny>,
    class: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let py = exception.py();
    check(class)?;
    let none = || py.None().into_bound(py);
    if exception.is_none() {
        return Ok((none(), none()));
    }
    let is_group = exception.is_instance_of::<PyBaseExceptionGroup>();
    // SAFETY: both are live objects.
    let matches =
        unsafe { ffi::PyErr_GivenExceptionMatches(exception.as_ptr(), class.as_ptr()) != 0 };
    if matches && is_group {
        return Ok((none(), exception.clone()));
    }
    if matches {
        let group = py.get_type::<pyo3::exceptions::PyBaseExceptionGroup>();
        return Ok((none(), group.call1(("", (exception,)))?));
    }
    if !is_group {
        return Ok((exception.clone(), none()));
    }
    let pair = exception.call_method1("split", (class,))?;
    let pair = pair.cast::<PyTuple>()?;
    Ok((pair.get_item(1)?, pair.get_item(0)?))
}

fn check(class: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: the object is live.
    if unsafe { !are_classes(class.as_ptr()) } {
        return Err(PyTypeError::new_err(
            "catching classes that do not inherit from BaseException is not allowed",
        ));
    }
    let group = class.py().get_type::<PyBaseExceptionGroup>();
    let is_group = |class: &Bound<'_, PyAny>| {
        class
            .cast::<pyo3::types::PyType>()
            .is_ok_and(|class| class.is_subclass(&group).unwrap_or(false))
    };
    let any = match class.cast::<PyTuple>() {
        Ok(classes) => classes.iter().any(|class| is_group(&class)),
        Err(_) => is_group(class),
    };
    match any {
        true => Err(PyTypeError::new_err(
            "catching ExceptionGroup with except* is not allowed. Use except instead.",
        )),
        false => Ok(()),
    }
}

/// What is to be raised after `except*` clauses, or None.
pub unsafe extern "C" fn prepare_reraise(
    original: *mut PyObject,
    raised: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let py = Python::assume_attached();
        let arguments = (
            Bound::from_borrowed_ptr(py, original),
            Bound::from_borrowed_ptr(py, raised),
        );
        let made = py
            .import("pyopt.object_mode")
            .and_then(|module| module.getattr("prepare_reraise"))
            .and_then(|function| function.call1(arguments));
        match made {
            Ok(made) => made.into_ptr(),
            Err(error) => {
                raise(error);
                std::ptr::null_mut()
            }
        }
    }
}
