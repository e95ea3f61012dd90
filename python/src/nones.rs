//! None among the items of lists and the values of dicts that are passed: such items are optionals.

use std::collections::HashSet;
use std::rc::Rc;

use pyo3::ffi::{self, PyObject};

/// Whether there is None beside others among the items of a list, and among those of the lists in it: one
/// answer for all that are as deep, whose items have one type.
#[derive(Clone)]
pub struct Nones {
    /// What is found, by how deep it is.
    found: Rc<[Found]>,
    /// How deep the list is that is asked for.
    depth: usize,
}

/// What is among items.
#[derive(Clone, Copy)]
struct Found {
    none: bool,
    /// The first one beside None, or null.
    other: *mut PyObject,
}

impl Nones {
    /// Looks for None in a list or dict, in what is in it, and so on: without recursion, as there may be more
    /// lists in each other than the stack has room for.
    ///
    /// # Safety
    /// The GIL is held, and the object is alive.
    pub unsafe fn among(object: *mut PyObject) -> Self {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let mut containers = vec![object];
        while !containers.is_empty() {
            let mut level = Level::default();
            for container in containers {
                // SAFETY: as the caller says; what is in a list that is alive is alive.
                unsafe { level.look(container, &mut seen) };
            }
            found.extend(level.found);
            containers = level.containers;
        }
        Self {
            found: found.into(),
            depth: 0,
        }
    }

    /// If there is None among the list's items, or those of others as deep, an item beside it.
    pub fn other(&self) -> Option<*mut PyObject> {
        let found = self.found.get(self.depth)?;
        (found.none && !found.other.is_null()).then_some(found.other)
    }

    /// The same of the lists in the list.
    pub fn inner(&self) -> Self {
        Self {
            found: Rc::clone(&self.found),
            depth: self.depth + 1,
        }
    }
}

/// The items of all lists and dicts that are as deep.
#[derive(Default)]
struct Level {
    /// Nothing where there is no item.
    found: Option<Found>,
    /// Those among the items that are lists or dicts themselves.
    containers: Vec<*mut PyObject>,
}

impl Level {
    /// # Safety
    /// As [`Nones::among`].
    unsafe fn look(&mut self, object: *mut PyObject, seen: &mut HashSet<usize>) {
        // SAFETY: the items of a list and the values of a dict are alive as long as nothing runs that changes it.
        unsafe {
            if ffi::PyList_CheckExact(object) != 0 {
                for at in 0..ffi::PyList_GET_SIZE(object) {
                    self.see(ffi::PyList_GET_ITEM(object, at), seen);
                }
            } else if ffi::PyDict_CheckExact(object) != 0 {
                let (mut position, mut value) = (0, std::ptr::null_mut());
                let no_key = std::ptr::null_mut();
                while ffi::PyDict_Next(object, &raw mut position, no_key, &raw mut value) != 0 {
                    self.see(value, seen);
                }
            }
        }
    }

    /// # Safety
    /// As [`Nones::among`].
    unsafe fn see(&mut self, item: *mut PyObject, seen: &mut HashSet<usize>) {
        let found = self.found.get_or_insert(Found {
            none: false,
            other: std::ptr::null_mut(),
        });
        // SAFETY: as the caller says.
        unsafe {
            if item == ffi::Py_None() {
                found.none = true;
                return;
            }
            if found.other.is_null() {
                found.other = item;
            }
            let is_container =
                ffi::PyList_CheckExact(item) != 0 || ffi::PyDict_CheckExact(item) != 0;
            // A list may be in itself.
            if is_container && seen.insert(item.addr()) {
                self.containers.push(item);
            }
        }
    }
}
