//! Arrays as other libraries take them: DLPack's structures.

use std::ffi::c_void;
use std::ptr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use crate::detached::attach;

/// `DLTensor`.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_kind: i32,
    device_number: i32,
    ndim: i32,
    kind: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
struct ManagedTensor {
    tensor: Tensor,
    context: *mut c_void,
    delete: unsafe extern "C" fn(*mut ManagedTensor),
}

/// What a tensor keeps alive.
struct Kept {
    _owner: Py<PyAny>,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

/// Of a capsule that nobody has taken yet.
const NAME: &std::ffi::CStr = c"dltensor";

/// The capsule of an array at an address of a device, whose memory `owner` keeps alive. The strides are in
/// elements.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the structure's fields")]
pub fn dlpack_capsule(
    py: Python<'_>,
    owner: Py<PyAny>,
    address: u64,
    device: (i32, i32),
    kind: u8,
    bits: u8,
    shape: Vec<i64>,
    strides: Vec<i64>,
) -> PyResult<Py<PyAny>> {
    let mut kept = Box::new(Kept {
        _owner: owner,
        shape,
        strides,
    });
    let tensor = Tensor {
        data: ptr::without_provenance_mut(address as usize),
        device_kind: device.0,
        device_number: device.1,
        ndim: kept.shape.len() as i32,
        kind,
        bits,
        lanes: 1,
        shape: kept.shape.as_mut_ptr(),
        strides: kept.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let managed = Box::into_raw(Box::new(ManagedTensor {
        tensor,
        context: Box::into_raw(kept).cast(),
        delete,
    }));
    // SAFETY: the GIL is held, and the name stays. Without a capsule the tensor is nobody's.
    unsafe {
        let capsule = ffi::PyCapsule_New(managed.cast(), NAME.as_ptr(), Some(drop_capsule));
        if capsule.is_null() {
            delete(managed);
        }
        Bound::from_owned_ptr_or_err(py, capsule).map(Bound::unbind)
    }
}

/// Whoever took the tensor calls this, on any thread.
unsafe extern "C" fn delete(managed: *mut ManagedTensor) {
    // SAFETY: it is called once, with what `dlpack_capsule` made.
    unsafe {
        let managed = Box::from_raw(managed);
        let kept = Box::from_raw(managed.context.cast::<Kept>());
        if ffi::Py_IsInitialized() != 0 {
            attach(|_| drop(kept));
        } else {
            std::mem::forget(kept);
        }
    }
}

unsafe extern "C" fn drop_capsule(capsule: *mut PyObject) {
    // SAFETY: the capsule is one of `dlpack_capsule`; one that was taken has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr());
            delete(managed.cast());
        }
    }
}
