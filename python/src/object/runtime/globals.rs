//! Global names and builtins.

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::PyNameError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::cells::raise_name;
use super::errors::{raise, raised, text};
use crate::object::layout_311::Frame;
use crate::object::layout_311::attributes::Dict;

/// What was found last; all zero at first.
#[repr(C)]
pub struct GlobalCache {
    /// The version of the globals that the name was in, or was not.
    globals: u64,
    /// The version of the builtins that the name was in; zero for a global. The versions of dicts
    /// are unique in the process.
    builtins: u64,
    /// What the name was: lives while that dict has not changed.
    value: *mut PyObject,
    /// The entry of a global.
    index: usize,
}

unsafe fn version(dict: *mut PyObject) -> u64 {
    // SAFETY: the caller has a dict.
    unsafe { (*dict.cast::<Dict>()).version }
}

/// A global name, else a builtin.
pub unsafe extern "C" fn load_global(
    frame: *mut Frame,
    name: *mut PyObject,
    cache: *mut GlobalCache,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; globals of a function are a dict, and a value that
    // is found stays as long as the dict doesn't change.
    unsafe {
        let (globals, builtins) = ((*frame).globals, (*frame).builtins);
        let known = &mut *cache;
        let same = known.builtins == 0 || known.builtins == version(builtins);
        if known.globals == version(globals) && same {
            return ffi::Py_NewRef(known.value);
        }
        look_up(globals, builtins, name, known)
    }
}

unsafe fn look_up(
    globals: *mut PyObject,
    builtins: *mut PyObject,
    name: *mut PyObject,
    cache: &mut GlobalCache,
) -> *mut PyObject {
    // SAFETY: as `load_global`.
    unsafe {
        if known_to_builtins(globals, builtins, name, cache) {
            cache.globals = version(globals);
            return ffi::Py_NewRef(cache.value);
        }
        if ffi::PyDict_CheckExact(globals) == 0 || ffi::PyDict_CheckExact(builtins) == 0 {
            return look_up_mappings(globals, builtins, name);
        }
        // Globals change often, but not where they are.
        let mut value = match cache.globals {
            0 => ptr::null_mut(),
            _ => Dict::at(globals.cast(), cache.index as u32, name),
        };
        if value.is_null() {
            value = ffi::PyDict_GetItemWithError(globals, name);
            cache.index = Dict::find(globals.cast(), name).map_or(0, |index| index as usize);
        }
        let is_global = !value.is_null();
        if !is_global {
            if !ffi::PyErr_Occurred().is_null() {
                return ptr::null_mut();
            }
            value = ffi::PyDict_GetItemWithError(builtins, name);
        }
        if value.is_null() {
            if ffi::PyErr_Occurred().is_null() {
                raise_name(name, format!("name '{}' is not defined", text(name)));
            }
            return ptr::null_mut();
        }
        cache.globals = version(globals);
        cache.builtins = if is_global { 0 } else { version(builtins) };
        cache.value = value;
        ffi::Py_NewRef(value)
    }
}

/// Whether a name that was a builtin still is: the builtins haven't changed, and the globals, which
/// have, still lack it.
unsafe fn known_to_builtins(
    globals: *mut PyObject,
    builtins: *mut PyObject,
    name: *mut PyObject,
    cache: &GlobalCache,
) -> bool {
    // SAFETY: as `load_global`; a version that isn't zero is that of dicts.
    unsafe {
        cache.builtins != 0
            && cache.builtins == version(builtins)
            && ffi::PyDict_CheckExact(globals) != 0
            && Dict::lacks(globals.cast(), name)
    }
}

/// As CPython does it when one of them is no dict.
#[cold]
unsafe fn look_up_mappings(
    globals: *mut PyObject,
    builtins: *mut PyObject,
    name: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `load_global`.
    unsafe {
        for mapping in [globals, builtins] {
            let value = ffi::PyObject_GetItem(mapping, name);
            if !value.is_null() {
                return value;
            }
            if !raised(ffi::PyExc_KeyError) {
                return ptr::null_mut();
            }
            ffi::PyErr_Clear();
        }
        raise_name(name, format!("name '{}' is not defined", text(name)));
        ptr::null_mut()
    }
}

/// Assigns to a global name.
pub unsafe extern "C" fn store_global(
    frame: *mut Frame,
    name: *mut PyObject,
    value: *mut PyObject,
) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyDict_SetItem((*frame).globals, name, value) }
}

/// Deletes a global name.
pub unsafe extern "C" fn delete_global(frame: *mut Frame, name: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe {
        let status = ffi::PyDict_DelItem((*frame).globals, name);
        if status != 0 && raised(ffi::PyExc_KeyError) {
            ffi::PyErr_Clear();
            raise_name(name, format!("name '{}' is not defined", text(name)));
        }
        status
    }
}

/// `__build_class__` of the frame's builtins.
pub unsafe extern "C" fn load_build_class(frame: *mut Frame) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let py = Python::assume_attached();
        let name = pyo3::intern!(py, "__build_class__");
        let found = ffi::PyObject_GetItem((*frame).builtins, name.as_ptr());
        if found.is_null() && raised(ffi::PyExc_KeyError) {
            ffi::PyErr_Clear();
            raise(PyNameError::new_err("__build_class__ not found"));
        }
        found
    }
}

/// The class that `assert` raises.
pub unsafe extern "C" fn load_assertion_error() -> *mut PyObject {
    // SAFETY: the class lives as long as the interpreter.
    unsafe { ffi::Py_NewRef(ffi::PyExc_AssertionError) }
}
