//! What happens when a dispatcher is called.

use std::fmt;
use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::convert;
use super::{Body, Dispatcher};
use crate::errors;
use crate::fingerprint;
use crate::specialisation::Specialisation;
use crate::tracebacks;
use crate::types::{ArgumentTypes, TypeDesc, shown};
use crate::unbox::{ArgBuffer, Failure};

/// Up to so many arguments are sorted by parameter on the stack.
const NEAR_ARGUMENTS: usize = 16;

/// The vectorcall entry of every dispatcher.
///
/// # Safety
/// Called by Python: the thread is attached and the arguments follow the vectorcall protocol.
pub unsafe extern "C" fn vectorcall(
    callable: *mut PyObject,
    args: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: only complete dispatchers have this entry; Python keeps it and the arguments alive. What may be
    // replaced is borrowed again after anything that can run Python code.
    unsafe {
        let count = ffi::PyVectorcall_NARGS(count) as usize;
        let body = &*(*callable.cast::<Dispatcher>()).body;
        let is_complete = || body.parameters.get().is_complete(count);
        if names.is_null() && (count == body.plain_count || is_complete()) {
            return call(callable, body, args, count);
        }
        let mut near = [ptr::null_mut(); NEAR_ARGUMENTS];
        let mut far = Vec::new();
        let parameters = body.parameters.get();
        let needed = parameters.bound_count(count);
        let bound = match near.get_mut(..needed) {
            Some(near) => near,
            None => {
                far.resize(needed, ptr::null_mut());
                &mut far[..]
            }
        };
        if parameters.bind(args, count, names, bound) {
            return call(callable, body, bound.as_ptr(), bound.len());
        }
        let py = Python::assume_attached();
        guard(py, || match call_otherwise(callable, args, count, names) {
            Ok(result) => result,
            Err(error) => {
                tracebacks::hide_own_frames(py, &error);
                error.restore(py);
                ptr::null_mut()
            }
        })
    }
}

/// Calls with one argument per parameter.
///
/// # Safety
/// As [`vectorcall`]; `args` holds `count` arguments.
#[inline]
unsafe fn call(
    callable: *mut PyObject,
    body: &Body,
    args: *const *mut PyObject,
    count: usize,
) -> *mut PyObject {
    // SAFETY: forwarded.
    ArgBuffer::with(|buffer| unsafe { fill_and_call(callable, body, args, count, buffer) })
}

/// # Safety
/// As [`call`].
#[inline]
unsafe fn fill_and_call(
    callable: *mut PyObject,
    body: &Body,
    args: *const *mut PyObject,
    count: usize,
    buffer: &mut ArgBuffer,
) -> *mut PyObject {
    // SAFETY: forwarded. Without the GIL code that is cleared stays as long as the dispatcher does; with it the
    // specialisation is held during the call. `Bound` gives it up at once, where `Py` would look up whether
    // the GIL is held.
    unsafe {
        let has_literals = body.has_literals.load(Ordering::Relaxed);
        for index in 0..count {
            let place = buffer.words.len();
            if let Err(failure) = buffer.push(*args.add(index)) {
                return reject_argument(body, index, failure);
            }
            if has_literals && body.is_literal(index) {
                buffer.make_literal(place);
            }
        }
        let py = Python::assume_attached();
        match body.code.get().find(py, &buffer.words, body.device()) {
            // Threads would contend for a count of references.
            Some(found) if cfg!(Py_GIL_DISABLED) => found.get().call(buffer),
            Some(found) => found.to_owned().get().call(buffer),
            None => guard(py, || match call_new(py, callable, body, buffer) {
                Some(result) => result,
                // Values of arguments are part of the types from now on.
                None => call(callable, body, args, count),
            }),
        }
    }
}

/// Runs what is off the path of usual calls: a panic that reached Python's C code would end the process, so
/// it is raised instead.
#[cold]
pub fn guard(py: Python<'_>, work: impl FnOnce() -> *mut PyObject) -> *mut PyObject {
    errors::guarded(work).unwrap_or_else(|error| {
        error.restore(py);
        ptr::null_mut()
    })
}

/// Calls with types that no specialisation has: compiles one, or converts the arguments to one. Nothing
/// is called where the arguments are to be looked at again, as some must be known by their values.
///
/// # Safety
/// As [`vectorcall`].
#[cold]
unsafe fn call_new(
    py: Python<'_>,
    callable: *mut PyObject,
    body: &Body,
    buffer: &mut ArgBuffer,
) -> Option<*mut PyObject> {
    let types = fingerprint::decode(&buffer.words);
    // SAFETY: forwarded.
    unsafe {
        if !body.compiles.load(Ordering::Acquire)
            && let Some(found) = convertible(py, body, &types)
        {
            return Some(call_converted(found.get(), buffer, &types));
        }
        let asked = ArgumentTypes::from(types.clone());
        let made = Bound::from_borrowed_ptr(py, callable).call_method1("_specialise", (asked,));
        if made.as_ref().is_ok_and(|made| made.is_none()) {
            return None;
        }
        let made = made.and_then(|made| Ok(made.cast_into::<Specialisation>()?));
        Some(match made {
            Ok(made) => call_converted(made.get(), buffer, &types),
            Err(error) => {
                tracebacks::hide_own_frames(py, &error);
                error.restore(py);
                ptr::null_mut()
            }
        })
    }
}

/// Calls a specialisation with arguments of these types, converted to its own.
///
/// # Safety
/// As [`vectorcall`].
unsafe fn call_converted(
    found: &Specialisation,
    buffer: &mut ArgBuffer,
    types: &[TypeDesc],
) -> *mut PyObject {
    if *found.words == *buffer.words {
        // SAFETY: the slots are of the specialisation's types; the GIL is held.
        return unsafe { found.call(buffer) };
    }
    if convert::is_filled(types, found.arguments()) {
        // SAFETY: the slots are of `types` before this and of the specialisation's types after; the GIL is held.
        return unsafe {
            match buffer.fill(types, found.arguments()) {
                Ok(()) => found.call(buffer),
                Err(failure) => {
                    let py = Python::assume_attached();
                    refused(py, failure, |reason| reason.to_owned()).restore(py);
                    ptr::null_mut()
                }
            }
        };
    }
    if !convert::is_possible(types, found.arguments()) {
        // The dispatcher's methods give only what fits.
        // SAFETY: the GIL is held.
        unsafe { ffi::PyErr_BadInternalCall() };
        return ptr::null_mut();
    }
    // SAFETY: the GIL is held.
    let py = unsafe { Python::assume_attached() };
    let converted = match convert::convert(py, buffer, types, found.arguments()) {
        Ok(converted) => converted,
        Err(error) => {
            tracebacks::hide_own_frames(py, &error);
            error.restore(py);
            return ptr::null_mut();
        }
    };
    // SAFETY: the converted slots are of the specialisation's types; the GIL is held.
    unsafe {
        let result = found.call(&converted);
        if result.is_null() || buffer.write_back() {
            return result;
        }
        ffi::Py_DECREF(result);
    }
    ptr::null_mut()
}

/// Calls a specialisation as a function of its own: with an argument for each of its parameters.
pub fn call_entry(
    found: &Bound<'_, Specialisation>,
    args: &Bound<'_, PyTuple>,
) -> PyResult<Py<PyAny>> {
    let py = found.py();
    let mut buffer = ArgBuffer::default();
    for (index, argument) in args.iter().enumerate() {
        // SAFETY: the GIL is held, and the tuple keeps its items alive.
        if let Err(failure) = unsafe { buffer.push(argument.as_ptr()) } {
            return Err(argument_error(py, format_args!("{}", index + 1), failure));
        }
    }
    let types = fingerprint::decode(&buffer.words);
    let found = found.get();
    if !convert::is_filled(&types, found.arguments())
        && !convert::is_possible(&types, found.arguments())
    {
        return Err(PyTypeError::new_err(format!(
            "this code is for arguments of types ({}), not ({})",
            shown(py, found.arguments()),
            shown(py, &types)
        )));
    }
    // SAFETY: the GIL is held; the types fit.
    let result =
        unsafe { Bound::from_owned_ptr_or_err(py, call_converted(found, &mut buffer, &types)) };
    result.map(Bound::unbind)
}

/// The one specialisation that arguments of these types are best converted to.
fn convertible<'py>(
    py: Python<'py>,
    body: &Body,
    types: &[TypeDesc],
) -> Option<Bound<'py, Specialisation>> {
    let device = body.device();
    // SAFETY: choosing runs no Python code.
    let code = unsafe { body.code.get() };
    let candidates: Vec<_> = code
        .all()
        .filter(|candidate| candidate.get().device_number() == device)
        .collect();
    let arguments = candidates
        .iter()
        .map(|candidate| candidate.get().arguments());
    match convert::best(arguments, types)[..] {
        [only] => Some(candidates[only].bind(py).clone()),
        _ => None,
    }
}

/// Calls with arguments that don't fill the parameters: those behind `**` are collected, others are
/// the `TypeError` that Python raises of them. The result is a new reference.
///
/// # Safety
/// As [`vectorcall`].
#[cold]
unsafe fn call_otherwise(
    callable: *mut PyObject,
    args: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> PyResult<*mut PyObject> {
    // SAFETY: forwarded.
    unsafe {
        let py = Python::assume_attached();
        let given = |index: usize| Bound::from_borrowed_ptr(py, *args.add(index));
        let positional = PyTuple::new(py, (0..count).map(given))?;
        let keywords = PyDict::new(py);
        if !names.is_null() {
            let names = Bound::from_borrowed_ptr(py, names).cast_into::<PyTuple>()?;
            for (index, name) in names.iter().enumerate() {
                keywords.set_item(name, given(count + index))?;
            }
        }
        let callable = Bound::from_borrowed_ptr(py, callable);
        let otherwise = callable.getattr("_call_otherwise")?;
        Ok(otherwise.call(positional, Some(&keywords))?.into_ptr())
    }
}

/// # Safety
/// As [`vectorcall`]; `index` is the place of a parameter.
#[cold]
unsafe fn reject_argument(body: &Body, index: usize, failure: Failure) -> *mut PyObject {
    // SAFETY: forwarded.
    let (py, parameters) = unsafe { (Python::assume_attached(), body.parameters.get()) };
    let name: Bound<'_, PyString> = parameters.name(index).bind(py).clone();
    argument_error(py, format_args!("'{name}'"), failure).restore(py);
    ptr::null_mut()
}

/// The exception of an argument that compiled code can't take. The name is written for those alone that have
/// no exception yet: a text of an object lets garbage be collected, from CPython 3.12 on, and that would drop
/// one that is set.
fn argument_error(py: Python<'_>, name: fmt::Arguments<'_>, failure: Failure) -> PyErr {
    refused(py, failure, |reason| format!("argument {name}: {reason}"))
}

/// The exception of arguments that compiled code can't take, with a message about the reason.
fn refused(py: Python<'_>, failure: Failure, message: impl FnOnce(&str) -> String) -> PyErr {
    match failure {
        Failure::Raised => PyErr::fetch(py),
        Failure::TooLarge => PyOverflowError::new_err(message("the int does not fit into 64 bits")),
        Failure::Unsupported(reason) => errors::refused_argument(py, &message(&reason)),
    }
}
