//! Items.

use std::ffi::c_int;

use pyo3::ffi::{self, PyObject};

/// `object[index]`.
pub unsafe extern "C" fn load_item(object: *mut PyObject, index: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyObject_GetItem(object, index) }
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
