//! Calls of compiled functions, and of Python functions by compiled ones.

use std::ptr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::bind::move_in;
use super::code::{Compiled, ensure};
use super::evaluate::{hook_once, interpret, is_hooked, run_and_pop, unhook};
use super::frames::{complete, empty, give_back, pop, push, reserve, take};
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

impl Arguments {
    /// Those of a vectorcall; `count` may have its flag.
    #[inline(always)]
    fn of_vectorcall(values: *const *mut PyObject, count: usize, names: *mut PyObject) -> Self {
        Self {
            values,
            // SAFETY: it clears a bit of a number.
            count: unsafe { ffi::PyVectorcall_NARGS(count) } as usize,
            names,
        }
    }

    /// How many there are, those with names included.
    ///
    /// # Safety
    /// The tuple of names is live.
    #[inline]
    pub unsafe fn total(&self) -> usize {
        match self.names.is_null() {
            true => self.count,
            // SAFETY: the caller's promise.
            false => unsafe { self.count + ffi::PyTuple_GET_SIZE(self.names) as usize },
        }
    }
}

/// The vectorcall entry for compiled code of a function. Code of a few parameters and nothing else has
/// one of its own, whose loops over arguments are unrolled; it binds defaults where there are some.
pub fn entry_of(compiled: &Compiled, has_defaults: bool) -> ffi::vectorcallfunc {
    match (compiled.arguments, has_defaults) {
        (0, _) => vectorcall_with::<0, false>,
        (1, false) => vectorcall_with::<1, false>,
        (2, false) => vectorcall_with::<2, false>,
        (3, false) => vectorcall_with::<3, false>,
        (4, false) => vectorcall_with::<4, false>,
        (1, true) => vectorcall_with::<1, true>,
        (2, true) => vectorcall_with::<2, true>,
        (3, true) => vectorcall_with::<3, true>,
        (4, true) => vectorcall_with::<4, true>,
        _ => vectorcall,
    }
}

/// The entry of a function whose compiled code has so many positional parameters and no others. That
/// of a `DEFAULTED` one binds arguments and defaults itself; others can do it, too.
///
/// # Safety
/// As [`vectorcall`]; the function has been compiled, though it may have other code meanwhile.
unsafe extern "C" fn vectorcall_with<const COUNT: usize, const DEFAULTED: bool>(
    callable: *mut PyObject,
    args: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the caller's promise: what was compiled stays until other code is.
    unsafe {
        let thread = current_thread();
        let function = callable.cast::<Function>();
        let compiled = &*(*function).compiled;
        if ffi::PyVectorcall_NARGS(count) as usize == COUNT
            && names.is_null()
            && is_current(thread, function, compiled)
            && let Some(frame) = reserve(thread, compiled.words)
        {
            let arguments = Arguments::of_vectorcall(args, COUNT, names);
            take::<false>(frame, arguments, compiled.locals);
            return call_on::<false>(thread, frame, callable, compiled);
        }
        if DEFAULTED && names.is_null() && is_current(thread, function, compiled) {
            let arguments = Arguments::of_vectorcall(args, count, ptr::null_mut());
            let mut result = ptr::null_mut();
            if call_bound::<false>(thread, callable, arguments, compiled, &mut result) {
                return result;
            }
        }
        vectorcall_otherwise(callable, args, count, names)
    }
}

/// A call of [`vectorcall_with`] that isn't one argument for each parameter. Arguments are in
/// memory here only.
#[inline(never)]
unsafe extern "C" fn vectorcall_otherwise(
    callable: *mut PyObject,
    args: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `vectorcall_with`.
    unsafe {
        let thread = current_thread();
        let function = callable.cast::<Function>();
        let compiled = &*(*function).compiled;
        let arguments = Arguments::of_vectorcall(args, count, names);
        let mut result = ptr::null_mut();
        let done = is_current(thread, function, compiled)
            && call_bound::<false>(thread, callable, arguments, compiled, &mut result)
            || enter_otherwise::<false>(thread, callable, arguments, &mut result);
        match done {
            true => result,
            false => bound_by_cpython(thread, callable, arguments),
        }
    }
}

/// The vectorcall entry of every other compiled function.
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
        let arguments = Arguments::of_vectorcall(args, count, names);
        let mut result = ptr::null_mut();
        match enter_compiled::<false>(thread, callable, arguments, &mut result) {
            true => result,
            false => bound_by_cpython(thread, callable, arguments),
        }
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
        if let Some(compiled) = compiled.as_ref()
            && compiled.arguments == arguments.count as isize
            && arguments.names.is_null()
            && is_current(thread, function, compiled)
            && let Some(frame) = reserve(thread, compiled.words)
        {
            take::<GIVEN>(frame, arguments, compiled.locals);
            *result = call_on::<GIVEN>(thread, frame, callable, compiled);
            return true;
        }
        enter_otherwise::<GIVEN>(thread, callable, arguments, result)
    }
}

/// Whether a function still has the code that was compiled, and nobody traces.
#[inline(always)]
unsafe fn is_current(thread: *mut Thread, function: *mut Function, compiled: &Compiled) -> bool {
    // SAFETY: the caller has a live function and the GIL.
    unsafe { compiled.code == (*function).base.code && (*(*thread).cframe).use_tracing == 0 }
}

/// Calls code with plain parameters, some of which have arguments with names or defaults. False for
/// other code, and arguments that don't fit.
#[inline(always)]
unsafe fn call_bound<const GIVEN: bool>(
    thread: *mut Thread,
    callable: *mut PyObject,
    arguments: Arguments,
    compiled: &Compiled,
    result: &mut *mut PyObject,
) -> bool {
    // SAFETY: the promise to `enter_compiled`; memory that isn't used is given back.
    unsafe {
        if compiled.arguments < 0 {
            return false;
        }
        let Some(frame) = reserve(thread, compiled.words) else {
            return false;
        };
        let slots = Frame::slot(frame, 0);
        empty(slots, 0..compiled.locals);
        if !move_in::<GIVEN>(callable.cast(), slots, arguments) {
            give_back(thread, frame);
            return false;
        }
        *result = call_on::<GIVEN>(thread, frame, callable, compiled);
        true
    }
}

/// Calls code on the memory of a frame that has its locals.
#[inline(always)]
unsafe fn call_on<const GIVEN: bool>(
    thread: *mut Thread,
    frame: *mut Frame,
    callable: *mut PyObject,
    compiled: &Compiled,
) -> *mut PyObject {
    // SAFETY: the promise to `enter_compiled`; the memory is reserved for this code's frame.
    unsafe {
        if !GIVEN {
            ffi::Py_INCREF(callable);
        }
        complete(frame, callable.cast(), compiled.locals, compiled.first);
        run_and_pop(thread, frame, compiled)
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
        if call_bound::<GIVEN>(thread, callable, arguments, &*compiled, result) {
            return true;
        }
        let Some(frame) = push::<GIVEN>(thread, callable.cast(), arguments) else {
            return false;
        };
        if (*compiled).suspends {
            *result = made_generator(interpret(thread, frame));
            pop(thread, frame);
        } else {
            (*frame).instruction = (*compiled).first;
            *result = run_and_pop(thread, frame, &*compiled);
        }
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
        ffi::Py_DECREF(callable);
        for index in 0..arguments.total() {
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
