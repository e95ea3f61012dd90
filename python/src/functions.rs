//! Functions as arguments: compiled functions, Python functions, which are compiled for it, and builtins
//! that the compiler knows by name.
//!
//! A function that takes another one is compiled for it, so a function's type says which one it is. Such
//! an argument has no slots. A function keeps its number as long as the process lives, and is kept alive.
//! Functions that the same `def` or `lambda` has made of the same variables share one, so that a loop
//! that passes a lambda keeps and compiles one function.

use std::collections::HashMap;
use std::fmt;

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

/// What the compiler calls a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// One that is compiled, by its symbol.
    Symbol(String),
    /// One of the host's that the compiler knows, by module and name.
    Host(String),
    /// An object that code of such a name returned, and that is passed as something else than a function: by
    /// its address.
    Returned(Box<Name>, usize),
}

impl fmt::Display for Name {
    /// Writes the type of the function in the compiler's text form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // As MLIR writes symbols: in quotation marks unless they are names.
            Name::Symbol(symbol) if is_name(symbol) => write!(f, "!typed.function<@{symbol}>"),
            Name::Symbol(symbol) => write!(f, "!typed.function<@\"{symbol}\">"),
            Name::Host(path) => write!(f, "!typed.named<\"{path}\">"),
            Name::Returned(name, address) => write!(f, "{name} of {address}"),
        }
    }
}

fn is_name(symbol: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || "_$.".contains(character);
    symbol.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && symbol.chars().all(is_part)
}

impl Functions {
    fn add(&mut self, object: Option<Py<PyAny>>, name: Name) -> u32 {
        let slot = u32::try_from(self.known.len()).expect("there are fewer functions");
        self.known.push((object, name));
        slot
    }

    fn position(&self, name: &Name) -> Option<usize> {
        self.known.iter().position(|(_, known)| known == name)
    }
}

#[derive(Default)]
struct Functions {
    /// Each function, and what the compiler calls it. One that a program's name stands for, and that code
    /// returns, is known by its name alone until the code is bound to it.
    known: Vec<(Option<Py<PyAny>>, Name)>,
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
        .getattr("argument_name")?;
    let name = match describe.call1((object,))?.extract()? {
        Some(("symbol", name)) => Name::Symbol(name),
        Some((_, name)) => Name::Host(name),
        None => return Ok(None),
    };
    let mut functions = FUNCTIONS.lock();
    // Methods are made anew at each access; another thread may have been here meanwhile.
    if let Some(slot) = functions.position(&name) {
        functions.known[slot]
            .0
            .get_or_insert_with(|| object.clone().unbind());
        return Ok(u32::try_from(slot).ok());
    }
    let slot = functions.add(Some(object.clone().unbind()), name);
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
    FUNCTIONS.lock().known[slot as usize].1.to_string()
}

/// The symbol of a function, if it is one that is compiled.
pub fn symbol(slot: u32) -> Option<String> {
    match &FUNCTIONS.lock().known[slot as usize].1 {
        Name::Symbol(symbol) => Some(symbol.clone()),
        Name::Host(_) | Name::Returned(..) => None,
    }
}

/// The number of the function with a name, whether or not there is one yet.
pub fn named(name: Name) -> u32 {
    let mut functions = FUNCTIONS.lock();
    let slot = functions.position(&name);
    match slot.and_then(|slot| u32::try_from(slot).ok()) {
        Some(slot) => slot,
        None => functions.add(None, name),
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
        let (object, name) = &functions.known[slot as usize];
        match object {
            Some(object) => ffi::Py_NewRef(object.as_ptr()),
            None => {
                let message = format!("cannot convert native {name} to Python object");
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
fn returned(object: &Bound<'_, PyAny>, name: Name) -> u32 {
    let address = object.as_ptr().addr();
    let mut functions = FUNCTIONS.lock();
    if let Some(slot) = functions.by_returned.get(&address) {
        return *slot;
    }
    let slot = functions.add(
        Some(object.clone().unbind()),
        Name::Returned(Box::new(name), address),
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
            let (is_bound, name) = {
                let functions = FUNCTIONS.lock();
                let (object, name) = &functions.known[*slot as usize];
                (object.is_some(), name.clone())
            };
            if is_bound {
                return Ok(());
            }
            let found = match &name {
                Name::Symbol(symbol) => find(symbol),
                Name::Host(path) => host_function(py, path)?,
                Name::Returned(..) => None,
            };
            if let Some(function) = found {
                *slot = match self::slot(&function)? {
                    Some(own) => own,
                    None => returned(&function, name),
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
