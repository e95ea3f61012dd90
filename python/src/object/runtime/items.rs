//! Items.

use std::ffi::c_int;

use pyo3::ffi::{self, PyObject};

use super::operators::small_int;

/// The place of an item in a list or tuple: what a small int stands for; none for anything else.
#[inline(always)]
unsafe fn place(object: *mut PyObject, index: *mut PyObject) -> Option<usize> {
    // SAFETY: the caller has compared the type.
    unsafe {
        let (index, size) = (small_int(index)?, ffi::Py_SIZE(object) as i64);
        let index = if index < 0 { index + size } else { index };
        ((index as u64) < size as u64).then_some(index as usize)
    }
}

/// `object[index]`.
pub unsafe extern "C" fn load_item(object: *mut PyObject, index: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
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
        } else if ty == &raw mut ffi::PyList_Type {
            if let Some(place) = place(object, index) {
                let items = (*object.cast::<ffi::PyListObject>()).ob_item;
                return ffi::Py_NewRef(*items.add(place));
            }
        } else if ty == &raw mut ffi::PyTuple_Type
            && let Some(place) = place(object, index)
        {
            return ffi::Py_NewRef(ffi::PyTuple_GET_ITEM(object, place as ffi::Py_ssize_t));
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
    // SAFETY: the conventions of the module. The old item goes when the new one is in its place.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        if ty == &raw mut ffi::PyDict_Type {
            return ffi::PyDict_SetItem(object, index, value);
        }
        if ty == &raw mut ffi::PyList_Type
            && let Some(place) = place(object, index)
        {
            let item = (*object.cast::<ffi::PyListObject>()).ob_item.add(place);
            let old = std::mem::replace(&mut *item, ffi::Py_NewRef(value));
            ffi::Py_DECREF(old);
            return 0;
        }
        ffi::PyObject_SetItem(object, index, value)
    }
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
