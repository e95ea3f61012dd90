//! The exception classes that compiled code has met and that are no builtin ones, by name.
//!
//! Compiled functions hold the name, also those that are kept on disk for other processes, so it says
//! nothing of this process: it ends with a number that tells classes of one module and name apart, in
//! the order in which they were met. A class keeps it as long as the process lives.

use std::collections::HashMap;

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use pyopt_runtime::fork::Table;
use pyopt_runtime::{error::STATUS_HOST, exception, memory::Owner, symbols};

use crate::detached::from_compiled;

#[derive(Default)]
struct Classes {
    /// The classes of one module and name.
    by_name: HashMap<String, Vec<Py<PyType>>>,
    by_address: HashMap<usize, usize>,
}

static CLASSES: Table<Classes> = Table::new();

/// The names of an exception class and of its bases, for the compiler's bindings.
#[pyfunction]
pub fn exception_class_names(class: &Bound<'_, PyType>) -> PyResult<Vec<String>> {
    let mut names = Vec::new();
    for base in class.getattr("__mro__")?.cast_into::<PyTuple>()? {
        let base = base.cast_into::<PyType>()?;
        if base.is_subclass_of::<PyBaseException>()? {
            names.push(name(&base)?);
        }
    }
    Ok(names)
}

/// `"ValueError"`, or `"module.Name@3"` of a class that is no builtin one.
fn name(class: &Bound<'_, PyType>) -> PyResult<String> {
    let name = class.qualname()?.to_string();
    let module = class.module()?.to_string();
    if module == "builtins" {
        return Ok(name);
    }
    let name = format!("{module}.{name}");
    let address = class.as_ptr().addr();
    let mut classes = CLASSES.lock();
    let known = classes.by_address.get(&address).copied();
    let number = known.unwrap_or_else(|| {
        let same = classes.by_name.entry(name.clone()).or_default();
        let number = same.len();
        same.push(class.clone().unbind());
        classes.by_address.insert(address, number);
        number
    });
    Ok(format!("{name}@{number}"))
}

/// The class of a name: one of those known, one that its module has, or a builtin one.
pub fn find<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Some((same, number)) = name.rsplit_once('@')
        && let Ok(number) = number.parse::<usize>()
        && let Some(class) = CLASSES
            .lock()
            .by_name
            .get(same)
            .and_then(|all| all.get(number))
    {
        return Ok(class.clone_ref(py).into_bound(py).into_any());
    }
    let (module, name) = name.rsplit_once('.').unwrap_or(("builtins", name));
    py.import(module)?.getattr(name)
}

/// Makes known to compiled code how the host's exceptions are matched.
pub fn load() {
    symbols::register([(
        c"pyopt_exception_matches",
        pyopt_exception_matches as *const () as usize,
    )]);
}

/// Whether an exception of the host's is of one of the classes whose names the lines hold.
unsafe extern "C" fn pyopt_exception_matches(
    status: i32,
    owner: *mut Owner,
    names: *const u8,
    length: i64,
) -> i32 {
    if status != STATUS_HOST {
        return 0;
    }
    // SAFETY: compiled code passes a text of its own, and an owner that it holds a reference on; the
    // status says that it is of an exception.
    let (names, object) = unsafe {
        let names = std::slice::from_raw_parts(names, length as usize);
        let Some(owner) = exception::arguments(owner).as_ref() else {
            return 0;
        };
        (names, owner.object())
    };
    let names = std::str::from_utf8(names).unwrap_or_default();
    let matches = from_compiled(|py| {
        // SAFETY: the GIL is held, and the owner keeps the object alive.
        let exception = unsafe { Bound::<PyAny>::from_borrowed_ptr(py, object.cast()) };
        names.lines().any(|name| {
            find(py, name).is_ok_and(|class| exception.is_instance(&class).unwrap_or(false))
        })
    });
    i32::from(matches)
}
