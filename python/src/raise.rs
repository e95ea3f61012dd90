//! Python exceptions from the status that compiled code returns.

use std::ffi::CString;
use std::ptr;

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyopt_passes::compile::Site;
use pyopt_runtime::error::{PyoptError, STATUS_HOST};

/// Sets the exception of a raise site, with a traceback entry for it and for every call that led there.
/// Returns null, as a failed call does.
///
/// # Safety
/// The GIL is held; `error` was passed to the code that returned `status`.
#[cold]
pub unsafe fn raise(sites: &[Site], status: i32, error: *const PyoptError) -> *mut PyObject {
    // SAFETY: the caller holds the GIL.
    let py = unsafe { Python::assume_attached() };
    let find = |id: i64| sites.iter().find(|site| site.id == id);
    if status == STATUS_HOST {
        // SAFETY: this status says that the payload holds a reference on an exception, for us.
        unsafe {
            let exception = (*error).payload[0] as *mut PyObject;
            let exception = Bound::from_owned_ptr(py, exception);
            PyErr::from_value(exception).restore(py);
            add_calls(py, sites, error);
        }
        return ptr::null_mut();
    }
    let Some(site) = find(i64::from(status)) else {
        // Negative statuses are the scheduler's, for what isn't the user's error.
        let message = pyopt_runtime::scheduler::take_failure()
            .unwrap_or_else(|| format!("compiled code returned unknown status {status}"));
        PyRuntimeError::new_err(message).restore(py);
        return ptr::null_mut();
    };
    exception(py, site)
        .unwrap_or_else(|error| error)
        .restore(py);
    add_traceback(py, site);
    // SAFETY: the caller's promise.
    unsafe { add_calls(py, sites, error) };
    ptr::null_mut()
}

/// Puts an entry for each call that led to an error before those that the exception has.
///
/// # Safety
/// As [`raise`].
unsafe fn add_calls(py: Python<'_>, sites: &[Site], error: *const PyoptError) {
    // SAFETY: `depth` was set to 0 before the call, and the sites it counts were written by compiled code.
    let calls = unsafe { (*error).call_sites() };
    calls
        .iter()
        .filter_map(|id| sites.iter().find(|site| site.id == *id))
        .for_each(|call| add_traceback(py, call));
}

/// The exception object of a site; `Err` if its class can't be found.
fn exception(py: Python<'_>, site: &Site) -> PyResult<PyErr> {
    let (module, name) = site
        .exception
        .rsplit_once('.')
        .unwrap_or(("builtins", &site.exception));
    let class = py.import(module)?.getattr(name)?;
    let value = match &site.message {
        Some(message) => class.call1((message,))?,
        None => class.call0()?,
    };
    Ok(PyErr::from_value(value))
}

/// Puts an entry for the place of a site before the ones that the exception in flight has.
fn add_traceback(py: Python<'_>, site: &Site) {
    let file = site.file.as_deref().unwrap_or_default();
    let [Ok(file), Ok(function)] = [file, &site.function].map(CString::new) else {
        return;
    };
    let globals = PyDict::new(py);
    // SAFETY: the GIL is held. The exception is put aside while Python objects are made, because they
    // may not be made while one is set; a failure to make them loses the entry, not the exception.
    unsafe {
        let pending = PyErr::take(py);
        let line = site.line.and_then(|line| i32::try_from(line).ok());
        let code = ffi::PyCode_NewEmpty(file.as_ptr(), function.as_ptr(), line.unwrap_or(0));
        let frame = match code.is_null() {
            true => ptr::null_mut(),
            false => ffi::PyFrame_New(
                ffi::PyThreadState_Get(),
                code,
                globals.as_ptr(),
                ptr::null_mut(),
            ),
        };
        ffi::PyErr_Clear();
        if let Some(pending) = pending {
            pending.restore(py);
        }
        if !frame.is_null() {
            ffi::PyTraceBack_Here(frame);
        }
        ffi::Py_XDECREF(frame.cast());
        ffi::Py_XDECREF(code.cast());
    }
}
