//! Structures that compiled code and Python share: in Python an object that holds the memory.
//!
//! Compiled code has such a structure as a list of one tuple, which is never copied. The stand-in of its
//! type (`pyopt.own_types`) has it as its one item.

use std::sync::OnceLock;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyopt_runtime::memory::{Owner, OwnerRef};
use pyopt_runtime::sharing::Root;

use crate::fingerprint;
use crate::typed_containers::Description;
use crate::types::{Class, TypeDesc};

/// The name of the one field of a structure's stand-in, which is no name of Python's.
const FIELD: &str = ".&structure";

/// The name of that of a container of which nobody says what it holds.
const OPEN_FIELD: &str = ".&structure.open";

/// That of the types of global containers, which nothing changes.
const CONSTANT_FIELD: &str = ".&structure.constant";

/// That of tuples of any length.
const TUPLE_FIELD: &str = ".&structure.tuple";

/// The memory of a structure.
#[pyclass(frozen, module = "pyopt._core")]
pub struct Structure {
    owner: OwnerRef,
    /// The words of its type.
    words: Vec<u64>,
    /// Whether its type has room for others in it.
    is_deep: bool,
    /// The number of the class that stands for it.
    slot: u32,
    /// What is known of its type, of a container that Python code uses.
    description: OnceLock<&'static Description>,
}

impl Structure {
    /// What a call is given that gets this.
    #[inline]
    pub fn root(&self) -> Root {
        Root {
            owner: self.owner.as_ptr(),
            is_deep: self.is_deep,
        }
    }

    /// What is known of its type.
    #[inline]
    pub fn description(&self) -> &'static Description {
        self.description.get().copied().unwrap_or_else(|| {
            let found = Description::of(self.slot, &self.words);
            // What another thread may have put there is the same.
            let _ = self.description.set(found);
            found
        })
    }
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
    slot(class).is_some()
}

/// The number of a class that stands for structures; `None` of any other one.
pub fn slot(class: &Class) -> Option<u32> {
    let Class::Named { fields, slot, .. } = class else {
        return None;
    };
    const FIELDS: [&str; 4] = [FIELD, OPEN_FIELD, CONSTANT_FIELD, TUPLE_FIELD];
    matches!(&fields[..], [one] if FIELDS.contains(&&**one)).then_some(*slot)
}

/// The words of the type and the memory of a structure; `None` for any other object.
///
/// # Safety
/// The GIL is held, and `object` is alive as long as what is returned is in use.
pub unsafe fn of_object<'a>(object: *mut PyObject) -> Option<(&'a [u64], Root)> {
    // SAFETY: the GIL is held. A frozen class's fields stay where they are as long as the object lives.
    unsafe {
        let object = Bound::from_borrowed_ptr(Python::assume_attached(), object);
        let structure: *const Structure = object.cast::<Structure>().ok()?.get();
        Some((&(*structure).words, (*structure).root()))
    }
}

/// Whether the fields of a structure refer to others: directly, or as items of the list, dict or set that it
/// holds.
fn is_deep(fields: &TypeDesc) -> bool {
    let TypeDesc::Tuple(fields) = fields else {
        return true;
    };
    fields.iter().any(|field| match field {
        TypeDesc::List(Some(item)) | TypeDesc::Set(Some(item)) => {
            matches!(&**item, TypeDesc::Tuple(none) if none.is_empty()) || has_containers(item)
        }
        TypeDesc::Dict(Some(parts)) => parts.iter().any(has_containers),
        other => has_containers(other),
    })
}

/// Whether values of a type refer to containers or structures.
fn has_containers(ty: &TypeDesc) -> bool {
    match ty {
        TypeDesc::List(_) | TypeDesc::Dict(_) | TypeDesc::Set(_) => true,
        TypeDesc::Tuple(items) | TypeDesc::Sequence(_, items) => items.iter().any(has_containers),
        TypeDesc::Optional(inner) => has_containers(inner),
        _ => false,
    }
}

/// Makes the items of a stand-in for memory of which the reference is used up; null with an exception set
/// if that fails.
///
/// # Safety
/// The GIL is held, and the caller gives up one reference on `owner`, a structure whose fields are `item`; `slot`
/// is the number of the class that stands for it.
pub unsafe fn to_items(slot: u32, item: &TypeDesc, owner: *mut Owner) -> *mut PyObject {
    let mut words = vec![fingerprint::LIST_OF];
    fingerprint::encode(item, &mut words);
    // SAFETY: the caller holds the GIL and gives the reference up; the tuple takes its own on the object.
    unsafe {
        let py = Python::assume_attached();
        let Some(owner) = OwnerRef::from_raw(owner) else {
            ffi::PyErr_BadInternalCall();
            return std::ptr::null_mut();
        };
        let made = Structure {
            owner,
            words,
            is_deep: is_deep(item),
            slot,
            description: OnceLock::new(),
        };
        // What isn't bound would be released by the next call of PyO3's that attaches, whenever that comes.
        match Bound::new(py, made) {
            Ok(made) => ffi::PyTuple_Pack(1, made.as_ptr()),
            Err(error) => {
                error.restore(py);
                std::ptr::null_mut()
            }
        }
    }
}
