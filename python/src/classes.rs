//! The classes of named tuples that compiled code has met, by number.
//!
//! A class keeps its number as long as the process lives, and is kept alive: compiled functions and
//! fingerprints hold the number.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::types::Class;

/// A class and what the compiler knows of it.
struct Known {
    object: Py<PyType>,
    class: Class,
}

#[derive(Default)]
struct Classes {
    known: Vec<Known>,
    by_address: HashMap<usize, u32>,
}

static CLASSES: LazyLock<Mutex<Classes>> = LazyLock::new(Mutex::default);

fn classes() -> MutexGuard<'static, Classes> {
    // A panic leaves the tables as they were before or after an entry.
    CLASSES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of a class of named tuples.
pub fn slot(class: &Bound<'_, PyType>) -> PyResult<u32> {
    let address = class.as_ptr().addr();
    if let Some(slot) = classes().by_address.get(&address) {
        return Ok(*slot);
    }
    let fields: Vec<String> = class.getattr("_fields")?.extract()?;
    let name = class.name()?.to_string();
    let mut classes = classes();
    let slot = u32::try_from(classes.known.len()).expect("there are fewer classes");
    classes.known.push(Known {
        object: class.clone().unbind(),
        class: Class::Named { slot, name, fields },
    });
    classes.by_address.insert(address, slot);
    Ok(slot)
}

/// What the compiler calls a class.
pub fn describe(slot: u32) -> Class {
    classes().known[slot as usize].class.clone()
}

/// The number of a class, for the compiler's bindings.
#[pyfunction]
pub fn named_tuple_slot(class: &Bound<'_, PyType>) -> PyResult<u32> {
    slot(class)
}

/// Makes a named tuple of a tuple, as the class's `_make` does; null with an exception set if that
/// fails.
///
/// # Safety
/// The GIL is held, `items` is a tuple of as many items as the class has fields.
pub unsafe fn instance(slot: u32, items: *mut PyObject) -> *mut PyObject {
    // SAFETY: the GIL is held, as the caller says; the class is alive as long as the process.
    unsafe {
        let class = {
            let py = Python::assume_attached();
            classes().known[slot as usize].object.clone_ref(py)
        };
        let arguments = ffi::PyTuple_Pack(1, items);
        if arguments.is_null() {
            return arguments;
        }
        let new = ffi::PyTuple_Type.tp_new.expect("tuples can be made");
        let made = new(class.as_ptr().cast(), arguments, std::ptr::null_mut());
        ffi::Py_DECREF(arguments);
        made
    }
}
