//! What the slots of `typed.Dict` do, and what those of `typed.Set` do as well.

use pyo3::intern;
use pyo3::prelude::*;

use super::calls::{call, structure};
use super::description::Method;
use super::iterator_class;
use super::iterators::{Iterator, Keys};
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
    let Some(found) = call(this, &structure, Method::Found, &[key]) else {
        return Ok(None);
    };
    let found = found?;
    Ok(Some(match default {
        Some(default) if found.is_none() => default.clone(),
        _ => found,
    }))
}

/// `iter(self)`
pub fn iterate<'py>(this: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Bound<'py, PyAny>> {
    iterator_class::new(this.py(), Iterator::Keys(Keys::new(this, name)))
}
