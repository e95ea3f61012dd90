//! Makes sure that the interpreter is laid out as compiled code expects.

use std::sync::OnceLock;

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::layout_311::{Frame, Thread};

/// Raises when this isn't CPython 3.11, or one with other structures.
pub fn check_layout(py: Python<'_>) -> PyResult<()> {
    static FITS: OnceLock<bool> = OnceLock::new();
    let version = py.version_info();
    let is_311 = (version.major, version.minor) == (3, 11);
    match *FITS.get_or_init(|| is_311 && frame_fits(py)) {
        true => Ok(()),
        false => Err(PyRuntimeError::new_err(format!(
            "object mode needs CPython 3.11, this is {}.{}",
            version.major, version.minor
        ))),
    }
}

/// Compares the frame that runs with what Python says of it.
fn frame_fits(py: Python<'_>) -> bool {
    // SAFETY: the GIL is held. The first fields of a thread state come from its public header; a
    // frame that were laid out otherwise would be found by pointers that differ, before anything
    // behind them is read.
    unsafe {
        let thread = ffi::PyThreadState_Get();
        let frame: *mut PyObject = ffi::PyThreadState_GetFrame(thread).cast();
        if frame.is_null() {
            return false;
        }
        let object = Bound::from_owned_ptr(py, frame);
        let inner: *mut Frame = (*(*thread.cast::<Thread>()).cframe).current_frame;
        let same = |name: &str, pointer: *mut PyObject| {
            object
                .getattr(name)
                .is_ok_and(|value| value.as_ptr() == pointer)
        };
        (*inner).object.cast() == frame
            && same("f_code", (*inner).code.cast())
            && same("f_globals", (*inner).globals)
            && same("f_builtins", (*inner).builtins)
            && object
                .getattr("f_lasti")
                .and_then(|last| last.extract::<isize>())
                .is_ok_and(|last| {
                    let start = super::layout_311::Code::instructions((*inner).code);
                    (*inner).instruction.byte_offset_from(start) == last
                })
    }
}
