//! Calls of compiled functions, and of Python functions by compiled ones.

use std::ptr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::code::{Compiled, ensure};
use super::evaluate::{hook_once, interpret, is_hooked, run, run_call, unhook};
use super::frames::{complete, pop, push, reserve, take};
use super::function::Function;
use super::layout_311::{Frame, FunctionObject, Generator, Thread, current_thread};
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
        let thread = current_thread();
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
#[inline(never)]
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
#[inline(always)]
pub unsafe fn enter_compiled<const GIVEN: bool>(
    thread: *mut Thread,
    callable: *mut PyObject,
    arguments: Arguments,
    result: &mut *mut PyObject,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let function = callable.cast::<Function>();
        let compiled = (*function).compiled;
        let exact = !compiled.is_null()
            && (*compiled).code == (*function).base.code
            && (*compiled).arguments == arguments.count as isize
            && arguments.names.is_null()
            && (*(*thread).cframe).use_tracing == 0;
        let frame = match exact {
            true => reserve(thread, (*compiled).words),
            false => None,
        };
        let Some(frame) = frame else {
            return enter_otherwise::<GIVEN>(thread, callable, arguments, result);
        };
        let compiled = &*compiled;
        take::<GIVEN>(frame, arguments, compiled.locals);
        if !GIVEN {
            ffi::Py_INCREF(callable);
        }
        complete(frame, callable.cast(), compiled.locals, compiled.first);
        *result = run_call(thread, frame, compiled);
        pop(thread, frame);
        true
    }
}

/// A call of [`enter_compiled`] that isn't of code that is there, with one argument for each
/// parameter.
#[inline(never)]
unsafe fn enter_otherwise<const GIVEN: bool>(
    thread: *mut Thread,
    callable: *mut PyObject,
    arguments: Arguments,
    result: &mut *mut PyObject,
) -> bool {
    // SAFETY: the promise to `enter_compiled`.
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
        let Some(frame) = push::<GIVEN>(thread, callable.cast(), arguments) else {
            return false;
        };
        *result = match (*compiled).suspends {
            true => made_generator(interpret(thread, frame)),
            false => run(thread, frame, &*compiled, 0),
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
