//! Iterators of typed containers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyIterator, PyList, PyTuple};

use super::calls::{call, structure};
use super::description::Method;
use super::numbers;

/// The place of an iterator that is over, also when items are put in later.
const OVER: usize = usize::MAX;

// Goes through a list by positions: also through what is put in meanwhile.
#[pyclass(module = "pyopt.typed", frozen)]
pub struct ListIterator {
    list: Py<PyAny>,
    at: AtomicUsize,
}

impl ListIterator {
    /// That of a list.
    pub fn new(list: Py<PyAny>) -> Self {
        Self {
            list,
            at: AtomicUsize::new(0),
        }
    }

    /// The item at a position; `None` behind the last one.
    fn item<'py>(list: &Bound<'py, PyAny>, at: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = list.py();
        let Some(structure) = structure(list)? else {
            return Ok(None);
        };
        if let Some(found) = numbers::read(&structure, at as i64) {
            return found.to_object(py).map(Some);
        }
        if numbers::length(&structure).is_some_and(|length| at >= length) {
            return Ok(None);
        }
        let index = PyInt::new(py, at).into_any();
        let found = match call(list, &structure, Method::GetItem, &[&index]) {
            Some(found) => found,
            None => list.call_method1(intern!(py, "_get"), (index,)),
        };
        match found {
            Err(error) if error.is_instance_of::<PyIndexError>(py) => Ok(None),
            found => found.map(Some),
        }
    }
}

#[pymethods]
impl ListIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let at = self.at.load(Ordering::Relaxed);
        if at == OVER {
            return Ok(None);
        }
        // What fails ends it, too.
        let found = Self::item(self.list.bind(py), at);
        let next = if let Ok(Some(_)) = found {
            at + 1
        } else {
            OVER
        };
        self.at.store(next, Ordering::Relaxed);
        found
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.list)
    }
}

/// Where an iterator over keys is.
enum Keys {
    /// At the begin: nobody has asked for a key.
    Unasked,
    /// Behind a key of those that there were at the begin.
    Listed { keys: Py<PyList>, next: usize },
    /// At the end, or behind an error.
    Over,
}

// Goes through the keys that a dict or set has when the first one is asked for; an error when there are more or
// less of them meanwhile.
#[pyclass(module = "pyopt.typed", frozen)]
pub struct KeyIterator {
    container: Py<PyAny>,
    /// What errors call it.
    name: &'static str,
    keys: Mutex<Keys>,
}

impl KeyIterator {
    /// That of a dict or set.
    pub fn new(container: Py<PyAny>, name: &'static str) -> Self {
        Self {
            container,
            name,
            keys: Mutex::new(Keys::Unasked),
        }
    }

    /// Takes the state, which is put back unless the iterator is over.
    fn take(&self) -> Keys {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut keys, Keys::Over)
    }

    fn listed<'py>(container: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let listed = match structure(container)? {
            Some(structure) => call(container, &structure, Method::Listed, &[]),
            None => None,
        };
        let listed = match listed {
            Some(listed) => listed?,
            None => container.call_method0(intern!(container.py(), "_keys"))?,
        };
        Ok(listed.cast_into::<PyList>()?)
    }
}

#[pymethods]
impl KeyIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let container = self.container.bind(py);
        // No lock is held while Python code may run.
        let (keys, at) = match self.take() {
            Keys::Over => return Ok(None),
            Keys::Unasked => (Self::listed(container)?.unbind(), 0),
            Keys::Listed { keys, next } => {
                if container.len()? != keys.bind(py).len() {
                    let message = format!("{} changed size during iteration", self.name);
                    return Err(PyRuntimeError::new_err(message));
                }
                (keys, next)
            }
        };
        if at >= keys.bind(py).len() {
            return Ok(None);
        }
        let key = keys.bind(py).get_item(at)?;
        let next = at + 1;
        *self.keys.lock().unwrap_or_else(PoisonError::into_inner) = Keys::Listed { keys, next };
        Ok(Some(key))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.container)
    }
}

// Goes through the values or items of a dict: those that its keys have when they come.
#[pyclass(module = "pyopt.typed", frozen)]
pub struct ViewIterator {
    dict: Py<PyAny>,
    keys: Py<PyIterator>,
    /// Whether the keys come with the values.
    has_keys: bool,
}

/// Makes the iterator of a view of a dict: of its values, or of its keys with them.
#[pyfunction]
pub fn iterator_of_view(dict: Bound<'_, PyAny>, has_keys: bool) -> PyResult<ViewIterator> {
    Ok(ViewIterator {
        keys: dict.try_iter()?.unbind(),
        dict: dict.unbind(),
        has_keys,
    })
}

#[pymethods]
impl ViewIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(key) = self.keys.bind(py).clone().next().transpose()? else {
            return Ok(None);
        };
        let value = self.dict.bind(py).get_item(&key)?;
        Ok(Some(match self.has_keys {
            true => PyTuple::new(py, [key, value])?.into_any(),
            false => value,
        }))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.dict)?;
        visit.call(&self.keys)
    }
}
