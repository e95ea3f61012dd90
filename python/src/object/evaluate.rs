//! Running a compiled function on the interpreter's frame, as the evaluation loop would.

use std::ffi::c_int;
use std::ptr;

use pyo3::ffi::{self, PyObject};

use super::call::unhook_unless_needed;
use super::code::{Compiled, find};
use super::function::is_compiled;
use super::layout_311::{Code, Frame, KIND_CELL, OWNED_BY_GENERATOR, Thread};

/// CPython's type of evaluation loops.
type Evaluate = unsafe extern "C" fn(*mut Thread, *mut Frame, c_int) -> *mut PyObject;

unsafe extern "C" {
    fn _PyEval_EvalFrameDefault(
        thread: *mut Thread,
        frame: *mut Frame,
        throws: c_int,
    ) -> *mut PyObject;
    fn _PyInterpreterState_SetEvalFrameFunc(
        interpreter: *mut ffi::PyInterpreterState,
        evaluate: Evaluate,
    );
    fn _PyInterpreterState_GetEvalFrameFunc(interpreter: *mut ffi::PyInterpreterState) -> Evaluate;
    fn PyCell_New(value: *mut PyObject) -> *mut PyObject;
}

/// Makes the interpreter ask [`evaluate`] about every frame.
///
/// # Safety
/// The GIL is held by this thread.
pub unsafe fn hook(thread: *mut Thread) {
    // SAFETY: the caller's promise.
    unsafe { _PyInterpreterState_SetEvalFrameFunc((*thread).interpreter, evaluate) }
}

/// Makes the interpreter evaluate frames itself again.
///
/// # Safety
/// The GIL is held by this thread.
pub unsafe fn unhook(thread: *mut Thread) {
    // SAFETY: the caller's promise.
    unsafe { _PyInterpreterState_SetEvalFrameFunc((*thread).interpreter, _PyEval_EvalFrameDefault) }
}

/// Whether the interpreter asks anybody about frames.
///
/// # Safety
/// The GIL is held by this thread.
pub unsafe fn is_hooked(thread: *mut Thread) -> bool {
    // SAFETY: the caller's promise.
    let evaluate = unsafe { _PyInterpreterState_GetEvalFrameFunc((*thread).interpreter) };
    evaluate as usize != _PyEval_EvalFrameDefault as *const () as usize
}

/// Lets the interpreter run a frame that was just made. The caller clears the frame.
///
/// # Safety
/// The frame is complete but for its cells, and the GIL is held by this thread.
pub unsafe fn interpret(thread: *mut Thread, frame: *mut Frame) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe { _PyEval_EvalFrameDefault(thread, frame, 0) }
}

/// Evaluates a frame: a compiled function's runs compiled, unless somebody traces.
unsafe extern "C" fn evaluate(
    thread: *mut Thread,
    frame: *mut Frame,
    throws: c_int,
) -> *mut PyObject {
    // SAFETY: CPython calls this with its thread state and a frame that was just made or resumed.
    unsafe {
        unhook_unless_needed(thread);
        match choose(thread, frame).as_ref() {
            Some(compiled) => run(thread, frame, compiled, throws),
            None => _PyEval_EvalFrameDefault(thread, frame, throws),
        }
    }
}

/// The compiled code to run a frame with, or null. Who begins a generator goes on with it.
unsafe fn choose(thread: *mut Thread, frame: *mut Frame) -> *const Compiled {
    // SAFETY: as `evaluate`. The code object keeps its compiled code.
    unsafe {
        if !is_compiled((*frame).function.cast()) {
            return ptr::null();
        }
        let tracing = (*(*thread).cframe).use_tracing != 0;
        let suspends = Code::suspends((*frame).code);
        if !suspends {
            return if tracing {
                ptr::null()
            } else {
                find((*frame).code)
            };
        }
        if (*frame).owner != OWNED_BY_GENERATOR {
            return ptr::null();
        }
        if Code::begins_generator((*frame).instruction) {
            (*frame).is_compiled = !tracing;
        }
        match (*frame).is_compiled {
            true => find((*frame).code),
            false => ptr::null(),
        }
    }
}

/// Runs compiled code on a frame that isn't linked yet. The caller clears the frame.
///
/// # Safety
/// The frame is complete but for its cells and of the compiled code.
#[inline]
pub unsafe fn run(
    thread: *mut Thread,
    frame: *mut Frame,
    compiled: &Compiled,
    throws: c_int,
) -> *mut PyObject {
    // SAFETY: the caller's promise. The frame is linked as that of a call within the innermost
    // evaluation, and unlinked before its memory goes.
    unsafe {
        let evaluation = (*thread).cframe;
        let previous = (*evaluation).current_frame;
        (*frame).is_entry = true;
        (*frame).previous = previous;
        (*evaluation).current_frame = frame;
        let result = if !enter(thread) {
            ptr::null_mut()
        } else {
            let result = match (*frame).owner == OWNED_BY_GENERATOR || begin(frame) {
                true => (compiled.entry)(thread, frame, compiled.environment.as_ptr(), throws),
                false => ptr::null_mut(),
            };
            (*thread).recursion_remaining += 1;
            result
        };
        (*evaluation).current_frame = previous;
        result
    }
}

/// Counts one more nested call; false, with an exception, when there are too many.
///
/// # Safety
/// The GIL is held by this thread.
#[inline]
pub unsafe fn enter(thread: *mut Thread) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        if (*thread).recursion_remaining > 0 {
            (*thread).recursion_remaining -= 1;
            return true;
        }
        ffi::Py_EnterRecursiveCall(c"".as_ptr()) == 0
    }
}

/// What the first instructions of a function do: makes cells and takes those of the closure over.
/// False when it raised.
#[inline]
unsafe fn begin(frame: *mut Frame) -> bool {
    // SAFETY: the frame is of a function that begins; the code object lists its locals.
    unsafe {
        let code = (*frame).code;
        (*frame).instruction = Code::instructions(code).add((*code).first_traceable as usize);
        let locals = (*code).local_count as usize;
        let free = (*code).free_count as usize;
        if free > 0 {
            let closure = (*(*frame).function).closure;
            for index in 0..free {
                let cell = ffi::PyTuple_GET_ITEM(closure, index as ffi::Py_ssize_t);
                ffi::Py_INCREF(cell);
                *Frame::slot(frame, locals - free + index) = cell;
            }
        }
        if (*code).has_cells() {
            let kinds = ffi::PyBytes_AS_STRING((*code).local_kinds).cast::<u8>();
            for index in 0..locals - free {
                if *kinds.add(index) & KIND_CELL != 0 {
                    let slot = Frame::slot(frame, index);
                    let cell = PyCell_New(*slot);
                    if cell.is_null() {
                        return false;
                    }
                    ffi::Py_XDECREF(std::mem::replace(&mut *slot, cell));
                }
            }
        }
        true
    }
}
