//! Python exceptions from the status that compiled code returns.

use std::ffi::CString;
use std::ptr;

use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyopt_passes::compile::{HANDLED_BY_HOST, Site};
use pyopt_runtime::{
    error::{PyoptError, STATUS_HOST},
    exception,
    memory::{Owner, pyopt_acquire},
};

use crate::{boxing, exception_classes, tracebacks, types::TypeDesc, unbox::ArgBuffer};

/// How a cause is written among the types of an exception's arguments.
const CAUSE: &str = "!typed.exception";

/// Sets the exception that compiled code left with, with a traceback entry for the place of the raise and
/// for every call that led there. Returns null, as a failed call does.
///
/// # Safety
/// The GIL is held; `error` was passed to the code that returned `status`, and `args` are its arguments.
#[cold]
pub unsafe fn raise(
    sites: &[Site],
    status: i32,
    error: *mut PyoptError,
    args: &ArgBuffer,
) -> *mut PyObject {
    // SAFETY: the caller's promise: the record was prepared.
    let payload = unsafe { PyoptError::take_payload(error) };
    let owner = payload.as_ref().map_or(ptr::null_mut(), |one| one.as_ptr());
    // PyO3 drops its objects at once where it knows that it is attached.
    Python::attach(|py| {
        let left = Left { py, sites, args };
        // SAFETY: the payload keeps the owner alive; `depth` was set to 0 before the call, and the sites it
        // counts were written by compiled code.
        unsafe {
            left.exception_with_causes(status, owner).restore(py);
            left.add_calls((*error).call_sites());
        }
    });
    ptr::null_mut()
}

/// Leaves an exception to the compiled code that called: it is the object of the owner in the error
/// record, which is as new otherwise. Gives the status that says so.
///
/// # Safety
/// The error record is that of the code.
pub unsafe fn hand_over(failed: PyErr, py: Python<'_>, error: *mut PyoptError) -> i32 {
    tracebacks::hide_own_frames(py, &failed);
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

/// The object for an exception that compiled code holds, from its slots: the owner and the status. It has no
/// traceback and no cause: those it gets when it leaves.
///
/// # Safety
/// The exception is alive, and code with these sites made it.
pub unsafe fn object<'py>(
    py: Python<'py>,
    sites: &[Site],
    slots: &[i64],
) -> PyResult<Bound<'py, PyAny>> {
    let args = &ArgBuffer::default();
    let left = Left { py, sites, args };
    // SAFETY: the caller's promise.
    let made = unsafe { left.exception(slots[1] as i32, slots[0] as *mut Owner)? };
    Ok(made.into_value(py).into_bound(py).into_any())
}

/// What it takes to make Python exceptions of those of compiled code.
struct Left<'py, 'a> {
    py: Python<'py>,
    sites: &'a [Site],
    args: &'a ArgBuffer,
}

impl<'py> Left<'py, '_> {
    fn site(&self, id: i64) -> Option<&Site> {
        self.sites.iter().find(|site| site.id == id)
    }

    /// The exception of a status and an owner, with what caused it.
    ///
    /// # Safety
    /// The owner is of the exception, and alive.
    unsafe fn exception_with_causes(&self, status: i32, owner: *mut Owner) -> PyErr {
        let mut chain = vec![(status, owner)];
        // SAFETY: the caller's promise; an exception keeps the owner of its cause alive.
        unsafe {
            while let Some(cause) = chain.last().and_then(|last| self.cause(last.0, last.1)) {
                chain.push(cause);
            }
            let mut last: Option<PyErr> = None;
            while let Some((status, owner)) = chain.pop() {
                let made = match self.exception(status, owner) {
                    Ok(made) => {
                        if last.is_some() {
                            made.set_cause(self.py, last);
                        }
                        made
                    }
                    Err(failure) => failure,
                };
                made.restore(self.py);
                if let Some(site) = self.site(i64::from(status)) {
                    add_traceback(self.py, site);
                }
                self.add_calls(&exception::calls(owner));
                last = Some(PyErr::fetch(self.py));
            }
            last.expect("the chain has the exception itself")
        }
    }

    /// The status and the owner of what caused an exception.
    ///
    /// # Safety
    /// As [`Self::exception_with_causes`].
    unsafe fn cause(&self, status: i32, owner: *mut Owner) -> Option<(i32, *mut Owner)> {
        let site = self.site(i64::from(status))?;
        if !has_cause(site) {
            return None;
        }
        // SAFETY: the caller's promise; the cause's owner is the last one, and its status the last slot.
        unsafe {
            let arguments = exception::arguments(owner).as_ref()?;
            let cause = *arguments.held().last()?;
            let status = *slots(arguments, types(site).ok()?.slots() + 1).last()?;
            Some((status as i32, cause))
        }
    }

    /// The exception of a status and an owner alone; `Err` is what making it raised.
    ///
    /// # Safety
    /// As [`Self::exception_with_causes`].
    unsafe fn exception(&self, status: i32, owner: *mut Owner) -> PyResult<PyErr> {
        let py = self.py;
        // SAFETY: the caller's promise.
        let owner = unsafe { exception::arguments(owner).as_ref() };
        if status == STATUS_HOST {
            let object = owner.ok_or_else(|| PyMemoryError::new_err(()))?.object();
            // SAFETY: this status says that the owner is of an exception.
            let exception = unsafe { Bound::from_borrowed_ptr(py, object.cast()) };
            return Ok(PyErr::from_value(exception));
        }
        let Some(site) = self.site(i64::from(status)) else {
            // Negative statuses are the scheduler's, for what isn't the user's error.
            let message = pyopt_runtime::scheduler::take_failure()
                .unwrap_or_else(|| format!("compiled code returned unknown status {status}"));
            return Err(PyRuntimeError::new_err(message));
        };
        if site.exception == HANDLED_BY_HOST {
            return handled(py);
        }
        let class = exception_classes::find(py, &site.exception)?;
        // SAFETY: the site wrote the arguments there.
        let arguments = owner.map(|owner| unsafe { self.arguments(site, owner) });
        let value = match (&site.message, arguments.transpose()?) {
            (Some(template), Some(values)) => class.call1((fill(template, &values)?,))?,
            (None, Some(arguments)) => class.call1(arguments)?,
            (Some(message), None) => class.call1((message,))?,
            (None, None) => class.call0()?,
        };
        Ok(PyErr::from_value(value))
    }

    /// The arguments of an exception, from the slots that its site wrote.
    ///
    /// # Safety
    /// The site made the owner.
    unsafe fn arguments(&self, site: &Site, owner: &Owner) -> PyResult<Bound<'py, PyTuple>> {
        let tuple = types(site)?;
        // SAFETY: the site wrote a slot for each that the types need; making objects uses up the
        // references of arrays, of which it gets its own; the result is a new tuple.
        unsafe {
            let arrays = owner.held().len() - usize::from(has_cause(site));
            for held in &owner.held()[..arrays] {
                pyopt_acquire(*held);
            }
            let made = boxing::to_object(&tuple, slots(owner, tuple.slots()), self.args);
            Ok(Bound::from_owned_ptr_or_err(self.py, made)?.cast_into_unchecked())
        }
    }

    /// Puts an entry for each call that led to the exception in flight before those that it has.
    fn add_calls(&self, calls: &[i64]) {
        calls
            .iter()
            .filter_map(|id| self.site(*id))
            .for_each(|call| add_traceback(self.py, call));
    }
}

/// The exception that Python code is handling, for a `raise` without one.
fn handled(py: Python<'_>) -> PyResult<PyErr> {
    let handled = py.import("sys")?.call_method0("exc_info")?.get_item(1)?;
    match handled.is_none() {
        false => Ok(PyErr::from_value(handled)),
        // It is what was raised, not a failure to make that: a handler may ask for its text.
        true => Ok(PyRuntimeError::new_err("No active exception to reraise")),
    }
}

fn has_cause(site: &Site) -> bool {
    site.arguments.last().is_some_and(|last| last == CAUSE)
}

/// Puts values into the places of a template.
fn fill(template: &str, values: &Bound<PyTuple>) -> PyResult<String> {
    let mut parts = template.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (value, part) in values.iter().zip(parts) {
        text.push_str(value.str()?.to_str()?);
        text.push_str(part);
    }
    Ok(text)
}

/// The types of a site's arguments, its cause excepted.
fn types(site: &Site) -> PyResult<TypeDesc> {
    let arguments = &site.arguments[..site.arguments.len() - usize::from(has_cause(site))];
    let types: Result<Vec<_>, _> = arguments.iter().map(|text| TypeDesc::parse(text)).collect();
    Ok(TypeDesc::Tuple(types.map_err(PyRuntimeError::new_err)?))
}

/// The first slots of an exception's arguments, behind the owners that they refer to.
///
/// # Safety
/// A site wrote so many.
unsafe fn slots(owner: &Owner, count: usize) -> &[i64] {
    // SAFETY: the caller's promise; owners are as large as slots, and follow the header.
    unsafe {
        let start = ptr::from_ref(owner).add(1).cast::<i64>();
        std::slice::from_raw_parts(start.add(owner.held().len()), count)
    }
}

/// Puts an entry for the place of a site before the ones that the exception in flight has; code that is in
/// no file, as that of intrinsics, and that of the package have none.
fn add_traceback(py: Python<'_>, site: &Site) {
    let Some(file) = site.file.as_deref() else {
        return;
    };
    // Python objects may not be made while an exception is set. A failure to make them loses the entry, not
    // the exception.
    let pending = PyErr::take(py);
    let frame = match tracebacks::is_hidden(py, file) {
        true => None,
        false => frame(py, site, &tracebacks::installed(py, file)).ok(),
    };
    if let Some(pending) = pending {
        pending.restore(py);
    }
    if let Some(frame) = frame {
        // SAFETY: the object is a frame, and the GIL is held.
        unsafe { ffi::PyTraceBack_Here(frame.as_ptr().cast()) };
    }
}

/// Makes a frame that stands at a site, in a file.
fn frame<'py>(py: Python<'py>, site: &Site, file: &str) -> PyResult<Bound<'py, PyAny>> {
    let file = CString::new(file)?;
    let function = CString::new(site.function.as_str())?;
    let line = site.line.and_then(|line| i32::try_from(line).ok());
    let globals = PyDict::new(py);
    // SAFETY: the GIL is held; the names end with a zero, and frames keep what they are made of.
    unsafe {
        let code = ffi::PyCode_NewEmpty(file.as_ptr(), function.as_ptr(), line.unwrap_or(0));
        let code = Bound::from_owned_ptr_or_err(py, code.cast())?;
        let frame = ffi::PyFrame_New(
            ffi::PyThreadState_Get(),
            code.as_ptr().cast(),
            globals.as_ptr(),
            ptr::null_mut(),
        );
        Bound::from_owned_ptr_or_err(py, frame.cast())
    }
}
