//! Suspension, and what `yield from` and `await` delegate to.

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::errors::{raise, type_name};
use crate::object::layout_311::{Frame, Generator, SUSPENDED};

unsafe extern "C" {
    static mut PyCoro_Type: ffi::PyTypeObject;
    static mut _PyAsyncGenWrappedValue_Type: ffi::PyTypeObject;
    fn _PyObject_GC_New(ty: *mut ffi::PyTypeObject) -> *mut PyObject;
}

/// Says that the frame's generator is suspended, with so many values on its stack.
pub unsafe extern "C" fn suspend(frame: *mut Frame, count: c_int) {
    // SAFETY: the conventions of the module; a generator owns the frame.
    unsafe {
        (*frame).stack_top = (*(*frame).code).local_count + count;
        (*Frame::generator(frame)).state = SUSPENDED;
    }
}

/// Takes what was sent from the frame's stack. The values below it are still there, but the
/// caller's from now on.
pub unsafe extern "C" fn resume(frame: *mut Frame) -> *mut PyObject {
    // SAFETY: the conventions of the module; CPython pushed a value.
    unsafe {
        let sent = *Frame::slot(frame, (*frame).stack_top as usize - 1);
        (*frame).stack_top = (*(*frame).code).local_count;
        sent
    }
}

/// Sends a value to a receiver: 0 when that yields, 1 when it has returned.
pub unsafe extern "C" fn send(
    receiver: *mut PyObject,
    value: *mut PyObject,
    result: *mut *mut PyObject,
) -> c_int {
    // SAFETY: the conventions of the module; `result` can be written.
    unsafe {
        match ffi::PyIter_Send(receiver, value, result) {
            ffi::PySendResult::PYGEN_NEXT => 0,
            ffi::PySendResult::PYGEN_RETURN => 1,
            ffi::PySendResult::PYGEN_ERROR => -1,
        }
    }
}

unsafe fn is_coroutine(object: *mut PyObject) -> bool {
    // SAFETY: the object is live.
    unsafe { ffi::Py_TYPE(object) == &raw mut PyCoro_Type }
}

/// Whether `types.coroutine` marked a generator's function.
unsafe fn is_iterable_coroutine(object: *mut PyObject) -> bool {
    // SAFETY: the object is live; the type is checked before the code is asked for.
    unsafe {
        if ffi::Py_TYPE(object) != &raw mut ffi::PyGen_Type {
            return false;
        }
        let object = Bound::from_borrowed_ptr(Python::assume_attached(), object);
        let code = object.getattr("gi_code");
        let flags = code.and_then(|code| code.getattr("co_flags")?.extract::<c_int>());
        flags.is_ok_and(|flags| flags & ffi::CO_ITERABLE_COROUTINE != 0)
    }
}

/// What `yield from` delegates to; `coroutines` says that the function may await one.
pub unsafe extern "C" fn get_delegate(object: *mut PyObject, coroutines: c_int) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        if is_coroutine(object) && coroutines == 0 {
            raise(PyTypeError::new_err(
                "cannot 'yield from' a coroutine object in a non-coroutine generator",
            ));
            return ptr::null_mut();
        }
        if is_coroutine(object) || ffi::Py_TYPE(object) == &raw mut ffi::PyGen_Type {
            return ffi::Py_NewRef(object);
        }
        ffi::PyObject_GetIter(object)
    }
}

unsafe fn async_methods(object: *mut PyObject) -> Option<&'static ffi::PyAsyncMethods> {
    // SAFETY: types keep their methods; the reference is used at once.
    unsafe { (*ffi::Py_TYPE(object)).tp_as_async.as_ref() }
}

/// The iterator of something that can be awaited.
unsafe fn awaitable(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        if is_coroutine(object) || is_iterable_coroutine(object) {
            return ffi::Py_NewRef(object);
        }
        let Some(getter) = async_methods(object).and_then(|methods| methods.am_await) else {
            raise(PyTypeError::new_err(format!(
                "object {} can't be used in 'await' expression",
                type_name(object)
            )));
            return ptr::null_mut();
        };
        let made = getter(object);
        if made.is_null() {
            return made;
        }
        let wrong = if is_coroutine(made) || is_iterable_coroutine(made) {
            "__await__() returned a coroutine".into()
        } else if ffi::PyIter_Check(made) == 0 {
            let name = type_name(made);
            format!("__await__() returned non-iterator of type '{name}'")
        } else {
            return made;
        };
        ffi::Py_DECREF(made);
        raise(PyTypeError::new_err(wrong));
        ptr::null_mut()
    }
}

/// What `await` delegates to. `method` names where the object comes from, or is null.
pub unsafe extern "C" fn get_awaitable(
    object: *mut PyObject,
    method: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let made = awaitable(object);
        if made.is_null() {
            let awaits = async_methods(object).is_some_and(|methods| methods.am_await.is_some());
            if !method.is_null() && !awaits {
                ffi::PyErr_Clear();
                raise(PyTypeError::new_err(format!(
                    "'async with' received an object from {} that does not implement __await__: {}",
                    super::errors::text(method),
                    type_name(object)
                )));
            }
            return made;
        }
        if is_coroutine(made) && (*made.cast::<Generator>()).state == SUSPENDED {
            let held = Bound::from_borrowed_ptr(Python::assume_attached(), made);
            if held.getattr("cr_await").is_ok_and(|inner| !inner.is_none()) {
                ffi::Py_DECREF(made);
                raise(PyRuntimeError::new_err(
                    "coroutine is being awaited already",
                ));
                return ptr::null_mut();
            }
        }
        made
    }
}

/// The asynchronous iterator that `async for` uses.
pub unsafe extern "C" fn get_async_iterator(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let Some(getter) = async_methods(object).and_then(|methods| methods.am_aiter) else {
            raise(PyTypeError::new_err(format!(
                "'async for' requires an object with __aiter__ method, got {}",
                type_name(object)
            )));
            return ptr::null_mut();
        };
        let made = getter(object);
        if !made.is_null() && async_methods(made).is_none_or(|methods| methods.am_anext.is_none()) {
            let name = type_name(made);
            ffi::Py_DECREF(made);
            raise(PyTypeError::new_err(format!(
                "'async for' received an object from __aiter__ that does not implement __anext__: {name}"
            )));
            return ptr::null_mut();
        }
        made
    }
}

/// What to await for the next item.
pub unsafe extern "C" fn get_async_next(iterator: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let Some(getter) = async_methods(iterator).and_then(|methods| methods.am_anext) else {
            raise(PyTypeError::new_err(format!(
                "'async for' requires an iterator with __anext__ method, got {}",
                type_name(iterator)
            )));
            return ptr::null_mut();
        };
        let next = getter(iterator);
        if next.is_null() || ffi::PyAsyncGen_CheckExact(iterator) != 0 {
            return next;
        }
        let made = awaitable(next);
        if made.is_null() {
            let py = Python::assume_attached();
            let cause = PyErr::fetch(py);
            let error = PyTypeError::new_err(format!(
                "'async for' received an invalid object from __anext__: {}",
                type_name(next)
            ));
            let context = cause.clone_ref(py).into_value(py);
            error.set_cause(py, Some(cause));
            let context = context.into_ptr();
            ffi::PyException_SetContext(error.value(py).as_ptr(), context);
            raise(error);
        }
        ffi::Py_DECREF(next);
        made
    }
}

/// Marks a value that an asynchronous generator yields itself.
pub unsafe extern "C" fn wrap_async_value(value: *mut PyObject) -> *mut PyObject {
    /// CPython's wrapper.
    #[repr(C)]
    struct Wrapped {
        base: PyObject,
        value: *mut PyObject,
    }
    // SAFETY: the conventions of the module; the type's instances look so.
    unsafe {
        let made = _PyObject_GC_New(&raw mut _PyAsyncGenWrappedValue_Type);
        if !made.is_null() {
            (*made.cast::<Wrapped>()).value = ffi::Py_NewRef(value);
            ffi::PyObject_GC_Track(made.cast());
        }
        made
    }
}
