//! What an object that compiled code takes is, where its class alone doesn't say.

use std::ffi::CStr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::Failure;
use crate::numpy::{Descr, api};
use crate::types::{Elem, LiteralKind, TypeDesc};

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

/// What one of this package's own types says where it is passed itself.
pub(super) enum Named {
    /// Of numbers, such as `types.int32`, the element type.
    Number(Elem),
    /// Of `types.literal("text")` the text, which the type keeps.
    Text(*mut PyObject),
}

/// What an object says as a type of this package; `None` for what isn't one, or says nothing.
///
/// # Safety
/// The GIL is held and `object` is alive.
pub(super) unsafe fn named_type(object: *mut PyObject) -> Result<Option<Named>, Failure> {
    // SAFETY: forwarded.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    let named = || -> PyResult<Option<Named>> {
        let types = object.py().import("pyopt.types")?;
        if !object.is_instance(&types.getattr("Type")?)? {
            return Ok(None);
        }
        let text: String = object.getattr("text")?.extract()?;
        Ok(match TypeDesc::parse(&text) {
            Ok(TypeDesc::Scalar(elem)) => Some(Named::Number(elem)),
            Ok(TypeDesc::Literal(LiteralKind::Text, _)) => {
                let text = object.getattr("literal_value")?;
                Some(Named::Text(text.cast::<PyString>()?.as_ptr()))
            }
            _ => None,
        })
    };
    named().map_err(|error| {
        error.restore(object.py());
        Failure::Raised
    })
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
