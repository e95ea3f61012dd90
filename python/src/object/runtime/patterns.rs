//! `match`.

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySet, PyString, PyTuple, PyType};

use super::errors::{name_of, raise, type_name};

/// Type flags, as CPython numbers them.
const SEQUENCE: u64 = 1 << 5;
const MAPPING: u64 = 1 << 6;
const MATCHES_ITSELF: u64 = 1 << 22;

unsafe fn has_flag(object: *mut PyObject, flag: u64) -> c_int {
    // SAFETY: the object is live.
    let flags = unsafe { (*ffi::Py_TYPE(object)).tp_flags };
    c_int::from(flags as u64 & flag != 0)
}

/// Whether a mapping pattern may take an object.
pub unsafe extern "C" fn is_mapping(object: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { has_flag(object, MAPPING) }
}

/// Whether a sequence pattern may take an object.
pub unsafe extern "C" fn is_sequence(object: *mut PyObject) -> c_int {
    // SAFETY: the conventions of the module.
    unsafe { has_flag(object, SEQUENCE) }
}

/// An optional result as a reference: None for nothing.
fn finish<'py>(py: Python<'py>, made: PyResult<Option<Bound<'py, PyTuple>>>) -> *mut PyObject {
    match made {
        Ok(Some(made)) => made.into_ptr(),
        Ok(None) => py.None().into_ptr(),
        Err(error) => {
            raise(error);
            ptr::null_mut()
        }
    }
}

/// The values of keys, None when one is missing.
pub unsafe extern "C" fn match_keys(subject: *mut PyObject, keys: *mut PyObject) -> *mut PyObject {
    // SAFETY: the conventions of the module; the keys are a tuple.
    unsafe {
        let py = Python::assume_attached();
        let subject = Bound::from_borrowed_ptr(py, subject);
        let keys = Bound::from_borrowed_ptr(py, keys).cast_into_unchecked();
        finish(py, values(&subject, &keys))
    }
}

fn values<'py>(
    subject: &Bound<'py, PyAny>,
    keys: &Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let py = subject.py();
    if keys.is_empty() {
        return Ok(Some(PyTuple::empty(py)));
    }
    let get = subject.getattr("get")?;
    let seen = PySet::empty(py)?;
    let missing = py.import("builtins")?.getattr("object")?.call0()?;
    let found = PyList::empty(py);
    for key in keys {
        if seen.contains(&key)? {
            let key = key.repr()?;
            let message = format!("mapping pattern checks duplicate key ({key})");
            return Err(PyValueError::new_err(message));
        }
        seen.add(&key)?;
        let value = get.call1((key, &missing))?;
        if value.is(&missing) {
            return Ok(None);
        }
        found.append(value)?;
    }
    Ok(Some(found.to_tuple()))
}

/// The attributes that a class pattern binds, None when it doesn't match.
pub unsafe extern "C" fn match_class(
    subject: *mut PyObject,
    class: *mut PyObject,
    names: *mut PyObject,
    positional: usize,
) -> *mut PyObject {
    // SAFETY: the conventions of the module; the names are a tuple.
    unsafe {
        let py = Python::assume_attached();
        let subject = Bound::from_borrowed_ptr(py, subject);
        let class = Bound::from_borrowed_ptr(py, class);
        let names = Bound::from_borrowed_ptr(py, names).cast_into_unchecked();
        finish(py, attributes(&subject, &class, &names, positional))
    }
}

fn attributes<'py>(
    subject: &Bound<'py, PyAny>,
    class: &Bound<'py, PyAny>,
    names: &Bound<'py, PyTuple>,
    positional: usize,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let py = subject.py();
    let Ok(class) = class.cast::<PyType>() else {
        return Err(PyTypeError::new_err("called match pattern must be a class"));
    };
    if !subject.is_instance(class)? {
        return Ok(None);
    }
    if positional == 0 && names.is_empty() {
        return Ok(Some(PyTuple::empty(py)));
    }
    // SAFETY: the type is live.
    let name = unsafe { name_of(class.as_type_ptr()) };
    let mut seen = Vec::new();
    let mut found = Vec::new();
    if positional > 0 {
        let (order, itself) = order(class, &name)?;
        let allowed = if itself { 1 } else { order.len() };
        if allowed < positional {
            let plural = if allowed == 1 { "" } else { "s" };
            return Err(PyTypeError::new_err(format!(
                "{name}() accepts {allowed} positional sub-pattern{plural} ({positional} given)"
            )));
        }
        if itself {
            found.push(subject.clone());
        }
        for attribute in order.iter().take(if itself { 0 } else { positional }) {
            let Ok(attribute) = attribute.cast_exact::<PyString>() else {
                // SAFETY: the object is live.
                let given = unsafe { type_name(attribute.as_ptr()) };
                return Err(PyTypeError::new_err(format!(
                    "__match_args__ elements must be strings (got {given})"
                )));
            };
            match bound(subject, &name, attribute, &mut seen)? {
                Some(value) => found.push(value),
                None => return Ok(None),
            }
        }
    }
    for attribute in names {
        match bound(subject, &name, attribute.cast()?, &mut seen)? {
            Some(value) => found.push(value),
            None => return Ok(None),
        }
    }
    Ok(Some(PyTuple::new(py, found)?))
}

/// `__match_args__`, and whether a class without them binds the subject itself.
fn order<'py>(class: &Bound<'py, PyType>, name: &str) -> PyResult<(Bound<'py, PyTuple>, bool)> {
    let py = class.py();
    let Some(order) = class.getattr_opt("__match_args__")? else {
        // SAFETY: the type is live.
        let flags = unsafe { (*class.as_type_ptr()).tp_flags };
        return Ok((PyTuple::empty(py), flags & MATCHES_ITSELF != 0));
    };
    match order.cast_into_exact::<PyTuple>() {
        Ok(order) => Ok((order, false)),
        Err(error) => {
            // SAFETY: the object is live.
            let given = unsafe { type_name(error.into_inner().as_ptr()) };
            Err(PyTypeError::new_err(format!(
                "{name}.__match_args__ must be a tuple (got {given})"
            )))
        }
    }
}

/// An attribute of the subject, once.
fn bound<'py>(
    subject: &Bound<'py, PyAny>,
    class: &str,
    name: &Bound<'py, PyString>,
    seen: &mut Vec<Bound<'py, PyString>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    for other in seen.iter() {
        if !other.is(name) && !other.as_any().eq(name)? {
            continue;
        }
        let name = name.repr()?;
        return Err(PyTypeError::new_err(format!(
            "{class}() got multiple sub-patterns for attribute {name}"
        )));
    }
    seen.push(name.clone());
    subject.getattr_opt(name)
}
