//! Running a compiled function on the interpreter's frame, as the evaluation loop would.

use std::ffi::c_int;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::ffi::{self, PyObject};

use super::code::{Compiled, find};
use super::frames::{pop, release};
use super::function::{Function, is_compiled};
use super::layout_311::{
    Code, Evaluate, Frame, KIND_CELL, OWNED_BY_GENERATOR, Thread, evaluation_function,
};

unsafe extern "C" {
    fn _PyEval_EvalFrameDefault(
        thread: *mut Thread,
        frame: *mut Frame,
        throws: c_int,
    ) -> *mut PyObject;
    fn PyCell_New(value: *mut PyObject) -> *mut PyObject;
}

/// How many [`Hook`]s there are.
static HOOKS: AtomicUsize = AtomicUsize::new(0);

/// What the interpreter asked about frames before us, or null.
static BEFORE: AtomicUsize = AtomicUsize::new(0);

fn is_ours(function: Option<Evaluate>) -> bool {
    function.is_some_and(|function| function as usize == evaluate as *const () as usize)
}

/// Makes the interpreter ask [`evaluate`] about frames: until the first one, or as long as there is
/// a [`Hook`].
///
/// # Safety
/// The GIL is held by this thread.
#[inline]
pub unsafe fn hook_once(thread: *mut Thread) {
    // SAFETY: the caller's promise.
    unsafe {
        let place = evaluation_function((*thread).interpreter);
        if !is_ours(*place) {
            let before = (*place).map_or(0, |function| function as usize);
            BEFORE.store(before, Ordering::Relaxed);
            *place = Some(evaluate);
        }
    }
}

/// Makes the interpreter evaluate frames as before, unless there is a [`Hook`].
///
/// # Safety
/// The GIL is held by this thread.
#[inline]
pub unsafe fn unhook(thread: *mut Thread) {
    // SAFETY: the caller's promise.
    unsafe {
        let place = evaluation_function((*thread).interpreter);
        if is_ours(*place) && HOOKS.load(Ordering::Relaxed) == 0 {
            *place = before();
        }
    }
}

fn before() -> Option<Evaluate> {
    let before = BEFORE.load(Ordering::Relaxed);
    // SAFETY: only functions of this type are put there, or null.
    unsafe { std::mem::transmute::<usize, Option<Evaluate>>(before) }
}

/// Makes the interpreter ask [`evaluate`] about every frame, while it is there.
pub struct Hook;

impl Hook {
    /// # Safety
    /// The GIL is held, then and when the hook goes.
    pub unsafe fn new() -> Self {
        HOOKS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { hook_once(ffi::PyThreadState_Get().cast()) }
        Self
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        HOOKS.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: who made the hook has promised it.
        unsafe { unhook(ffi::PyThreadState_Get().cast()) }
    }
}

/// Whether the interpreter asks anybody about frames.
///
/// # Safety
/// The GIL is held by this thread.
#[inline]
pub unsafe fn is_hooked(thread: *mut Thread) -> bool {
    // SAFETY: the caller's promise.
    unsafe { (*evaluation_function((*thread).interpreter)).is_some() }
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
        unhook(thread);
        match choose(thread, frame).as_ref() {
            Some(compiled) => run(thread, frame, compiled, throws),
            None => before().unwrap_or(_PyEval_EvalFrameDefault)(thread, frame, throws),
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
        let runs_compiled = if !suspends {
            !tracing
        } else if (*frame).owner != OWNED_BY_GENERATOR {
            false
        } else {
            if Code::begins_generator((*frame).instruction) {
                (*frame).is_compiled = !tracing;
            }
            (*frame).is_compiled
        };
        if !runs_compiled {
            return ptr::null();
        }
        let known = (*(*frame).function.cast::<Function>()).compiled;
        match !known.is_null() && (*known).code == (*frame).code {
            true => known,
            false => find((*frame).code),
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
    // SAFETY: the caller's promise.
    unsafe {
        if (*frame).owner == OWNED_BY_GENERATOR {
            return linked::<false, false>(thread, frame, compiled, throws);
        }
        (*frame).instruction = compiled.first;
        linked::<true, false>(thread, frame, compiled, 0)
    }
}

/// Runs the call of a function on a frame that stands at the function's first instruction, and
/// pops it.
///
/// # Safety
/// As [`run`]; the frame is the last one of the thread's memory.
#[inline(always)]
pub unsafe fn run_and_pop(
    thread: *mut Thread,
    frame: *mut Frame,
    compiled: &Compiled,
) -> *mut PyObject {
    // SAFETY: the caller's promise.
    unsafe { linked::<true, true>(thread, frame, compiled, 0) }
}

/// Runs code on a frame that is linked as that of a call within the innermost evaluation, and
/// unlinked before its memory goes. Where the function `BEGINS`, cells are made first. `POPS` the
/// frame as part of the nested call, as [`pop`] does.
#[inline(always)]
unsafe fn linked<const BEGINS: bool, const POPS: bool>(
    thread: *mut Thread,
    frame: *mut Frame,
    compiled: &Compiled,
    throws: c_int,
) -> *mut PyObject {
    // SAFETY: as `run`.
    unsafe {
        let evaluation = (*thread).cframe;
        let previous = (*evaluation).current_frame;
        (*frame).is_entry = true;
        (*frame).previous = previous;
        (*evaluation).current_frame = frame;
        if !enter(thread) {
            (*evaluation).current_frame = previous;
            if POPS {
                pop(thread, frame);
            }
            return ptr::null_mut();
        }
        let result = match !BEGINS || !compiled.shares || share(frame) {
            true => (compiled.entry)(thread, frame, compiled.environment.as_ptr(), throws),
            false => ptr::null_mut(),
        };
        (*evaluation).current_frame = previous;
        if POPS {
            release(thread, frame);
        }
        (*thread).recursion_remaining += 1;
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

/// What the first instructions of a function that shares variables do: makes cells and takes those
/// of the closure over. False when it raised.
unsafe fn share(frame: *mut Frame) -> bool {
    // SAFETY: the frame is of a function that begins; the code object lists its locals.
    unsafe {
        let code = (*frame).code;
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
