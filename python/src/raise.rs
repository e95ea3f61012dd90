//! Python exceptions from the status that compiled code returns.

use std::ffi::CString;
use std::ptr;

use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyopt_passes::compile::Site;
use pyopt_runtime::{
    error::{PyoptError, STATUS_HOST},
    memory::{HEADER, Owner, OwnerRef},
    symbols,
};

use crate::{boxing, types::TypeDesc, unbox::ArgBuffer};

/// Sets the exception of a raise site, with a traceback entry for it and for every call that led there.
/// Returns null, as a failed call does.
///
/// # Safety
/// The GIL is held; `error` was passed to the code that returned `status`.
#[cold]
pub unsafe fn raise(sites: &[Site], status: i32, error: *mut PyoptError) -> *mut PyObject {
    // SAFETY: the caller holds the GIL.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller's promise: the record was prepared.
    let payload = unsafe { PyoptError::take_payload(error) };
    let find = |id: i64| sites.iter().find(|site| site.id == id);
    if status == STATUS_HOST {
        let Some(owner) = payload else {
            PyMemoryError::new_err(()).restore(py);
            return ptr::null_mut();
        };
        // SAFETY: this status says that the owner is of an exception.
        unsafe {
            let exception = Bound::from_borrowed_ptr(py, owner.object().cast());
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
    exception(py, site, payload)
        .unwrap_or_else(|error| error)
        .restore(py);
    add_traceback(py, site);
    // SAFETY: the caller's promise.
    unsafe { add_calls(py, sites, error) };
    ptr::null_mut()
}

/// Leaves an exception to the compiled code that called: it is the object of the owner in the error
/// record, which is as new otherwise. Gives the status that says so.
///
/// # Safety
/// The error record is that of the code.
pub unsafe fn hand_over(failed: PyErr, py: Python<'_>, error: *mut PyoptError) -> i32 {
    let traceback = failed.traceback(py);
    let exception = failed.into_value(py);
    if let Some(traceback) = traceback {
        // Setting the traceback that an exception has can't fail.
        let _ = exception.bind(py).setattr("__traceback__", traceback);
    }
    let owner = Owner::of_object(exception.into_ptr().cast());
    // SAFETY: the caller's promise.
    unsafe {
        (*error).depth = 0;
        (*error).payload[0] = owner as i64;
    }
    STATUS_HOST
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
fn exception(py: Python<'_>, site: &Site, payload: Option<OwnerRef>) -> PyResult<PyErr> {
    let class = class(py, &site.exception)?;
    let value = match (&site.message, payload) {
        (_, Some(payload)) => class.call1(arguments(py, &site.arguments, &payload)?)?,
        (Some(message), None) => class.call1((message,))?,
        (None, None) => class.call0()?,
    };
    Ok(PyErr::from_value(value))
}

/// The class that a name stands for; without a module it is a builtin one.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let (module, name) = name.rsplit_once('.').unwrap_or(("builtins", name));
    py.import(module)?.getattr(name)
}

/// Makes known to compiled code how the host's exceptions are matched.
pub fn load() {
    symbols::register([(
        c"pyopt_exception_matches",
        pyopt_exception_matches as *const () as usize,
    )]);
}

/// Whether an exception of the host's is of one of the classes whose names the lines hold.
unsafe extern "C" fn pyopt_exception_matches(
    status: i32,
    owner: *const Owner,
    names: *const u8,
    length: i64,
) -> i32 {
    if status != STATUS_HOST || owner.is_null() {
        return 0;
    }
    // SAFETY: compiled code passes a text of its own, and an owner that it holds a reference on; the
    // status says that it is of an exception.
    let (names, object) = unsafe {
        let names = std::slice::from_raw_parts(names, length as usize);
        (names, (*owner).object().cast::<PyObject>())
    };
    let names = std::str::from_utf8(names).unwrap_or_default();
    let matches = Python::attach(|py| {
        // SAFETY: the GIL is held, and the owner keeps the object alive.
        let exception = unsafe { Bound::from_borrowed_ptr(py, object) };
        names.lines().any(|name| {
            let class = class(py, name);
            class.is_ok_and(|class| exception.is_instance(&class).unwrap_or(false))
        })
    });
    i32::from(matches)
}

/// The arguments of an exception, from the slots that its site wrote.
fn arguments<'py>(
    py: Python<'py>,
    types: &[String],
    payload: &OwnerRef,
) -> PyResult<Bound<'py, PyTuple>> {
    let types: Result<Vec<_>, _> = types.iter().map(|text| TypeDesc::parse(text)).collect();
    let tuple = TypeDesc::Tuple(types.map_err(PyRuntimeError::new_err)?);
    // SAFETY: the site wrote a slot for each that the types need; the slots hold no references; the
    // result is a new tuple.
    unsafe {
        let start = payload.as_ptr().cast::<u8>().add(HEADER).cast::<i64>();
        let slots = std::slice::from_raw_parts(start, tuple.slots());
        let made = boxing::to_object(&tuple, slots, &ArgBuffer::default());
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
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
