//! Calls of compiled functions, and of Python functions by compiled ones.

use std::ops::Range;
use std::ptr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::bind::{bind, move_in};
use super::code::{Compiled, ensure};
use super::evaluate::{hook_once, interpret, is_hooked, run, unhook};
use super::function::Function;
use super::layout_311::{
    Code, Frame, FrameMemory, FrameObject, FunctionObject, Generator, OWNED_BY_OBJECT,
    OWNED_BY_THREAD, Thread,
};
use super::resume::prepare_generators;
use crate::dispatcher::guard;

unsafe extern "C" {
    fn _PyFunction_Vectorcall(
        function: *mut PyObject,
        args: *const *mut PyObject,
        count: usize,
        names: *mut PyObject,
    ) -> *mut PyObject;
}

/// The arguments of a call.
#[derive(Clone, Copy)]
pub struct Arguments {
    /// Positional arguments, then those with names.
    pub values: *const *mut PyObject,
    /// How many are positional.
    pub count: usize,
    /// The names of the others, a tuple of strings or null.
    pub names: *mut PyObject,
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
        let thread = ffi::PyThreadState_Get().cast::<Thread>();
        let arguments = Arguments {
            values: args,
            count: ffi::PyVectorcall_NARGS(count) as usize,
            names,
        };
        let mut result = ptr::null_mut();
        if enter_compiled::<false>(thread, callable, arguments, &mut result) {
            return result;
        }
        bound_by_cpython(thread, callable, arguments)
    }
}

/// Says that nobody has begun a new generator or coroutine yet; null is an exception.
unsafe fn made_generator(made: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `vectorcall`; a generator has a frame, whose flag CPython doesn't set.
    unsafe {
        if !made.is_null() {
            prepare_generators();
            let generator = made.cast::<Generator>();
            let frame = (&raw mut (*generator).frame).cast::<Frame>();
            (*frame).is_compiled = false;
        }
        made
    }
}

/// The call of a compiled function whose arguments CPython binds.
unsafe fn bound_by_cpython(
    thread: *mut Thread,
    callable: *mut PyObject,
    arguments: Arguments,
) -> *mut PyObject {
    // SAFETY: as `vectorcall`.
    unsafe {
        let Arguments {
            values,
            count,
            names,
        } = arguments;
        let compiled = (*callable.cast::<Function>()).compiled;
        if (*compiled).suspends {
            return made_generator(_PyFunction_Vectorcall(callable, values, count, names));
        }
        if (*(*thread).cframe).use_tracing != 0 {
            return _PyFunction_Vectorcall(callable, values, count, names);
        }
        hook_once(thread);
        let result = _PyFunction_Vectorcall(callable, values, count, names);
        unhook(thread);
        result
    }
}

/// Calls a compiled function, unless CPython must bind the arguments: false then. With `GIVEN` the
/// references of function and arguments are taken over by a call that happens.
///
/// # Safety
/// The function and its arguments are live, and the GIL is held by this thread.
#[inline]
pub unsafe fn enter_compiled<const GIVEN: bool>(
    thread: *mut Thread,
    callable: *mut PyObject,
    arguments: Arguments,
    result: &mut *mut PyObject,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let function = callable.cast::<Function>();
        let mut compiled = (*function).compiled;
        if compiled.is_null() || (*compiled).code != (*function).base.code {
            compiled = prepare(function);
            if compiled.is_null() {
                *result = ptr::null_mut();
                if GIVEN {
                    release_arguments(callable, arguments);
                }
                return true;
            }
        }
        if (*(*thread).cframe).use_tracing != 0 || (*compiled).suspends && is_hooked(thread) {
            return false;
        }
        let compiled = &*compiled;
        let exact = compiled.arguments == arguments.count as isize && arguments.names.is_null();
        let frame = match exact {
            true => reserve(thread, callable.cast(), compiled.locals).inspect(|frame| {
                take::<GIVEN>(*frame, arguments, compiled.locals);
                complete(*frame, callable.cast(), compiled.locals);
                if !GIVEN {
                    ffi::Py_INCREF(callable);
                }
            }),
            false => push::<GIVEN>(thread, callable.cast(), arguments),
        };
        let Some(frame) = frame else {
            return false;
        };
        *result = match compiled.suspends {
            true => made_generator(interpret(thread, frame)),
            false => run(thread, frame, compiled, 0),
        };
        pop(thread, frame);
        true
    }
}

/// Calls a function that the interpreter runs, as [`enter_compiled`] does.
///
/// # Safety
/// As [`enter_compiled`].
#[inline]
pub unsafe fn enter_interpreted(
    thread: *mut Thread,
    callable: *mut PyObject,
    arguments: Arguments,
    result: &mut *mut PyObject,
) -> bool {
    // SAFETY: the caller's promise; whoever sets another entry wants that to be called.
    unsafe {
        let function = callable.cast::<FunctionObject>();
        let entry = (*function).vectorcall.map(|entry| entry as usize);
        let usual = entry == Some(_PyFunction_Vectorcall as *const () as usize)
            && (*(*function).code).flags & ffi::CO_OPTIMIZED != 0;
        if !usual || is_hooked(thread) {
            return false;
        }
        let Some(frame) = push::<true>(thread, function, arguments) else {
            return false;
        };
        *result = interpret(thread, frame);
        pop(thread, frame);
        true
    }
}

/// Gives up the references of a call.
///
/// # Safety
/// The caller has them.
pub unsafe fn release_arguments(callable: *mut PyObject, arguments: Arguments) {
    // SAFETY: the caller's promise; there is one more argument for each name.
    unsafe {
        let named = match arguments.names.is_null() {
            true => 0,
            false => ffi::PyTuple_GET_SIZE(arguments.names) as usize,
        };
        ffi::Py_DECREF(callable);
        for index in 0..arguments.count + named {
            ffi::Py_DECREF(*arguments.values.add(index));
        }
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

/// Takes memory for a frame. None when the thread's current piece is full.
#[inline]
unsafe fn reserve(
    thread: *mut Thread,
    function: *mut FunctionObject,
    locals: usize,
) -> Option<*mut Frame> {
    // SAFETY: the caller has a live function with so many locals, and the GIL.
    unsafe {
        let memory = thread.cast::<FrameMemory>();
        let size = SPECIALS + locals + (*(*function).code).stack_size as usize;
        let top = (*memory).top;
        if top.is_null() || size as isize >= (*memory).limit.offset_from(top) {
            return None;
        }
        (*memory).top = top.add(size);
        Some(top.cast())
    }
}

/// Makes arguments the first locals, with references of their own unless they are given.
#[inline]
unsafe fn take<const GIVEN: bool>(frame: *mut Frame, arguments: Arguments, locals: usize) {
    // SAFETY: the caller has a new frame with so many locals, as many as arguments at least.
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
#[inline]
unsafe fn empty(slots: *mut *mut PyObject, range: Range<usize>) {
    for index in range {
        // SAFETY: the caller has such slots.
        unsafe { slots.add(index).write_volatile(ptr::null_mut()) }
    }
}

/// Fills a frame but for its locals, and takes over a reference of the function.
#[inline]
unsafe fn complete(frame: *mut Frame, function: *mut FunctionObject, locals: usize) {
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
        (*frame).instruction = Code::instructions(code).sub(1);
        (*frame).stack_top = locals as i32;
        (*frame).owner = OWNED_BY_THREAD;
    }
}

/// Makes a frame with the arguments as its first locals. None when the thread's current piece of
/// frame memory is full or the arguments don't fit the parameters.
unsafe fn push<const GIVEN: bool>(
    thread: *mut Thread,
    function: *mut FunctionObject,
    arguments: Arguments,
) -> Option<*mut Frame> {
    // SAFETY: the caller has a live function and arguments, and the GIL.
    unsafe {
        let code = (*function).code;
        let locals = (*code).local_count as usize;
        let frame = reserve(thread, function, locals)?;
        let slots = Frame::slot(frame, 0);
        let simple = Code::is_simple(code);
        let complete_already =
            arguments.names.is_null() && arguments.count == (*code).argument_count as usize;
        let taken = if simple && complete_already {
            take::<GIVEN>(frame, arguments, locals);
            true
        } else {
            empty(slots, 0..locals);
            GIVEN && simple && move_in(function, slots, arguments)
        };
        if !taken && !bind(function, slots, arguments) {
            for index in 0..locals {
                ffi::Py_XDECREF(*slots.add(index));
            }
            (*thread.cast::<FrameMemory>()).top = frame.cast();
            return None;
        }
        if !GIVEN || !taken {
            ffi::Py_INCREF(function.cast());
        }
        complete(frame, function, locals);
        if GIVEN && !taken {
            release_arguments(function.cast(), arguments);
        }
        Some(frame)
    }
}

/// Releases what a frame of [`push`] holds, and its memory. Locals that a frame object shows stay
/// with that.
#[inline]
unsafe fn pop(thread: *mut Thread, frame: *mut Frame) {
    // SAFETY: the frame is the last one of the thread's memory and unlinked.
    unsafe {
        (*thread).recursion_remaining -= 1;
        clear(frame);
        (*thread).recursion_remaining += 1;
        (*thread.cast::<FrameMemory>()).top = frame.cast();
    }
}

/// Releases what a frame holds, unless a frame object keeps it.
///
/// # Safety
/// The frame is complete and unlinked, and nobody uses it again.
#[inline]
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
