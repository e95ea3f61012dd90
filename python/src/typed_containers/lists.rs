//! What the slots of `typed.List` do.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use super::calls::{call, structure};
use super::description::Method;
use super::iterator_class;
use super::iterators::{Items, Iterator};
use super::numbers;

/// `self[index]`
pub fn get<'py>(
    this: &Bound<'py, PyAny>,
    index: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    if let Some(structure) = structure(this)? {
        if let Some(at) = numbers::int(index)
            && let Some(found) = numbers::read(&structure, at)
        {
            return found.to_object(py);
        }
        if let Some(result) = call(this, &structure, Method::GetItem, &[index]) {
            return result;
        }
    }
    this.call_method1(intern!(py, "_get"), (index,))
}

/// `self[index] = item`
pub fn set<'py>(
    this: &Bound<'py, PyAny>,
    index: &Bound<'py, PyAny>,
    item: &Bound<'py, PyAny>,
) -> PyResult<()> {
    if let Some(structure) = structure(this)? {
        if let Some(at) = numbers::int(index)
            && numbers::write(&structure, at, item).is_some()
        {
            return Ok(());
        }
        if let Some(result) = call(this, &structure, Method::SetItem, &[index, item]) {
            return result.map(drop);
        }
    }
    this.call_method1(intern!(this.py(), "_set"), (index, item))?;
    Ok(())
}

/// `self.append(item)`
pub fn append<'py>(
    this: &Bound<'py, PyAny>,
    item: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(structure) = structure(this)? else {
        return Ok(None);
    };
    match numbers::append(&structure, item) {
        Some(()) => Ok(Some(this.py().None().into_bound(this.py()))),
        None => call(this, &structure, Method::Append, &[item]).transpose(),
    }
}

/// `self.pop(index)`; `None` where Python's own method is to do it.
pub fn pop<'py>(
    this: &Bound<'py, PyAny>,
    index: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(structure) = structure(this)? else {
        return Ok(None);
    };
    let py = this.py();
    let is_last = index.is_none_or(|index| numbers::int(index) == Some(-1));
    if is_last && let Some(found) = numbers::pop(&structure) {
        return found.to_object(py).map(Some);
    }
    let last;
    let index = match index {
        Some(index) => index,
        None => {
            last = PyInt::new(py, -1).into_any();
            &last
        }
    };
    call(this, &structure, Method::Pop, &[index]).transpose()
}

/// `iter(self)`
pub fn iterate<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    iterator_class::new(this.py(), Iterator::Items(Items::new(this)))
}
