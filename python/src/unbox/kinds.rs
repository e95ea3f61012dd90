//! What an object that compiled code takes is, where its class alone doesn't say.

use std::ffi::CStr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::Failure;
use crate::numpy::{Descr, api};
use crate::types::{Elem, TypeDesc};

/// The element type that `numpy.float64` or `numpy.dtype('f8')` names.
///
/// # Safety
/// The GIL is held and `object` is alive.
pub(super) unsafe fn dtype_elem(object: *mut PyObject) -> Option<Elem> {
    // SAFETY: the type of the object is checked before it is read as such.
    unsafe {
        if ffi::PyType_Check(object) != 0 {
            api().scalar_elem(object.cast())
        } else if ffi::PyType_IsSubtype(ffi::Py_TYPE(object), api().descr_type) != 0 {
            api().elem(object.cast::<Descr>())
        } else {
            None
        }
    }
}

/// The element type that one of this package's own types of numbers is, such as `types.int32`.
///
/// # Safety
/// The GIL is held and `object` is alive.
pub(super) unsafe fn number_type(object: *mut PyObject) -> Result<Option<Elem>, Failure> {
    // SAFETY: forwarded.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let text = || -> PyResult<Option<String>> {
        let types = object.py().import("pyopt.types")?;
        match object.is_instance(&types.getattr("Type")?)? {
            true => object.getattr("text")?.extract().map(Some),
            false => Ok(None),
        }
    };
    match text() {
        Ok(text) => Ok(match TypeDesc::parse(&text.unwrap_or_default()) {
            Ok(TypeDesc::Scalar(elem)) => Some(elem),
            _ => None,
        }),
        Err(error) => {
            error.restore(object.py());
            Err(Failure::Raised)
        }
    }
}

/// The text of `types.literal("text")`, which the type keeps; `None` for any other object.
///
/// # Safety
/// The GIL is held and `object` is alive.
pub(super) unsafe fn literal_text(object: *mut PyObject) -> Option<*mut PyObject> {
    // SAFETY: forwarded.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let types = object.py().import("pyopt.types").ok()?;
    let kind = types.getattr("StringLiteral").ok()?;
    let is_literal = object.is_instance(&kind).unwrap_or(false);
    let text = is_literal.then(|| object.getattr("literal_value").ok())??;
    text.is_exact_instance_of::<PyString>()
        .then(|| text.as_ptr())
}

/// Whether an object is a container of which compiled code knows the class alone.
///
/// # Safety
/// The GIL is held and `object` is alive.
pub(super) unsafe fn is_container(object: *mut PyObject) -> bool {
    // SAFETY: the type of a live object is readable.
    unsafe {
        let ty = ffi::Py_TYPE(object);
        let is_text = ffi::PyType_IsSubtype(ty, &raw mut ffi::PyUnicode_Type) != 0;
        let mapping = (*ty).tp_as_mapping.as_ref();
        let sequence = (*ty).tp_as_sequence.as_ref();
        let has_length = mapping.is_some_and(|slots| slots.mp_length.is_some())
            || sequence.is_some_and(|slots| slots.sq_length.is_some());
        has_length && !is_text
    }
}

/// Whether a class is that of NumPy's scalars of text, which are texts of Python's.
///
/// # Safety
/// The class is alive, and the caller holds the GIL.
pub(super) unsafe fn is_numpy_text(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: a class has a name.
    unsafe {
        ffi::PyType_IsSubtype(class, &raw mut ffi::PyUnicode_Type) != 0
            && CStr::from_ptr((*class).tp_name).to_bytes() == b"numpy.str_"
    }
}

/// Whether a class is NumPy's `MaskedArray` or derived from it.
///
/// # Safety
/// The class is ready and alive, and the caller holds the GIL.
pub(super) unsafe fn is_masked(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: the MRO of a class that is ready is a tuple of classes.
    unsafe {
        let order = (*class).tp_mro;
        (0..ffi::PyTuple_GET_SIZE(order)).any(|at| {
            let base = ffi::PyTuple_GET_ITEM(order, at).cast::<ffi::PyTypeObject>();
            let name = CStr::from_ptr((*base).tp_name).to_bytes();
            name.rsplit(|byte| *byte == b'.').next() == Some(b"MaskedArray")
        })
    }
}
