//! Functions as arguments: compiled functions, Python functions, which are compiled for it, and builtins
//! that the compiler knows by name.
//!
//! A function that takes another one is compiled for it, so a function's type says which one it is. Such
//! an argument has no slots. A function keeps its number as long as the process lives, and is kept alive.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

#[derive(Default)]
struct Functions {
    /// Each function, and its type in the compiler's text form.
    known: Vec<(Py<PyAny>, String)>,
    by_address: HashMap<usize, u32>,
}

static FUNCTIONS: LazyLock<Mutex<Functions>> = LazyLock::new(Mutex::default);

fn functions() -> MutexGuard<'static, Functions> {
    // A panic leaves the tables as they were before or after an entry.
    FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of a function; `None` for what compiled code can't call.
pub fn slot(object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    let address = object.as_ptr().addr();
    if let Some(slot) = functions().by_address.get(&address) {
        return Ok(Some(*slot));
    }
    let describe = object
        .py()
        .import("pyopt.bindings")?
        .getattr("argument_type")?;
    let Some(text) = describe.call1((object,))?.extract::<Option<String>>()? else {
        return Ok(None);
    };
    let mut functions = functions();
    // Methods are made anew at each access; another thread may have been here meanwhile.
    if let Some(slot) = functions.known.iter().position(|(_, known)| *known == text) {
        return Ok(u32::try_from(slot).ok());
    }
    let slot = u32::try_from(functions.known.len()).expect("there are fewer functions");
    functions.known.push((object.clone().unbind(), text));
    functions.by_address.insert(address, slot);
    Ok(Some(slot))
}

/// The type of a function, in the compiler's text form.
pub fn text(slot: u32) -> String {
    functions().known[slot as usize].1.clone()
}

/// The number of the function with a type.
pub fn find(text: &str) -> Option<u32> {
    let functions = functions();
    let slot = functions.known.iter().position(|(_, known)| known == text);
    slot.and_then(|slot| u32::try_from(slot).ok())
}

/// A new reference to the function with a number.
///
/// # Safety
/// The GIL is held.
pub unsafe fn object(slot: u32) -> *mut PyObject {
    // SAFETY: the table keeps the object alive, and the caller holds the GIL.
    unsafe { ffi::Py_NewRef(functions().known[slot as usize].0.as_ptr()) }
}
