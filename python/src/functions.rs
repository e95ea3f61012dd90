//! Functions as arguments: compiled functions, Python functions, which are compiled for it, and builtins
//! that the compiler knows by name.
//!
//! A function that takes another one is compiled for it, so a function's type says which one it is. Such
//! an argument has no slots. A function keeps its number as long as the process lives, and is kept alive.
//! Functions that the same `def` or `lambda` has made of the same variables share one, so that a loop
//! that passes a lambda keeps and compiles one function.

use std::collections::HashMap;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyModule, PyTuple};
use pyopt_runtime::fork::Table;

use crate::compiler::{CompileError, ErrorKind};
use crate::errors;
use crate::types::TypeDesc;

/// What Python functions are made of, as addresses: the code, the globals, each default, and each captured
/// variable with its value: a function that stands for another one has to see what becomes of its
/// variables, and code that was compiled for another value isn't its own. The function that is kept for a
/// number keeps them alive.
type Parts = Vec<usize>;

impl Functions {
    fn add(&mut self, object: Option<Py<PyAny>>, text: String) -> u32 {
        let slot = u32::try_from(self.known.len()).expect("there are fewer functions");
        self.known.push((object, text));
        slot
    }
}

#[derive(Default)]
struct Functions {
    /// Each function, and its type in the compiler's text form. One that a program's name stands for, and
    /// that code returns, is known by its type alone until the code is bound to it.
    known: Vec<(Option<Py<PyAny>>, String)>,
    by_address: HashMap<usize, u32>,
    by_parts: HashMap<Parts, u32>,
    by_returned: HashMap<usize, u32>,
}

static FUNCTIONS: Table<Functions> = Table::new();

/// The number of a function; `None` for what compiled code can't call.
pub fn slot(object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    let address = object.as_ptr().addr();
    if let Some(slot) = FUNCTIONS.lock().by_address.get(&address) {
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
        .and_then(|parts| FUNCTIONS.lock().by_parts.get(parts).copied())
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
    let mut functions = FUNCTIONS.lock();
    // Methods are made anew at each access; another thread may have been here meanwhile.
    if let Some(slot) = functions.known.iter().position(|(_, known)| *known == text) {
        functions.known[slot]
            .0
            .get_or_insert_with(|| object.clone().unbind());
        return Ok(u32::try_from(slot).ok());
    }
    let slot = functions.add(Some(object.clone().unbind()), text);
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
    FUNCTIONS.lock().known[slot as usize].1.clone()
}

/// The number of the function with a type, whether or not there is one yet.
pub fn named(text: &str) -> u32 {
    let mut functions = FUNCTIONS.lock();
    let slot = functions.known.iter().position(|(_, known)| known == text);
    match slot.and_then(|slot| u32::try_from(slot).ok()) {
        Some(slot) => slot,
        None => functions.add(None, text.to_owned()),
    }
}

/// A new reference to the function with a number; null with an exception set if there is none.
///
/// # Safety
/// The GIL is held.
pub unsafe fn object(slot: u32) -> *mut PyObject {
    // SAFETY: the table keeps the object alive, and the caller holds the GIL.
    unsafe {
        let functions = FUNCTIONS.lock();
        let (object, text) = &functions.known[slot as usize];
        match object {
            Some(object) => ffi::Py_NewRef(object.as_ptr()),
            None => {
                let message = format!("cannot convert native {text} to Python object");
                drop(functions);
                PyTypeError::new_err(message).restore(Python::assume_attached());
                std::ptr::null_mut()
            }
        }
    }
}

/// The function or class of the host's with a name; an error for a module, which is no function.
fn host_function<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (module, attribute) = name.rsplit_once('.').unwrap_or(("builtins", name));
    let found = py
        .import(module)
        .and_then(|module| module.getattr(attribute));
    match found
        .ok()
        .filter(|found| !found.is_instance_of::<PyModule>())
    {
        Some(found) => Ok(Some(found)),
        None => {
            let message = format!("cannot convert native Module({name}) to Python object");
            let error = CompileError::plain(ErrorKind::Typing, message);
            Err(errors::to_python(py, *error))
        }
    }
}

/// A number for an object that code returns, and that is passed as something else than a function.
fn returned(object: &Bound<'_, PyAny>, text: String) -> u32 {
    let address = object.as_ptr().addr();
    let mut functions = FUNCTIONS.lock();
    if let Some(slot) = functions.by_returned.get(&address) {
        return *slot;
    }
    let slot = functions.add(
        Some(object.clone().unbind()),
        format!("{text} of {address}"),
    );
    functions.by_returned.insert(address, slot);
    slot
}

/// Binds the functions in the type of what code returns that are known by name alone: `find` gives the
/// function of a symbol of the code's program.
pub fn bind<'py>(
    py: Python<'py>,
    desc: &mut TypeDesc,
    find: &dyn Fn(&str) -> Option<Bound<'py, PyAny>>,
) -> PyResult<()> {
    match desc {
        TypeDesc::Function(slot) => {
            let (is_bound, text) = {
                let functions = FUNCTIONS.lock();
                let (object, text) = &functions.known[*slot as usize];
                (object.is_some(), text.clone())
            };
            if is_bound {
                return Ok(());
            }
            let name = text
                .split_once('<')
                .map_or("", |(_, rest)| rest)
                .trim_end_matches('>')
                .trim_start_matches('@')
                .trim_matches('"');
            let found = match text.starts_with("!typed.named<") {
                true => host_function(py, name)?,
                false => find(name),
            };
            if let Some(function) = found {
                *slot = match self::slot(&function)? {
                    Some(own) => own,
                    None => returned(&function, text),
                };
            }
            Ok(())
        }
        TypeDesc::Tuple(items) | TypeDesc::Sequence(_, items) | TypeDesc::Choice(items) => {
            items.iter_mut().try_for_each(|item| bind(py, item, find))
        }
        TypeDesc::Optional(inner) => bind(py, inner, find),
        TypeDesc::List(Some(item)) => bind(py, item, find),
        _ => Ok(()),
    }
}
