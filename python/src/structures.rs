//! Structures that compiled code and Python share: in Python an object that holds the memory.
//!
//! Compiled code has such a structure as a list of one tuple, which is never copied. The stand-in of its
//! type (`pyopt.own_types`) has it as its one item.

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyopt_runtime::memory::{Owner, OwnerRef};

use crate::fingerprint;
use crate::types::{Class, TypeDesc};

/// The name of the one field of a structure's stand-in, which is no name of Python's.
const FIELD: &str = ".&structure";

/// The memory of a structure.
#[pyclass(frozen, module = "pyopt._core")]
pub struct Structure {
    owner: OwnerRef,
    /// The words of its type.
    words: Vec<u64>,
}

#[pymethods]
impl Structure {
    /// How many references there are.
    #[getter]
    fn refcount(&self) -> i64 {
        self.owner.refcount()
    }

    /// Where the memory is.
    #[getter]
    fn address(&self) -> usize {
        self.owner.as_ptr().addr()
    }
}

/// Whether a class stands for structures.
pub fn is_structure(class: &Class) -> bool {
    matches!(class, Class::Named { fields, .. } if matches!(&fields[..], [one] if one == FIELD))
}

/// The words of the type and the memory of a structure; `None` for any other object.
///
/// # Safety
/// The GIL is held, and `object` is alive as long as what is returned is in use.
pub unsafe fn of_object<'a>(object: *mut PyObject) -> Option<(&'a [u64], *mut Owner)> {
    // SAFETY: the GIL is held. A frozen class's fields stay where they are as long as the object lives.
    unsafe {
        let object = Bound::from_borrowed_ptr(Python::assume_attached(), object);
        let structure: *const Structure = object.cast::<Structure>().ok()?.get();
        Some((&(*structure).words, (*structure).owner.as_ptr()))
    }
}

/// Makes the items of a stand-in for memory of which the reference is used up; null with an exception set
/// if that fails.
///
/// # Safety
/// The GIL is held, and the caller gives up one reference on `owner`, a structure whose fields are `item`.
pub unsafe fn to_items(item: &TypeDesc, owner: *mut Owner) -> *mut PyObject {
    let mut words = vec![fingerprint::LIST_OF];
    fingerprint::encode(item, &mut words);
    // SAFETY: the caller holds the GIL and gives the reference up; the tuple takes its own on the object.
    unsafe {
        let py = Python::assume_attached();
        let Some(owner) = OwnerRef::from_raw(owner) else {
            ffi::PyErr_BadInternalCall();
            return std::ptr::null_mut();
        };
        match Py::new(py, Structure { owner, words }) {
            Ok(made) => ffi::PyTuple_Pack(1, made.as_ptr()),
            Err(error) => {
                error.restore(py);
                std::ptr::null_mut()
            }
        }
    }
}
