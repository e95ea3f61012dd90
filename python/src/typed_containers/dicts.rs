//! What the slots of `typed.Dict` do, and what those of `typed.Set` do as well.

use pyo3::intern;
use pyo3::prelude::*;

use super::calls::{call, structure};
use super::description::Method;
use super::iterators::KeyIterator;
use super::numbers;

/// `len(self)`
pub fn length(this: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Some(structure) = structure(this)? {
        if let Some(length) = numbers::length(&structure) {
            return Ok(length);
        }
        if let Some(result) = call(this, &structure, Method::Length, &[]) {
            return result?.extract();
        }
    }
    this.call_method0(intern!(this.py(), "_count"))?.extract()
}

/// `item in self`
pub fn contains<'py>(this: &Bound<'py, PyAny>, item: &Bound<'py, PyAny>) -> PyResult<bool> {
    if let Some(structure) = structure(this)?
        && let Some(result) = call(this, &structure, Method::Contains, &[item])
    {
        return result?.is_truthy();
    }
    let found = this.call_method1(intern!(this.py(), "_has"), (item,))?;
    found.is_truthy()
}

/// `del self[key]`
pub fn delete<'py>(this: &Bound<'py, PyAny>, key: &Bound<'py, PyAny>) -> PyResult<()> {
    if let Some(structure) = structure(this)?
        && let Some(result) = call(this, &structure, Method::DelItem, &[key])
    {
        return result.map(drop);
    }
    this.call_method1(intern!(this.py(), "_delete"), (key,))?;
    Ok(())
}

/// `self[key]`
pub fn get<'py>(this: &Bound<'py, PyAny>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if let Some(structure) = structure(this)?
        && let Some(result) = call(this, &structure, Method::GetItem, &[key])
    {
        return result;
    }
    this.call_method1(intern!(this.py(), "_get"), (key,))
}

/// `self[key] = value`
pub fn set<'py>(
    this: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
) -> PyResult<()> {
    if let Some(structure) = structure(this)?
        && let Some(result) = call(this, &structure, Method::SetItem, &[key, value])
    {
        return result.map(drop);
    }
    this.call_method1(intern!(this.py(), "_set"), (key, value))?;
    Ok(())
}

/// `self.get(key, default)`; `None` where Python's own method is to do it.
pub fn get_or<'py>(
    this: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    default: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(structure) = structure(this)? else {
        return Ok(None);
    };
    let Some(found) = call(this, &structure, Method::Contains, &[key]) else {
        return Ok(None);
    };
    if !found?.is_truthy()? {
        let none = || this.py().None().into_bound(this.py());
        return Ok(Some(default.cloned().unwrap_or_else(none)));
    }
    call(this, &structure, Method::GetItem, &[key]).transpose()
}

/// `iter(self)`
pub fn iterate<'py>(this: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Bound<'py, PyAny>> {
    let made = Bound::new(this.py(), KeyIterator::new(this.clone().unbind(), name))?;
    Ok(made.into_any())
}
