//! A step of a compiled generator: from where it is suspended to the next value, or its end.

use std::ffi::{c_char, c_int};
use std::ptr;

use pyo3::ffi::{self, PyObject};

use super::evaluate::run;
use super::frames::clear;
use super::function::{Function, is_compiled};
use super::layout_311::{CLEARED, EXECUTING, Frame, Generator, SUSPENDED, current_thread};

unsafe extern "C" {
    static mut PyCoro_Type: ffi::PyTypeObject;
    fn _PyErr_FormatFromCause(class: *mut PyObject, format: *const c_char, ...) -> *mut PyObject;
    fn _PyGen_SetStopIterationValue(value: *mut PyObject) -> c_int;
}

/// What a resumption came to.
pub enum Step {
    /// A value; the generator is suspended again.
    Yielded(*mut PyObject),
    /// The result; the generator is done.
    Returned(*mut PyObject),
    /// An exception; the generator is done.
    Raised,
}

/// Resumes a compiled generator or coroutine that is suspended, as CPython does. None for any
/// other, with which nothing has been done.
///
/// # Safety
/// The object is a live generator or coroutine, and the GIL is held.
#[inline]
pub unsafe fn step(object: *mut PyObject, value: *mut PyObject) -> Option<Step> {
    // SAFETY: the caller has a generator or coroutine. Its frame is complete while it is
    // suspended, with room for a value on the stack.
    unsafe {
        let generator = object.cast::<Generator>();
        let frame = (&raw mut (*generator).frame).cast::<Frame>();
        if (*generator).state != SUSPENDED || !is_compiled((*frame).function.cast()) {
            return None;
        }
        let compiled = (*(*frame).function.cast::<Function>()).compiled;
        let goes_on = (*frame).is_compiled && !compiled.is_null();
        let plain = ffi::Py_TYPE(object) != &raw mut ffi::PyAsyncGen_Type;
        if !goes_on || !plain || (*compiled).code != (*frame).code {
            return None;
        }
        let thread = current_thread();
        *Frame::slot(frame, (*frame).stack_top as usize) = ffi::Py_NewRef(value);
        (*frame).stack_top += 1;
        (*generator).exceptions.previous = (*thread).handled;
        (*thread).handled = &raw mut (*generator).exceptions;
        (*generator).state = EXECUTING;
        let result = run(thread, frame, &*compiled, 0);
        (*thread).handled = (*generator).exceptions.previous;
        (*generator).exceptions.previous = ptr::null_mut();
        (*frame).previous = ptr::null_mut();
        if (*generator).state == SUSPENDED && !result.is_null() {
            return Some(Step::Yielded(result));
        }
        Some(finish(generator, frame, result))
    }
}

/// Ends a generator that has returned or raised.
unsafe fn finish(generator: *mut Generator, frame: *mut Frame, result: *mut PyObject) -> Step {
    // SAFETY: as `step`; the frame is unlinked, and all that it holds is its own.
    unsafe {
        if result.is_null() && ffi::PyErr_ExceptionMatches(ffi::PyExc_StopIteration) != 0 {
            let kind = match ffi::Py_TYPE(generator.cast()) == &raw mut PyCoro_Type {
                true => c"coroutine",
                false => c"generator",
            };
            let text = c"%s raised StopIteration".as_ptr();
            _PyErr_FormatFromCause(ffi::PyExc_RuntimeError, text, kind.as_ptr());
        }
        let handled = &mut (*generator).exceptions.value;
        ffi::Py_XDECREF(std::mem::replace(handled, ptr::null_mut()));
        (*generator).state = CLEARED;
        clear(frame);
        match result.is_null() {
            true => Step::Raised,
            false => Step::Returned(result),
        }
    }
}

/// Raises StopIteration with a value, whose reference it takes over.
///
/// # Safety
/// The value is live and the GIL is held.
pub unsafe fn stop_iteration(value: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller has a live object.
    unsafe {
        _PyGen_SetStopIterationValue(value);
        ffi::Py_DECREF(value);
    }
    ptr::null_mut()
}
