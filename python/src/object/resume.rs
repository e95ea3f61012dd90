//! Resuming compiled generators.
//!
//! CPython resumes a generator's frame in its own C code, which asks the evaluation function
//! (PEP 523) about it, if there is one. One that is always there costs every interpreted call its
//! inlining. So there is none but for the moment of a resumption: the slots and methods of
//! CPython's generator types by which all resumptions come are replaced, when the first compiled
//! generator is made, by functions that call the original with the evaluation function in place.
//!
//! A resumption by `next` or `send` is of the generator's own frame; where it is compiled and
//! suspended it is a [`step`], without CPython. Throwing, closing and
//! finalising first go to what the generator delegates to, so that the function stays until they
//! are done.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::ffi::{self, Py_ssize_t, PyObject, PySendResult, PyTypeObject};

use super::evaluate::{Hook, hook_once, unhook};
use super::function::is_compiled;
use super::layout_311::{Frame, Generator, current_thread};
use super::step::{Step, step, stop_iteration};

unsafe extern "C" {
    static mut PyCoro_Type: PyTypeObject;
    static mut _PyCoroWrapper_Type: PyTypeObject;
    static mut _PyAsyncGenASend_Type: PyTypeObject;
    static mut _PyAsyncGenAThrow_Type: PyTypeObject;
}

/// What was in the places that are replaced.
static ORIGINALS: [AtomicUsize; 24] = [const { AtomicUsize::new(0) }; 24];

fn original(place: usize) -> *const c_void {
    ORIGINALS[place].load(Ordering::Relaxed) as *const c_void
}

/// Whether a generator's frame is for compiled code to go on with.
unsafe fn resumes_compiled(generator: *mut PyObject) -> bool {
    // SAFETY: the caller has a generator or coroutine; its frame has a function while it isn't
    // done.
    unsafe {
        let generator = generator.cast::<Generator>();
        let frame = (&raw mut (*generator).frame).cast::<Frame>();
        (*generator).state < 0 && is_compiled((*frame).function.cast())
    }
}

/// Does something that resumes no other frame first, with the evaluation function in place if the
/// generator is a compiled one.
#[inline]
unsafe fn resuming<T>(generator: *mut PyObject, resume: impl FnOnce() -> T) -> T {
    // SAFETY: the GIL is held; the caller has a generator or coroutine.
    unsafe {
        if !resumes_compiled(generator) {
            return resume();
        }
        let thread = current_thread();
        hook_once(thread);
        let result = resume();
        // The frame may not have been evaluated: because it runs already, for one.
        unhook(thread);
        result
    }
}

/// The generator of an object that asks it for something: its first field.
unsafe fn asked(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: the caller has an object with such a field.
    unsafe { *object.cast::<*mut PyObject>().add(2) }
}

/// Whether the object of a slot or method asks a generator, rather than being one.
const DIRECT: bool = false;
const ASKS: bool = true;

unsafe fn generator_of<const KIND: bool>(object: *mut PyObject) -> *mut PyObject {
    match KIND {
        DIRECT => object,
        // SAFETY: as `asked`.
        ASKS => unsafe { asked(object) },
    }
}

unsafe extern "C" fn next<const PLACE: usize, const KIND: bool>(
    this: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: Python calls this as it would the original.
    unsafe {
        if KIND == DIRECT {
            match step(this, ffi::Py_None()) {
                Some(Step::Yielded(value)) => return value,
                Some(Step::Raised) => return ptr::null_mut(),
                // Null without an exception is the end.
                Some(Step::Returned(value)) if value == ffi::Py_None() => {
                    ffi::Py_DECREF(value);
                    return ptr::null_mut();
                }
                Some(Step::Returned(value)) => return stop_iteration(value),
                None => {}
            }
        }
        let call: ffi::iternextfunc = std::mem::transmute(original(PLACE));
        resuming(generator_of::<KIND>(this), || call(this))
    }
}

unsafe extern "C" fn send<const PLACE: usize, const KIND: bool>(
    this: *mut PyObject,
    value: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `next`.
    unsafe {
        if KIND == DIRECT {
            match step(this, value) {
                Some(Step::Yielded(value)) => return value,
                Some(Step::Raised) => return ptr::null_mut(),
                Some(Step::Returned(value)) if value == ffi::Py_None() => {
                    ffi::Py_DECREF(value);
                    ffi::PyErr_SetNone(ffi::PyExc_StopIteration);
                    return ptr::null_mut();
                }
                Some(Step::Returned(value)) => return stop_iteration(value),
                None => {}
            }
        }
        let call: ffi::PyCFunction = std::mem::transmute(original(PLACE));
        resuming(generator_of::<KIND>(this), || call(this, value))
    }
}

unsafe extern "C" fn send_slot<const PLACE: usize>(
    this: *mut PyObject,
    value: *mut PyObject,
    result: *mut *mut PyObject,
) -> PySendResult {
    // SAFETY: as `next`.
    unsafe {
        let (kind, value_of) = match step(this, value) {
            Some(Step::Yielded(value)) => (PySendResult::PYGEN_NEXT, value),
            Some(Step::Returned(value)) => (PySendResult::PYGEN_RETURN, value),
            Some(Step::Raised) => (PySendResult::PYGEN_ERROR, ptr::null_mut()),
            None => return resume_by_slot(PLACE, this, value, result),
        };
        *result = value_of;
        kind
    }
}

/// As CPython's slot does it.
unsafe fn resume_by_slot(
    place: usize,
    this: *mut PyObject,
    value: *mut PyObject,
    result: *mut *mut PyObject,
) -> PySendResult {
    // SAFETY: as `next`.
    unsafe {
        let call: ffi::sendfunc = std::mem::transmute(original(place));
        resuming(this, || call(this, value, result))
    }
}

unsafe extern "C" fn throw<const PLACE: usize>(
    this: *mut PyObject,
    args: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    // SAFETY: as `next`.
    unsafe {
        let call: ffi::PyCFunctionFast = std::mem::transmute(original(PLACE));
        let _hook = Hook::new();
        call(this, args, count)
    }
}

unsafe extern "C" fn close<const PLACE: usize>(
    this: *mut PyObject,
    nothing: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `next`.
    unsafe {
        let call: ffi::PyCFunction = std::mem::transmute(original(PLACE));
        let _hook = Hook::new();
        call(this, nothing)
    }
}

unsafe extern "C" fn next_throw<const PLACE: usize>(this: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `next`.
    unsafe {
        let call: ffi::iternextfunc = std::mem::transmute(original(PLACE));
        let _hook = Hook::new();
        call(this)
    }
}

unsafe extern "C" fn finalize<const PLACE: usize>(this: *mut PyObject) {
    // SAFETY: as `next`; only generators and coroutines have this.
    unsafe {
        let call: ffi::destructor = std::mem::transmute(original(PLACE));
        if (*this.cast::<Generator>()).state >= 0 {
            return call(this);
        }
        let _hook = Hook::new();
        call(this);
    }
}

/// Puts a function in the place of another.
macro_rules! replace {
    ($place:expr, $target:expr, $function:expr) => {
        let target: *mut usize = $target;
        ORIGINALS[$place].store(*target, Ordering::Relaxed);
        *target = $function as *const () as usize;
    };
}

/// Replaces what resumes generators, once.
///
/// # Safety
/// The GIL is held.
pub unsafe fn prepare_generators() {
    static ONCE: Once = Once::new();
    // SAFETY: CPython's types are static and writable; each place gets a function of the type of
    // what was there, which it goes on to call.
    ONCE.call_once(|| unsafe { replace_all() });
}

unsafe fn replace_all() {
    // SAFETY: as `prepare_generators`.
    unsafe {
        let generators = &raw mut ffi::PyGen_Type;
        let coroutines = &raw mut PyCoro_Type;
        let asynchronous = &raw mut ffi::PyAsyncGen_Type;
        let awaited = &raw mut _PyCoroWrapper_Type;
        let sends = &raw mut _PyAsyncGenASend_Type;
        let throws = &raw mut _PyAsyncGenAThrow_Type;

        replace!(0, next_slot(generators), next::<0, DIRECT>);
        replace!(1, send_slot_of(generators), send_slot::<1>);
        replace!(2, method(generators, c"send"), send::<2, DIRECT>);
        replace!(3, method(generators, c"throw"), throw::<3>);
        replace!(4, method(generators, c"close"), close::<4>);
        replace!(5, finalizer(generators), finalize::<5>);

        replace!(6, send_slot_of(coroutines), send_slot::<6>);
        replace!(7, method(coroutines, c"send"), send::<7, DIRECT>);
        replace!(8, method(coroutines, c"throw"), throw::<8>);
        replace!(9, method(coroutines, c"close"), close::<9>);
        replace!(10, finalizer(coroutines), finalize::<10>);

        replace!(11, send_slot_of(asynchronous), send_slot::<11>);
        replace!(12, finalizer(asynchronous), finalize::<12>);

        replace!(13, next_slot(awaited), next::<13, ASKS>);
        replace!(14, method(awaited, c"send"), send::<14, ASKS>);
        replace!(15, method(awaited, c"throw"), throw::<15>);
        replace!(16, method(awaited, c"close"), close::<16>);

        replace!(17, next_slot(sends), next::<17, ASKS>);
        replace!(18, method(sends, c"send"), send::<18, ASKS>);
        replace!(19, method(sends, c"throw"), throw::<19>);

        replace!(20, next_slot(throws), next_throw::<20>);
        replace!(21, method(throws, c"send"), close::<21>);
        replace!(22, method(throws, c"throw"), throw::<22>);

        let frames = &raw mut ffi::PyFrame_Type;
        replace!(23, method(frames, c"clear"), close::<23>);

        for (ty, name, function) in [
            (generators, c"__next__", *next_slot(generators)),
            (awaited, c"__next__", *next_slot(awaited)),
            (sends, c"__next__", *next_slot(sends)),
            (throws, c"__next__", *next_slot(throws)),
            (generators, c"__del__", *finalizer(generators)),
            (coroutines, c"__del__", *finalizer(coroutines)),
            (asynchronous, c"__del__", *finalizer(asynchronous)),
        ] {
            replace_wrapped(ty, name, function);
        }
    }
}

unsafe fn next_slot(ty: *mut PyTypeObject) -> *mut usize {
    // SAFETY: an optional function is as large as a number.
    unsafe { (&raw mut (*ty).tp_iternext).cast() }
}

unsafe fn finalizer(ty: *mut PyTypeObject) -> *mut usize {
    // SAFETY: as `next_slot`.
    unsafe { (&raw mut (*ty).tp_finalize).cast() }
}

unsafe fn send_slot_of(ty: *mut PyTypeObject) -> *mut usize {
    // SAFETY: as `next_slot`; these types have such methods.
    unsafe { (&raw mut (*(*ty).tp_as_async).am_send).cast() }
}

/// The function of a type's method.
unsafe fn method(ty: *mut PyTypeObject, name: &CStr) -> *mut usize {
    // SAFETY: the caller names a method that the type has.
    unsafe {
        let mut method = (*ty).tp_methods;
        while !same((*method).ml_name, name) {
            method = method.add(1);
        }
        (&raw mut (*method).ml_meth).cast()
    }
}

unsafe fn same(text: *const c_char, name: &CStr) -> bool {
    // SAFETY: the names of methods are C strings.
    unsafe { CStr::from_ptr(text) == name }
}

/// Makes a type's method that stands for a slot call what is in the slot now.
unsafe fn replace_wrapped(ty: *mut PyTypeObject, name: &CStr, function: usize) {
    // SAFETY: the dict of a type is there, and CPython made these of their slots.
    unsafe {
        let wrapper = ffi::PyDict_GetItemString((*ty).tp_dict, name.as_ptr());
        if !wrapper.is_null() {
            let wrapper = wrapper.cast::<ffi::PyWrapperDescrObject>();
            (*wrapper).d_wrapped = function as *mut c_void;
        }
    }
}
