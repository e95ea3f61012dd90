//! Calls of compiled methods without a dispatcher.

use std::ptr;
use std::sync::OnceLock;

use pyo3::exceptions::PyAttributeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyopt_runtime::sharing;

use super::description::Method;
use crate::errors;
use crate::structures::Structure;
use crate::tracebacks;
use crate::unbox::{ArgBuffer, Failure};

/// The descriptor of the attribute that has the memory of a container.
static MEMORY: OnceLock<Py<PyAny>> = OnceLock::new();

/// Says by which descriptor the memory of a container is found.
pub fn set_memory(descriptor: Py<PyAny>) {
    // One that is there already is the same: the module that has it is imported once.
    let _ = MEMORY.set(descriptor);
}

/// The memory of a container; `None` of one that has no type yet.
#[inline]
pub fn structure<'py>(container: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Structure>>> {
    let py = container.py();
    let Some(descriptor) = MEMORY.get() else {
        return Ok(None);
    };
    // SAFETY: the type of a live object is readable, and what it has for descriptors may be called with any
    // object: it looks at the class itself.
    let found = unsafe {
        let descriptor = descriptor.as_ptr();
        match (*ffi::Py_TYPE(descriptor)).tp_descr_get {
            Some(get) => {
                let found = get(
                    descriptor,
                    container.as_ptr(),
                    ffi::Py_TYPE(container.as_ptr()).cast(),
                );
                Bound::from_owned_ptr_or_opt(py, found)
            }
            None => return Ok(None),
        }
    };
    let Some(found) = found else {
        let error = PyErr::fetch(py);
        if !error.is_instance_of::<PyAttributeError>(py) {
            return Err(error);
        }
        errors::forget(py, error);
        return Ok(None);
    };
    Ok(found.cast_into::<Structure>().ok())
}

/// Calls a compiled method of a container, which has this memory. `None` where nothing is called: no code is
/// there yet for the types of the arguments, or they are of kinds that Python's own method looks at.
#[inline]
pub fn call<'py>(
    container: &Bound<'py, PyAny>,
    structure: &Bound<'py, Structure>,
    method: Method,
    arguments: &[&Bound<'py, PyAny>],
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let py = container.py();
    if arguments.iter().any(|argument| !is_passed(argument)) {
        return None;
    }
    let description = structure.get().description();
    ArgBuffer::with(|buffer| {
        buffer.words.extend_from_slice(&description.words);
        let root = structure.get().root();
        buffer.slots.push(root.owner as i64);
        // As in any call, others may use the structure at the same time; otherwise nobody looks.
        if cfg!(Py_GIL_DISABLED) || sharing::is_any_in_use() {
            buffer.structures.push(root);
        }
        for argument in arguments {
            // SAFETY: the thread is attached, and the caller has the arguments.
            match unsafe { buffer.push(argument.as_ptr()) } {
                Ok(()) => {}
                Err(failure) => {
                    if let Failure::Raised = failure {
                        errors::forget(py, PyErr::fetch(py));
                    }
                    return None;
                }
            }
        }
        let found = description.find(container, method, &buffer.words)?;
        // SAFETY: the thread is attached. The words are those of the code, and so are the slots; the structure
        // is alive, as the caller has it.
        let result = unsafe { Bound::from_owned_ptr_or_err(py, found.get().call(buffer)) };
        Some(result.inspect_err(|error| tracebacks::hide_own_frames(py, error)))
    })
}

/// Whether compiled methods get an argument as it is. Functions are converted to the type of the items before,
/// and slices make a container of the same class.
#[inline]
fn is_passed(argument: &Bound<'_, PyAny>) -> bool {
    let object = argument.as_ptr();
    // SAFETY: the type of a live object is readable.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        ptr::eq(ty, &raw const ffi::PyLong_Type)
            || ptr::eq(ty, &raw const ffi::PyUnicode_Type)
            || ptr::eq(ty, &raw const ffi::PyFloat_Type)
            || (ffi::PyCallable_Check(object) == 0 && !ptr::eq(ty, &raw const ffi::PySlice_Type))
    }
}
