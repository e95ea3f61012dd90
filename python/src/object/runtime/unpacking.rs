//! Unpacking of iterables.

use std::ffi::c_int;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{self, Py_ssize_t, PyObject};

use super::errors::{raise, raised, type_name};

/// Unpacks `before` items, and with `after` not negative a list of the rest and so many items
/// behind it.
pub unsafe extern "C" fn unpack(
    sequence: *mut PyObject,
    before: Py_ssize_t,
    after: Py_ssize_t,
    items: *mut *mut PyObject,
) -> c_int {
    // SAFETY: the conventions of the module; `items` has room for all.
    unsafe {
        if after < 0 && unpack_exact(sequence, before, items) {
            return 0;
        }
        let iterator = ffi::PyObject_GetIter(sequence);
        if iterator.is_null() {
            let iterates = (*ffi::Py_TYPE(sequence)).tp_iter.is_some();
            if raised(ffi::PyExc_TypeError) && !iterates && ffi::PySequence_Check(sequence) == 0 {
                ffi::PyErr_Clear();
                let name = type_name(sequence);
                raise(PyTypeError::new_err(format!(
                    "cannot unpack non-iterable {name} object"
                )));
            }
            return -1;
        }
        let mut made = 0;
        let status = unpack_iterator(iterator, before, after, items, &mut made);
        if status < 0 {
            for index in (0..made).rev() {
                ffi::Py_DECREF(*items.add(index));
            }
        }
        ffi::Py_DECREF(iterator);
        status
    }
}

/// Takes the items of a tuple or list that has exactly so many.
unsafe fn unpack_exact(
    sequence: *mut PyObject,
    count: Py_ssize_t,
    items: *mut *mut PyObject,
) -> bool {
    // SAFETY: as `unpack`; the sizes are compared before items are read.
    unsafe {
        let found = if ffi::PyTuple_CheckExact(sequence) != 0 {
            (&raw mut (*sequence.cast::<ffi::PyTupleObject>()).ob_item).cast()
        } else if ffi::PyList_CheckExact(sequence) != 0 {
            (*sequence.cast::<ffi::PyListObject>()).ob_item
        } else {
            return false;
        };
        if ffi::Py_SIZE(sequence) != count {
            return false;
        }
        for index in 0..count as usize {
            *items.add(index) = ffi::Py_NewRef(*found.add(index));
        }
        true
    }
}

unsafe fn unpack_iterator(
    iterator: *mut PyObject,
    before: Py_ssize_t,
    after: Py_ssize_t,
    items: *mut *mut PyObject,
    made: &mut usize,
) -> c_int {
    // SAFETY: as `unpack`.
    unsafe {
        for index in 0..before {
            let item = ffi::PyIter_Next(iterator);
            if item.is_null() {
                if ffi::PyErr_Occurred().is_null() {
                    raise(too_few(before, after, index));
                }
                return -1;
            }
            *items.add(*made) = item;
            *made += 1;
        }
        if after < 0 {
            let item = ffi::PyIter_Next(iterator);
            if item.is_null() {
                return if ffi::PyErr_Occurred().is_null() {
                    0
                } else {
                    -1
                };
            }
            ffi::Py_DECREF(item);
            raise(PyValueError::new_err(format!(
                "too many values to unpack (expected {before})"
            )));
            return -1;
        }
        let rest = ffi::PySequence_List(iterator);
        if rest.is_null() {
            return -1;
        }
        *items.add(*made) = rest;
        *made += 1;
        let count = ffi::PyList_GET_SIZE(rest);
        if count < after {
            raise(too_few(before, after, before + count));
            return -1;
        }
        for index in count - after..count {
            *items.add(*made) = ffi::Py_NewRef(ffi::PyList_GET_ITEM(rest, index));
            *made += 1;
        }
        ffi::PyList_SetSlice(rest, count - after, count, std::ptr::null_mut())
    }
}

fn too_few(before: Py_ssize_t, after: Py_ssize_t, got: Py_ssize_t) -> pyo3::PyErr {
    let expected = match after {
        ..0 => format!("{before}"),
        _ => format!("at least {}", before + after),
    };
    PyValueError::new_err(format!(
        "not enough values to unpack (expected {expected}, got {got})"
    ))
}
