//! Loops over iterators.

use pyo3::ffi::{self, PyObject};

use super::errors::raised;

/// What [`iterate`] returns when the iterator raised.
const RAISED: *mut PyObject = std::ptr::without_provenance_mut(1);

/// `iter(object)`.
pub unsafe extern "C" fn get_iterator(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe { ffi::PyObject_GetIter(object) }
}

/// The next item; null at the end, [`RAISED`] when the iterator raised.
pub unsafe extern "C" fn iterate(iterator: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module; what `iter` returned has the slot.
    unsafe {
        let Some(next) = (*ffi::Py_TYPE(iterator)).tp_iternext else {
            ffi::PyErr_SetString(
                ffi::PyExc_TypeError,
                c"iter() returned non-iterator".as_ptr(),
            );
            return RAISED;
        };
        let item = next(iterator);
        if item.is_null() && !ffi::PyErr_Occurred().is_null() {
            if !raised(ffi::PyExc_StopIteration) {
                return RAISED;
            }
            ffi::PyErr_Clear();
        }
        item
    }
}
