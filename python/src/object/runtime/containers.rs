//! Building containers, slices and text.

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, Py_ssize_t, PyObject};

use super::errors::{raise, raised, type_name};
use super::starred::merge_keywords;

unsafe extern "C" {
    fn _PyUnicode_JoinArray(
        separator: *mut PyObject,
        items: *const *mut PyObject,
        count: Py_ssize_t,
    ) -> *mut PyObject;
    fn _PyList_Extend(list: *mut PyObject, iterable: *mut PyObject) -> *mut PyObject;
    fn _PySet_Update(set: *mut PyObject, iterable: *mut PyObject) -> c_int;
}

unsafe fn release_all(items: *const *mut PyObject, count: usize) {
    for index in 0..count {
        // SAFETY: the caller owns so many references there.
        unsafe { ffi::Py_DECREF(*items.add(index)) }
    }
}

/// A tuple of items, whose references it takes over.
pub unsafe extern "C" fn build_tuple(items: *const *mut PyObject, count: usize) -> *mut PyObject {
    // SAFETY: the conventions of the module; a new tuple's places are filled before it is seen.
    unsafe {
        let made = ffi::PyTuple_New(count as Py_ssize_t);
        if made.is_null() {
            release_all(items, count);
            return made;
        }
        for index in 0..count {
            ffi::PyTuple_SET_ITEM(made, index as Py_ssize_t, *items.add(index));
        }
        made
    }
}

/// A list of items, whose references it takes over.
pub unsafe extern "C" fn build_list(items: *const *mut PyObject, count: usize) -> *mut PyObject {
    // SAFETY: as `build_tuple`.
    unsafe {
        let made = ffi::PyList_New(count as Py_ssize_t);
        if made.is_null() {
            release_all(items, count);
            return made;
        }
        for index in 0..count {
            ffi::PyList_SET_ITEM(made, index as Py_ssize_t, *items.add(index));
        }
        made
    }
}

/// The container, or null in its place when something raised.
unsafe fn unless_raised(made: *mut PyObject, raised: bool) -> *mut PyObject {
    if !raised {
        return made;
    }
    // SAFETY: the caller owns the container.
    unsafe { ffi::Py_DECREF(made) };
    ptr::null_mut()
}

/// A set of items.
pub unsafe extern "C" fn build_set(items: *const *mut PyObject, count: usize) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let made = ffi::PySet_New(ptr::null_mut());
        if made.is_null() {
            return made;
        }
        let failed = (0..count).any(|index| ffi::PySet_Add(made, *items.add(index)) != 0);
        unless_raised(made, failed)
    }
}

/// A dict of keys and values in turn.
pub unsafe extern "C" fn build_map(items: *const *mut PyObject, count: usize) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let made = ffi::PyDict_New();
        if made.is_null() {
            return made;
        }
        let failed = (0..count / 2).any(|pair| {
            let entry = items.add(2 * pair);
            ffi::PyDict_SetItem(made, *entry, *entry.add(1)) != 0
        });
        unless_raised(made, failed)
    }
}

/// Strings in one.
pub unsafe extern "C" fn build_string(items: *const *mut PyObject, count: usize) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let empty = ffi::PyUnicode_FromStringAndSize(ptr::null(), 0);
        if empty.is_null() {
            return empty;
        }
        let made = _PyUnicode_JoinArray(empty, items, count as Py_ssize_t);
        ffi::Py_DECREF(empty);
        made
    }
}

/// Appends to a list that is being built.
pub unsafe extern "C" fn list_append(list: *mut PyObject, item: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyList_Append(list, item) }
}

/// Extends a list that is being built.
pub unsafe extern "C" fn list_extend(list: *mut PyObject, iterable: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe {
        let none = _PyList_Extend(list, iterable);
        if !none.is_null() {
            ffi::Py_DECREF(none);
            return 0;
        }
        let iterates = (*ffi::Py_TYPE(iterable)).tp_iter.is_some();
        if raised(ffi::PyExc_TypeError) && !iterates && ffi::PySequence_Check(iterable) == 0 {
            ffi::PyErr_Clear();
            raise(PyTypeError::new_err(format!(
                "Value after * must be an iterable, not {}",
                type_name(iterable)
            )));
        }
        -1
    }
}

/// Adds to a set that is being built.
pub unsafe extern "C" fn set_add(set: *mut PyObject, item: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PySet_Add(set, item) }
}

/// Adds all items to a set that is being built.
pub unsafe extern "C" fn set_update(set: *mut PyObject, iterable: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { _PySet_Update(set, iterable) }
}

/// Adds a mapping to a dict that is being built.
pub unsafe extern "C" fn dict_update(dict: *mut PyObject, mapping: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe {
        let status = ffi::PyDict_Update(dict, mapping);
        if status < 0 && raised(ffi::PyExc_AttributeError) {
            ffi::PyErr_Clear();
            let name = type_name(mapping);
            raise(PyTypeError::new_err(format!(
                "'{name}' object is not a mapping"
            )));
        }
        status
    }
}

/// Adds a mapping to the keyword arguments of a call.
pub unsafe extern "C" fn dict_merge(
    dict: *mut PyObject,
    mapping: *mut PyObject,
    callable: *mut PyObject,
) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { merge_keywords(dict, mapping, callable) }
}

/// The tuple of a list.
pub unsafe extern "C" fn list_to_tuple(list: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyList_AsTuple(list) }
}

/// A slice.
pub unsafe extern "C" fn build_slice(
    start: *mut PyObject,
    stop: *mut PyObject,
    step: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PySlice_New(start, stop, step) }
}

/// A replacement field: `conversion` is the letter behind `!` or zero, `spec` may be null.
pub unsafe extern "C" fn format(
    value: *mut PyObject,
    conversion: c_int,
    spec: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let converted = match conversion as u8 {
            b's' => ffi::PyObject_Str(value),
            b'r' => ffi::PyObject_Repr(value),
            b'a' => ffi::PyObject_ASCII(value),
            _ => ffi::Py_NewRef(value),
        };
        if converted.is_null() || spec.is_null() && ffi::PyUnicode_CheckExact(converted) != 0 {
            return converted;
        }
        let formatted = ffi::PyObject_Format(converted, spec);
        ffi::Py_DECREF(converted);
        formatted
    }
}
