//! Imports.

use std::ptr;

use pyo3::exceptions::PyImportError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::errors::raise;
use crate::object::layout_311::Frame;

/// `import name`.
pub unsafe extern "C" fn import_name(
    frame: *mut Frame,
    name: *mut PyObject,
    level: *mut PyObject,
    from: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let py = Python::assume_attached();
        let import = pyo3::intern!(py, "__import__");
        let import = ffi::PyDict_GetItemWithError((*frame).builtins, import.as_ptr());
        if import.is_null() {
            if ffi::PyErr_Occurred().is_null() {
                raise(PyImportError::new_err("__import__ not found"));
            }
            return ptr::null_mut();
        }
        let locals = match (*frame).locals.is_null() {
            true => ffi::Py_None(),
            false => (*frame).locals,
        };
        let mut args = [ptr::null_mut(), name, (*frame).globals, locals, from, level];
        let count = 5 | ffi::PY_VECTORCALL_ARGUMENTS_OFFSET;
        ffi::PyObject_Vectorcall(import, args.as_mut_ptr().add(1), count, ptr::null_mut())
    }
}

/// A name of `from module import name`.
pub unsafe extern "C" fn import_from(module: *mut PyObject, name: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module.
    unsafe {
        let py = Python::assume_attached();
        let name = Bound::from_borrowed_ptr(py, name).cast_into_unchecked::<PyString>();
        match attribute(&Bound::from_borrowed_ptr(py, module), &name) {
            Ok(found) => found.into_ptr(),
            Err(error) => {
                raise(error);
                ptr::null_mut()
            }
        }
    }
}

fn attribute<'py>(
    module: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = module.py();
    if let Some(found) = module.getattr_opt(name)? {
        return Ok(found);
    }
    // In a circular import the module may have its submodule only in `sys.modules`.
    let package = module.getattr_opt("__name__")?;
    let package = package.and_then(|package| package.cast_into::<PyString>().ok());
    if let Some(package) = &package {
        let full = format!("{}.{}", package.to_str()?, name.to_str()?);
        let modules = py.import("sys")?.getattr("modules")?;
        if modules.contains(&full)? {
            return modules.get_item(full);
        }
    }
    let path = module.getattr_opt("__file__")?;
    let path = path.and_then(|path| path.cast_into::<PyString>().ok());
    let shown = match &package {
        Some(package) => package.repr()?.to_string(),
        None => "'<unknown module name>'".into(),
    };
    let name = name.repr()?;
    let message = match &path {
        None => format!("cannot import name {name} from {shown} (unknown location)"),
        Some(path) if is_initializing(module) => format!(
            "cannot import name {name} from partially initialized module {shown} (most likely due \
             to a circular import) ({path})"
        ),
        Some(path) => format!("cannot import name {name} from {shown} ({path})"),
    };
    let error = PyImportError::new_err(message);
    error.value(py).setattr("name", package)?;
    error.value(py).setattr("path", path)?;
    Err(error)
}

fn is_initializing(module: &Bound<'_, PyAny>) -> bool {
    let spec = module.getattr("__spec__");
    let flag = spec.and_then(|spec| spec.getattr("_initializing"));
    flag.and_then(|flag| flag.is_truthy()).unwrap_or(false)
}
