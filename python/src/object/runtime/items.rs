//! Items.

use std::ffi::c_int;

use pyo3::ffi::{self, PyObject};

use super::operators::small_int;

/// `object[index]`.
pub unsafe extern "C" fn load_item(object: *mut PyObject, index: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module; types and indices are checked before items are read.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        if ty == &raw mut ffi::PyDict_Type {
            let found = ffi::PyDict_GetItemWithError(object, index);
            if !found.is_null() {
                return ffi::Py_NewRef(found);
            }
            if !ffi::PyErr_Occurred().is_null() {
                return found;
            }
        } else if let Some(index) = small_int(index).and_then(|index| usize::try_from(index).ok()) {
            let count = || ffi::Py_SIZE(object) as usize;
            let index = index as ffi::Py_ssize_t;
            if ty == &raw mut ffi::PyList_Type && (index as usize) < count() {
                return ffi::Py_NewRef(ffi::PyList_GET_ITEM(object, index));
            }
            if ty == &raw mut ffi::PyTuple_Type && (index as usize) < count() {
                return ffi::Py_NewRef(ffi::PyTuple_GET_ITEM(object, index));
            }
        }
        ffi::PyObject_GetItem(object, index)
    }
}

/// `object[index] = value`.
pub unsafe extern "C" fn store_item(
    object: *mut PyObject,
    index: *mut PyObject,
    value: *mut PyObject,
) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyObject_SetItem(object, index, value) }
}

/// `del object[index]`.
pub unsafe extern "C" fn delete_item(object: *mut PyObject, index: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyObject_DelItem(object, index) }
}

/// `len(object)` as an int.
pub unsafe extern "C" fn length(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        match ffi::PyObject_Length(object) {
            -1 => std::ptr::null_mut(),
            length => ffi::PyLong_FromSsize_t(length),
        }
    }
}
