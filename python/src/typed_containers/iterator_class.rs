//! The class of iterators of typed containers.

use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;
use std::ptr;

use pyo3::ffi::{self, PyObject, PyTypeObject, visitproc};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::classes::{make_class, or_null, slot};
use super::iterators::{Iterator, View};

/// Layout of an instance.
#[repr(C)]
struct Instance {
    ob_base: PyObject,
    iterator: ManuallyDrop<Iterator>,
}

/// Makes the object of an iterator.
pub fn new<'py>(py: Python<'py>, iterator: Iterator) -> PyResult<Bound<'py, PyAny>> {
    let class = class(py)?.as_ptr().cast::<PyTypeObject>();
    // SAFETY: the class is alive and has room for an instance, which the collector doesn't know yet.
    unsafe {
        let made = ffi::PyType_GenericAlloc(class, 0);
        let made = Bound::from_owned_ptr_or_err(py, made)?;
        let place = &raw mut (*made.as_ptr().cast::<Instance>()).iterator;
        place.write(ManuallyDrop::new(iterator));
        Ok(made)
    }
}

/// Makes the iterator of a view of a dict: of its values, or of its keys with them.
#[pyfunction]
pub fn iterator_of_view<'py>(
    dict: &Bound<'py, PyAny>,
    has_keys: bool,
) -> PyResult<Bound<'py, PyAny>> {
    new(dict.py(), Iterator::View(View::new(dict, has_keys)?))
}

/// The class, made when the first iterator is.
fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = || {
        let slots = [
            slot(ffi::Py_tp_iter, ffi::PyObject_SelfIter as *mut c_void),
            slot(ffi::Py_tp_iternext, next as *mut c_void),
            slot(ffi::Py_tp_traverse, traverse as *mut c_void),
            slot(ffi::Py_tp_dealloc, dealloc as *mut c_void),
        ];
        let flags = ffi::Py_TPFLAGS_DEFAULT
            | ffi::Py_TPFLAGS_HAVE_GC
            | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION;
        let size = size_of::<Instance>();
        make_class(py, c"pyopt.typed.iterator", size, flags, &slots).map(Bound::unbind)
    };
    Ok(CLASS.get_or_try_init(py, make)?.bind(py))
}

unsafe extern "C" fn next(this: *mut PyObject) -> *mut PyObject {
    // SAFETY: Python calls this with an instance, which is complete. A null without an exception is the end.
    unsafe {
        or_null(this, |this| {
            let iterator = &(*this.as_ptr().cast::<Instance>()).iterator;
            let found = iterator.next(this.py())?;
            Ok(found.map_or(ptr::null_mut(), Bound::into_ptr))
        })
    }
}

unsafe extern "C" fn traverse(this: *mut PyObject, visit: visitproc, arg: *mut c_void) -> c_int {
    // SAFETY: the garbage collector calls this with an instance, which is complete; what it holds is alive.
    unsafe {
        let own = ffi::Py_TYPE(this).cast();
        let held = (*this.cast::<Instance>()).iterator.held();
        let objects = std::iter::once(own).chain(held.into_iter().flatten());
        let mut seen = objects.map(|object| visit(object, arg));
        seen.find(|status| *status != 0).unwrap_or(0)
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: Python calls this once, when nobody refers to the instance any more; an instance of a heap
    // type holds a reference on it.
    unsafe {
        ffi::PyObject_GC_UnTrack(this.cast());
        let ty = ffi::Py_TYPE(this);
        ManuallyDrop::drop(&mut (*this.cast::<Instance>()).iterator);
        ffi::PyObject_GC_Del(this.cast());
        ffi::Py_DECREF(ty.cast());
    }
}
