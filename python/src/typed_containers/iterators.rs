//! What iterators of typed containers do; [`super::iterator_class`] has their class.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};

use super::calls::{call, structure};
use super::classes::{has_own_items, has_own_keys, has_own_length};
use super::description::Method;
use super::numbers::{self, NumberKey};
use crate::errors;
use crate::held::Held;
use crate::structures::Structure;
use crate::types::Elem;

/// The place of an iterator that is over, also when items are put in later.
const OVER: usize = usize::MAX;

/// An iterator of a container.
pub enum Iterator {
    /// Over the items of a list.
    Items(Items),
    /// Over the keys of a dict, or the items of a set.
    Keys(Keys),
    /// Over the values or items of a dict.
    View(View),
}

impl Iterator {
    /// What comes next; `None` at the end.
    #[inline]
    pub fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self {
            Self::Items(items) => items.next(py),
            Self::Keys(keys) => keys.next(py)?.map(|key| key.into_object(py)).transpose(),
            Self::View(view) => view.next(py),
        }
    }

    /// The objects that it keeps alive.
    pub fn held(&self) -> [Option<*mut ffi::PyObject>; 3] {
        let (container, keys, other) = match self {
            Self::Items(items) => (&items.list.container, None, None),
            Self::Keys(keys) => (&keys.source.container, Some(keys), None),
            Self::View(view) => match &view.keys {
                KeysOfView::Own(keys) => (&view.dict, Some(keys), None),
                KeysOfView::Other(other) => (&view.dict, None, Some(other)),
            },
        };
        let listed = keys.and_then(|keys| match keys.listed.get()? {
            Listed::Objects(listed) => Some(listed.as_ptr()),
            Listed::Numbers(..) => None,
        });
        [
            Some(container.as_ptr()),
            keys.map(|keys| keys.source.container.as_ptr())
                .filter(|_| matches!(self, Self::View(_))),
            other.map(|other| other.as_ptr()).or(listed),
        ]
    }
}

/// A container that is gone through.
struct Source {
    container: Held,
    /// Its memory, once it has some.
    memory: OnceLock<Held<Structure>>,
}

impl Source {
    fn new(container: &Bound<'_, PyAny>) -> Self {
        Self {
            // SAFETY: an iterator is dropped where the thread is attached: Python does it.
            container: unsafe { Held::new(container.clone().unbind()) },
            memory: OnceLock::new(),
        }
    }

    /// The memory; `None` while the container has no type.
    #[inline]
    fn structure<'a, 'py>(
        &'a self,
        py: Python<'py>,
    ) -> PyResult<Option<&'a Bound<'py, Structure>>> {
        if self.memory.get().is_none()
            && let Some(found) = structure(self.container.bind(py))?
        {
            // SAFETY: as above.
            let _ = self.memory.set(unsafe { Held::new(found.unbind()) });
        }
        Ok(self.memory.get().map(|memory| memory.bind(py)))
    }
}

/// Goes through a list by positions: also through what is put in meanwhile.
pub struct Items {
    list: Source,
    at: AtomicUsize,
}

impl Items {
    /// That of a list.
    pub fn new(list: &Bound<'_, PyAny>) -> Self {
        Self {
            list: Source::new(list),
            at: AtomicUsize::new(0),
        }
    }

    #[inline]
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        advance(&self.at, |at| self.item(py, at))
    }

    /// The item at a position; `None` behind the last one.
    #[inline]
    fn item<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(structure) = self.list.structure(py)? else {
            return Ok(None);
        };
        if let Some(found) = numbers::read(structure, at as i64) {
            return found.to_object(py).map(Some);
        }
        if numbers::length(structure).is_some_and(|length| at >= length) {
            return Ok(None);
        }
        let (list, index) = (self.list.container.bind(py), PyInt::new(py, at).into_any());
        let found = match call(list, structure, Method::GetItem, &[&index]) {
            Some(found) => found,
            None => list.call_method1(intern!(py, "_get"), (index,)),
        };
        match found {
            Err(error) if error.is_instance_of::<PyIndexError>(py) => {
                errors::forget(py, error);
                Ok(None)
            }
            found => found.map(Some),
        }
    }
}

/// Goes one further, unless an iterator is over: what fails ends it, too.
#[inline]
fn advance<R>(
    place: &AtomicUsize,
    get: impl FnOnce(usize) -> PyResult<Option<R>>,
) -> PyResult<Option<R>> {
    let at = place.load(Ordering::Relaxed);
    if at == OVER {
        return Ok(None);
    }
    let found = get(at);
    let next = match found {
        Ok(Some(_)) => at + 1,
        _ => OVER,
    };
    place.store(next, Ordering::Relaxed);
    found
}

/// The keys that there were when the first one was asked for.
enum Listed {
    Numbers(Elem, Vec<NumberKey>),
    Objects(Held<PyList>),
}

impl Listed {
    fn len(&self, py: Python<'_>) -> usize {
        match self {
            Self::Numbers(_, keys) => keys.len(),
            Self::Objects(keys) => keys.bind(py).len(),
        }
    }

    #[inline]
    fn key<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Option<Key<'py>>> {
        Ok(match self {
            Self::Numbers(elem, keys) => keys.get(at).map(|key| Key::Number(*elem, *key)),
            Self::Objects(keys) if at < keys.bind(py).len() => {
                Some(Key::Object(keys.bind(py).get_item(at)?))
            }
            Self::Objects(_) => None,
        })
    }
}

/// A key that has come.
enum Key<'py> {
    Number(Elem, NumberKey),
    Object(Bound<'py, PyAny>),
}

impl<'py> Key<'py> {
    #[inline]
    fn into_object(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Number(elem, key) => key.number(elem).to_object(py),
            Self::Object(object) => Ok(object),
        }
    }
}

/// Goes through the keys that a dict or set has when the first one is asked for; an error when there are more or
/// less of them meanwhile.
pub struct Keys {
    source: Source,
    /// What errors call it.
    name: &'static str,
    listed: OnceLock<Listed>,
    at: AtomicUsize,
}

impl Keys {
    /// Those of a dict or set.
    pub fn new(container: &Bound<'_, PyAny>, name: &'static str) -> Self {
        Self {
            source: Source::new(container),
            name,
            listed: OnceLock::new(),
            at: AtomicUsize::new(0),
        }
    }

    #[inline]
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Key<'py>>> {
        advance(&self.at, |at| match self.listed.get() {
            Some(listed) if self.count(py)? == listed.len(py) => listed.key(py, at),
            Some(_) => {
                let message = format!("{} changed size during iteration", self.name);
                Err(PyRuntimeError::new_err(message))
            }
            None => {
                // Python code may have asked for a key meanwhile.
                let _ = self.listed.set(self.list(py)?);
                self.listed
                    .get()
                    .map_or(Ok(None), |listed| listed.key(py, at))
            }
        })
    }

    /// How many there are now.
    #[inline]
    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        let container = self.source.container.bind(py);
        if has_own_length(container)
            && let Some(structure) = self.source.structure(py)?
            && let Some(count) = numbers::length(structure)
        {
            return Ok(count);
        }
        container.len()
    }

    fn list(&self, py: Python<'_>) -> PyResult<Listed> {
        let container = self.source.container.bind(py);
        let mut listed = None;
        if let Some(structure) = self.source.structure(py)? {
            if let Some((elem, keys)) = numbers::keys(structure) {
                return Ok(Listed::Numbers(elem, keys));
            }
            listed = call(container, structure, Method::Listed, &[]);
        }
        let listed = match listed {
            Some(listed) => listed?,
            None => container.call_method0(intern!(py, "_keys"))?,
        };
        let keys = listed.cast_into::<PyList>()?.unbind();
        // SAFETY: an iterator is dropped where the thread is attached: Python does it.
        Ok(Listed::Objects(unsafe { Held::new(keys) }))
    }
}

/// Goes through the values or items of a dict: those that its keys have when they come.
pub struct View {
    dict: Held,
    keys: KeysOfView,
    /// Whether the keys come with the values.
    has_keys: bool,
}

enum KeysOfView {
    Own(Keys),
    /// The iterator of a derived class.
    Other(Held),
}

impl View {
    /// That of a dict.
    pub fn new(dict: &Bound<'_, PyAny>, has_keys: bool) -> PyResult<Self> {
        let keys = match has_own_keys(dict) {
            true => KeysOfView::Own(Keys::new(dict, "dictionary")),
            // SAFETY: an iterator is dropped where the thread is attached: Python does it.
            false => KeysOfView::Other(unsafe { Held::new(dict.try_iter()?.into_any().unbind()) }),
        };
        Ok(Self {
            // SAFETY: as above.
            dict: unsafe { Held::new(dict.clone().unbind()) },
            keys,
            has_keys,
        })
    }

    #[inline]
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = match &self.keys {
            KeysOfView::Own(keys) => keys.next(py)?,
            KeysOfView::Other(keys) => next_object(keys.bind(py))?.map(Key::Object),
        };
        let Some(key) = found else {
            return Ok(None);
        };
        let value = self.number(py, &key)?;
        if !self.has_keys
            && let Some(value) = value
        {
            return Ok(Some(value));
        }
        let key = key.into_object(py)?;
        let value = match value {
            Some(value) => value,
            None => self.dict.bind(py).get_item(&key)?,
        };
        Ok(Some(match self.has_keys {
            true => PyTuple::new(py, [key, value])?.into_any(),
            false => value,
        }))
    }

    /// The value of a key, if both are numbers.
    #[inline]
    fn number<'py>(&self, py: Python<'py>, key: &Key<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let (KeysOfView::Own(keys), Key::Number(_, key)) = (&self.keys, key)
            && has_own_items(self.dict.bind(py))
            && let Some(structure) = keys.source.structure(py)?
            && let Some(value) = numbers::value(structure, *key)
        {
            return value.to_object(py).map(Some);
        }
        Ok(None)
    }
}

/// What an iterator of Python's gives next.
fn next_object<'py>(iterator: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = iterator.py();
    // SAFETY: the thread is attached, and the object is an iterator.
    let found = unsafe { Bound::from_owned_ptr_or_opt(py, ffi::PyIter_Next(iterator.as_ptr())) };
    match found {
        Some(found) => Ok(Some(found)),
        None => PyErr::take(py).map_or(Ok(None), Err),
    }
}
