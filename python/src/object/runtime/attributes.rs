//! Attributes and methods.

use std::ffi::c_int;

use pyo3::ffi::{self, PyObject};

unsafe extern "C" {
    fn _PyObject_GetMethod(
        object: *mut PyObject,
        name: *mut PyObject,
        method: *mut *mut PyObject,
    ) -> c_int;
}

/// `object.name`.
pub unsafe extern "C" fn load_attribute(
    object: *mut PyObject,
    name: *mut PyObject,
    _cache: *mut usize,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyObject_GetAttr(object, name) }
}

/// `object.name` to be called: a function with `this` set to the object, with a reference of its
/// own, or anything with `this` set to null.
pub unsafe extern "C" fn load_method(
    object: *mut PyObject,
    name: *mut PyObject,
    _cache: *mut usize,
    this: *mut *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; `this` can be written.
    unsafe {
        let mut method = std::ptr::null_mut();
        let unbound = _PyObject_GetMethod(object, name, &raw mut method);
        *this = match unbound {
            0 => std::ptr::null_mut(),
            _ => ffi::Py_NewRef(object),
        };
        method
    }
}

/// `object.name = value`.
pub unsafe extern "C" fn store_attribute(
    object: *mut PyObject,
    name: *mut PyObject,
    value: *mut PyObject,
) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyObject_SetAttr(object, name, value) }
}

/// `del object.name`.
pub unsafe extern "C" fn delete_attribute(object: *mut PyObject, name: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module. Setting to null deletes.
    unsafe { ffi::PyObject_SetAttr(object, name, std::ptr::null_mut()) }
}
