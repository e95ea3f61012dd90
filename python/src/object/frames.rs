//! Frames of calls: made in the thread's frame memory, cleared, and handed over to frame objects
//! that outlive the call.

use std::ops::Range;
use std::ptr;

use pyo3::ffi::{self, PyObject};

use super::bind::{bind, move_in};
use super::call::{Arguments, release_arguments};
use super::layout_311::{
    Code, Frame, FrameMemory, FrameObject, FunctionObject, OWNED_BY_OBJECT, OWNED_BY_THREAD, Thread,
};

/// Takes memory for a frame. None when the thread's current piece is full.
///
/// # Safety
/// The GIL is held by the thread.
#[inline]
pub unsafe fn reserve(thread: *mut Thread, words: usize) -> Option<*mut Frame> {
    // SAFETY: the caller's promise.
    unsafe {
        let memory = thread.cast::<FrameMemory>();
        // Before the first piece both are null.
        let top = (*memory).top;
        if words * size_of::<usize>() >= (*memory).limit.addr() - top.addr() {
            return None;
        }
        (*memory).top = top.add(words);
        Some(top.cast())
    }
}

/// Gives the memory of [`reserve`] back.
///
/// # Safety
/// It is the last that was taken, and the GIL is held by the thread.
#[inline]
pub unsafe fn give_back(thread: *mut Thread, frame: *mut Frame) {
    // SAFETY: the caller's promise.
    unsafe { (*thread.cast::<FrameMemory>()).top = frame.cast() }
}

/// Makes arguments the first locals, with references of their own unless they are given.
///
/// # Safety
/// The frame is new with so many locals, as many as arguments at least; arguments are live.
#[inline(always)]
pub unsafe fn take<const GIVEN: bool>(frame: *mut Frame, arguments: Arguments, locals: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let slots = Frame::slot(frame, 0);
        for index in 0..arguments.count {
            let argument = *arguments.values.add(index);
            if !GIVEN {
                ffi::Py_INCREF(argument);
            }
            *slots.add(index) = argument;
        }
        empty(slots, arguments.count..locals);
    }
}

/// Empties slots. There are few: volatile stores keep this from becoming a call of `memset`.
///
/// # Safety
/// The caller may write to such slots.
#[inline]
pub unsafe fn empty(slots: *mut *mut PyObject, range: Range<usize>) {
    for index in range {
        // SAFETY: the caller's promise.
        unsafe { slots.add(index).write_volatile(ptr::null_mut()) }
    }
}

/// Fills a frame but for its locals, and takes over a reference of the function. It stands at the
/// instruction given.
///
/// # Safety
/// The frame is new, the function live, the GIL held.
#[inline]
pub unsafe fn complete(
    frame: *mut Frame,
    function: *mut FunctionObject,
    locals: usize,
    instruction: *mut u16,
) {
    // SAFETY: the caller has a new frame and a live function; the other references are the frame's.
    unsafe {
        let code = (*function).code;
        ffi::Py_INCREF(code.cast());
        (*frame).function = function;
        (*frame).globals = (*function).globals;
        (*frame).builtins = (*function).builtins;
        (*frame).locals = ptr::null_mut();
        (*frame).code = code;
        (*frame).object = ptr::null_mut();
        (*frame).instruction = instruction;
        (*frame).stack_top = locals as i32;
        (*frame).owner = OWNED_BY_THREAD;
    }
}

/// Makes a frame with the arguments as its first locals. None when the thread's current piece of
/// frame memory is full or the arguments don't fit the parameters.
///
/// # Safety
/// The function and its arguments are live, and the GIL is held by the thread.
pub unsafe fn push<const GIVEN: bool>(
    thread: *mut Thread,
    function: *mut FunctionObject,
    arguments: Arguments,
) -> Option<*mut Frame> {
    // SAFETY: the caller has a live function and arguments, and the GIL.
    unsafe {
        let code = (*function).code;
        let locals = (*code).local_count as usize;
        let frame = reserve(thread, Frame::words(code))?;
        let slots = Frame::slot(frame, 0);
        let simple = Code::is_simple(code);
        let complete_already =
            arguments.names.is_null() && arguments.count == (*code).argument_count as usize;
        let taken = if simple && complete_already {
            take::<GIVEN>(frame, arguments, locals);
            true
        } else {
            empty(slots, 0..locals);
            simple && move_in::<GIVEN>(function, slots, arguments)
        };
        if !taken && !bind(function, slots, arguments) {
            for index in 0..locals {
                ffi::Py_XDECREF(*slots.add(index));
            }
            give_back(thread, frame);
            return None;
        }
        if !GIVEN || !taken {
            ffi::Py_INCREF(function.cast());
        }
        complete(frame, function, locals, Code::instructions(code).sub(1));
        if GIVEN && !taken {
            release_arguments(function.cast(), arguments);
        }
        Some(frame)
    }
}

/// Releases what a frame of [`push`] holds, and its memory. Locals that a frame object shows stay
/// with that.
///
/// # Safety
/// The frame is the last one of the thread's memory and unlinked.
#[inline(always)]
pub unsafe fn pop(thread: *mut Thread, frame: *mut Frame) {
    // SAFETY: the frame is the last one of the thread's memory and unlinked.
    unsafe {
        (*thread).recursion_remaining -= 1;
        release(thread, frame);
        (*thread).recursion_remaining += 1;
    }
}

/// Releases what a frame holds, and its memory, within the nested call that is counted already.
///
/// # Safety
/// As [`pop`].
#[inline(always)]
pub unsafe fn release(thread: *mut Thread, frame: *mut Frame) {
    // SAFETY: the caller's promise.
    unsafe {
        clear(frame);
        give_back(thread, frame);
    }
}

/// Releases what a frame holds, unless a frame object keeps it.
///
/// # Safety
/// The frame is complete and unlinked, and nobody uses it again.
#[inline(always)]
pub unsafe fn clear(frame: *mut Frame) {
    // SAFETY: the caller's promise. Fields are read before references go.
    unsafe {
        if !(*frame).object.is_null() && !leave_object(frame) {
            return;
        }
        for index in 0..(*frame).stack_top as usize {
            ffi::Py_XDECREF(*Frame::slot(frame, index));
        }
        ffi::Py_XDECREF((*frame).locals);
        ffi::Py_DECREF((*frame).function.cast());
        ffi::Py_DECREF((*frame).code.cast());
    }
}

/// Parts a frame from its frame object: false when that outlives the call and has the frame now.
#[cold]
unsafe fn leave_object(frame: *mut Frame) -> bool {
    // SAFETY: as `pop`.
    unsafe {
        let object = std::mem::replace(&mut (*frame).object, ptr::null_mut());
        let shared = (*object).base.ob_refcnt > 1;
        if shared {
            hand_over(object, frame);
        }
        ffi::Py_DECREF(object.cast());
        !shared
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
