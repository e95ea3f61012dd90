//! Calls of compiled functions.

use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::code::{Compiled, ensure};
use super::evaluate::{hook, run, unhook};
use super::function::Function;
use super::layout_311::{
    Code, Frame, FrameMemory, FrameObject, OWNED_BY_OBJECT, OWNED_BY_THREAD, Thread,
};
use crate::dispatcher::guard;

unsafe extern "C" {
    fn _PyFunction_Vectorcall(
        function: *mut PyObject,
        args: *const *mut PyObject,
        count: usize,
        names: *mut PyObject,
    ) -> *mut PyObject;
}

/// Whether compiled generators exist, whose frames the interpreter must hand over at any time.
static GENERATORS: AtomicBool = AtomicBool::new(false);

/// Lets the interpreter evaluate frames itself, if no generator needs otherwise.
///
/// # Safety
/// The GIL is held by this thread.
pub unsafe fn unhook_unless_needed(thread: *mut Thread) {
    if !GENERATORS.load(Ordering::Relaxed) {
        // SAFETY: the caller's promise.
        unsafe { unhook(thread) }
    }
}

/// The vectorcall entry of every compiled function.
///
/// # Safety
/// Called by Python: the GIL is held and the arguments follow the vectorcall protocol.
pub unsafe extern "C" fn vectorcall(
    callable: *mut PyObject,
    args: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: only compiled functions have this entry; Python keeps the arguments alive.
    unsafe {
        let function = callable.cast::<Function>();
        let mut compiled = (*function).compiled;
        if compiled.is_null() || (*compiled).code != (*function).base.code {
            compiled = prepare(function);
            if compiled.is_null() {
                return ptr::null_mut();
            }
        }
        let thread = ffi::PyThreadState_Get().cast::<Thread>();
        if (*(*thread).cframe).use_tracing != 0 {
            return _PyFunction_Vectorcall(callable, args, count, names);
        }
        let given = ffi::PyVectorcall_NARGS(count);
        if given == (*compiled).arguments && names.is_null() && !(*compiled).suspends {
            let frame = push(thread, function, args, given as usize);
            if !frame.is_null() {
                let result = run(thread, frame, &*compiled, 0);
                pop(thread, frame);
                return result;
            }
        }
        if (*compiled).suspends {
            GENERATORS.store(true, Ordering::Relaxed);
        }
        hook(thread);
        let result = _PyFunction_Vectorcall(callable, args, count, names);
        unhook_unless_needed(thread);
        result
    }
}

#[cold]
unsafe fn prepare(function: *mut Function) -> *const Compiled {
    // SAFETY: the caller has a live compiled function and the GIL.
    unsafe {
        let py = Python::assume_attached();
        let mut made = ptr::null();
        guard(py, || {
            match ensure(py, function) {
                Ok(compiled) => made = compiled,
                Err(error) => error.restore(py),
            }
            ptr::null_mut()
        });
        made
    }
}

/// Words of a frame in front of its locals.
const SPECIALS: usize = size_of::<Frame>() / size_of::<*mut PyObject>();

/// Makes a frame with the arguments as its first locals. Null when the thread's current piece of
/// frame memory is full.
unsafe fn push(
    thread: *mut Thread,
    function: *mut Function,
    args: *const *mut PyObject,
    count: usize,
) -> *mut Frame {
    // SAFETY: the thread's memory has the room that is asked for; all references are the frame's.
    unsafe {
        let memory = thread.cast::<FrameMemory>();
        let base = &(*function).base;
        let code = base.code;
        let locals = (*code).local_count as usize;
        let size = SPECIALS + locals + (*code).stack_size as usize;
        let top = (*memory).top;
        if top.is_null() || size as isize >= (*memory).limit.offset_from(top) {
            return ptr::null_mut();
        }
        (*memory).top = top.add(size);
        let frame = top.cast::<Frame>();
        ffi::Py_INCREF(function.cast());
        ffi::Py_INCREF(code.cast());
        (*frame).function = function.cast();
        (*frame).globals = base.globals;
        (*frame).builtins = base.builtins;
        (*frame).locals = ptr::null_mut();
        (*frame).code = code;
        (*frame).object = ptr::null_mut();
        (*frame).instruction = Code::instructions(code).sub(1);
        (*frame).stack_top = locals as i32;
        (*frame).owner = OWNED_BY_THREAD;
        for index in 0..count {
            let argument = *args.add(index);
            ffi::Py_INCREF(argument);
            *Frame::slot(frame, index) = argument;
        }
        for index in count..locals {
            *Frame::slot(frame, index) = ptr::null_mut();
        }
        frame
    }
}

/// Releases what a frame of [`push`] holds, and its memory. Locals that a frame object shows stay
/// with that.
unsafe fn pop(thread: *mut Thread, frame: *mut Frame) {
    // SAFETY: the frame is the last one of the thread's memory and unlinked.
    unsafe {
        (*thread).recursion_remaining -= 1;
        clear(frame);
        (*thread).recursion_remaining += 1;
        (*thread.cast::<FrameMemory>()).top = frame.cast();
    }
}

unsafe fn clear(frame: *mut Frame) {
    // SAFETY: as `pop`. Fields are read before references go.
    unsafe {
        let object = std::mem::replace(&mut (*frame).object, ptr::null_mut());
        if !object.is_null() {
            if (*object).base.ob_refcnt > 1 {
                hand_over(object, frame);
                ffi::Py_DECREF(object.cast());
                return;
            }
            ffi::Py_DECREF(object.cast());
        }
        for index in 0..(*frame).stack_top as usize {
            ffi::Py_XDECREF(*Frame::slot(frame, index));
        }
        ffi::Py_XDECREF((*frame).locals);
        ffi::Py_DECREF((*frame).function.cast());
        ffi::Py_DECREF((*frame).code.cast());
    }
}

/// Moves a frame into its frame object, which outlives the call.
unsafe fn hand_over(object: *mut FrameObject, frame: *mut Frame) {
    unsafe extern "C" {
        fn PyFrame_GetBack(frame: *mut FrameObject) -> *mut PyObject;
    }
    // SAFETY: a frame object has room for its frame with all locals and stack slots.
    unsafe {
        let back = PyFrame_GetBack(object);
        let bytes = size_of::<Frame>() + 8 * (*frame).stack_top as usize;
        let own = (&raw mut (*object).own).cast::<Frame>();
        ptr::copy_nonoverlapping(frame.cast::<u8>(), own.cast::<u8>(), bytes);
        (*object).frame = own;
        (*own).owner = OWNED_BY_OBJECT;
        (*own).object = ptr::null_mut();
        let first = Code::instructions((*own).code).add((*(*own).code).first_traceable as usize);
        if (*own).instruction < first {
            (*own).instruction = first;
        }
        ffi::Py_XDECREF(std::mem::replace(&mut (*object).back, back));
        (*own).previous = ptr::null_mut();
        if ffi::PyObject_GC_IsTracked(object.cast()) == 0 {
            ffi::PyObject_GC_Track(object.cast());
        }
    }
}
