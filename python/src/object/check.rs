//! Makes sure that the interpreter is laid out as compiled code expects.

use std::ffi::c_int;
use std::sync::OnceLock;

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::layout_311::{Evaluate, Frame, Thread, current_thread, evaluation_function};

/// Raises when this isn't CPython 3.11, or one with other structures.
pub fn check_layout(py: Python<'_>) -> PyResult<()> {
    static FITS: OnceLock<bool> = OnceLock::new();
    let version = py.version_info();
    let is_311 = (version.major, version.minor) == (3, 11);
    match *FITS.get_or_init(|| is_311 && frame_fits(py) && interpreter_fits()) {
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
        if current_thread() != thread.cast() {
            return false;
        }
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

/// Lets CPython write the function that it asks about frames, and looks whether that is where it is
/// expected.
fn interpreter_fits() -> bool {
    unsafe extern "C" {
        fn _PyInterpreterState_GetEvalFrameFunc(
            interpreter: *mut ffi::PyInterpreterState,
        ) -> Evaluate;
        fn _PyInterpreterState_SetEvalFrameFunc(
            interpreter: *mut ffi::PyInterpreterState,
            evaluate: Evaluate,
        );
    }
    /// Never called: no frame is evaluated meanwhile.
    unsafe extern "C" fn probe(_: *mut Thread, _: *mut Frame, _: c_int) -> *mut PyObject {
        std::ptr::null_mut()
    }
    // SAFETY: the GIL is held; the place is read as a number, within a structure that is larger in
    // all of 3.11.
    unsafe {
        let interpreter = (*ffi::PyThreadState_Get().cast::<Thread>()).interpreter;
        let place = evaluation_function(interpreter).cast::<usize>();
        let before = _PyInterpreterState_GetEvalFrameFunc(interpreter);
        _PyInterpreterState_SetEvalFrameFunc(interpreter, probe);
        let found = *place;
        _PyInterpreterState_SetEvalFrameFunc(interpreter, before);
        found == probe as *const () as usize
    }
}
