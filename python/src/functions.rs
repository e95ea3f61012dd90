//! Functions as arguments: compiled functions, Python functions, which are compiled for it, and builtins
//! that the compiler knows by name.
//!
//! A function that takes another one is compiled for it, so a function's type says which one it is. Such
//! an argument has no slots. A function keeps its number as long as the process lives, and is kept alive.
//! Functions that the same `def` or `lambda` has made of the same variables share one, so that a loop
//! that passes a lambda keeps and compiles one function.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyTuple};

/// What Python functions are made of, as addresses: the code, the globals, each default, and each captured
/// variable with its value: a function that stands for another one has to see what becomes of its
/// variables, and code that was compiled for another value isn't its own. The function that is kept for a
/// number keeps them alive.
type Parts = Vec<usize>;

#[derive(Default)]
struct Functions {
    /// Each function, and its type in the compiler's text form.
    known: Vec<(Py<PyAny>, String)>,
    by_address: HashMap<usize, u32>,
    by_parts: HashMap<Parts, u32>,
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
    let parts = object
        .cast::<PyFunction>()
        .ok()
        .map(parts)
        .transpose()?
        .flatten();
    if let Some(slot) = parts
        .as_ref()
        .and_then(|parts| functions().by_parts.get(parts).copied())
    {
        return Ok(Some(slot));
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
    if let Some(parts) = parts {
        functions.by_parts.insert(parts, slot);
    }
    Ok(Some(slot))
}

/// The parts of a function that another one with the same parts can stand for; `None` where more tells
/// functions apart: attributes, keyword defaults, or a captured variable that has no value yet.
fn parts(function: &Bound<'_, PyFunction>) -> PyResult<Option<Parts>> {
    let attributes = function.getattr("__dict__")?;
    if !attributes.cast::<PyDict>()?.is_empty() || !function.getattr("__kwdefaults__")?.is_none() {
        return Ok(None);
    }
    let code = function.getattr("__code__")?;
    let mut parts = vec![
        code.as_ptr().addr(),
        function.getattr("__globals__")?.as_ptr().addr(),
    ];
    if let Ok(defaults) = function.getattr("__defaults__")?.cast::<PyTuple>() {
        parts.extend(defaults.iter_borrowed().map(|value| value.as_ptr().addr()));
    }
    if let Ok(cells) = function.getattr("__closure__")?.cast::<PyTuple>() {
        for cell in cells.iter_borrowed() {
            let Ok(value) = cell.getattr("cell_contents") else {
                return Ok(None);
            };
            parts.extend([cell.as_ptr().addr(), value.as_ptr().addr()]);
        }
    }
    Ok(Some(parts))
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
