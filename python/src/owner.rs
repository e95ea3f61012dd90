//! The Python object behind arrays that compiled code allocated: it holds one reference on the owner and
//! gives it up when NumPy drops the last array over it.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyopt_runtime::memory::{Owner, pyopt_release};

#[repr(C)]
struct OwnerObject {
    ob_base: PyObject,
    owner: *mut Owner,
}

static TYPE: AtomicPtr<PyTypeObject> = AtomicPtr::new(ptr::null_mut());

/// Makes the type; part of the extension's initialisation.
pub fn load(py: Python<'_>) -> PyResult<()> {
    let mut slots = [
        ffi::PyType_Slot {
            slot: ffi::Py_tp_dealloc,
            pfunc: dealloc as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: ffi::Py_tp_doc,
            pfunc: c"Memory of a compiled function.".as_ptr() as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: 0,
            pfunc: ptr::null_mut(),
        },
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"pyopt._core.Memory".as_ptr(),
        basicsize: size_of::<OwnerObject>() as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION) as _,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the specification is complete and ends with a zero slot; Python copies what it keeps.
    let ty = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec)) }?;
    TYPE.store(ty.into_ptr().cast(), Ordering::Release);
    Ok(())
}

/// Wraps a reference on an owner; on failure (null, with an exception set) the reference is released.
///
/// # Safety
/// The GIL is held, and the caller gives up one reference on `owner`.
pub unsafe fn to_object(owner: *mut Owner) -> *mut PyObject {
    // SAFETY: the type was made at initialisation, its instances have room for the pointer.
    unsafe {
        let ty = TYPE.load(Ordering::Relaxed);
        let object = ffi::PyType_GenericAlloc(ty, 0);
        if object.is_null() {
            pyopt_release(owner);
        } else {
            (*object.cast::<OwnerObject>()).owner = owner;
        }
        object
    }
}

unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: Python calls this once, for an instance of the type above; an instance of a heap type holds
    // a reference on it.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        pyopt_release((*object.cast::<OwnerObject>()).owner);
        ffi::PyObject_Free(object.cast());
        ffi::Py_DECREF(ty.cast());
    }
}
