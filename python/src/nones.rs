//! None among the items of lists and the values of dicts that are passed: such items are optionals.

use std::collections::HashSet;

use pyo3::ffi::{self, PyObject};

/// Whether there is None beside others among the items of a list, and among those of the lists in it: one
/// answer for all that are as deep, whose items have one type.
#[derive(Clone, Default)]
pub struct Nones(Vec<Found>);

/// What is among items.
#[derive(Clone, Copy)]
struct Found {
    none: bool,
    /// The first one beside None, or null.
    other: *mut PyObject,
}

impl Nones {
    /// Looks for None in a list or dict.
    ///
    /// # Safety
    /// The GIL is held, and the object is alive.
    pub unsafe fn among(object: *mut PyObject) -> Self {
        let mut found = Self::default();
        // SAFETY: as the caller says.
        unsafe { found.look(object, 0, &mut HashSet::new()) };
        found
    }

    /// If there is None among the list's items, or those of others as deep, an item beside it.
    pub fn other(&self) -> Option<*mut PyObject> {
        let found = self.0.first()?;
        (found.none && !found.other.is_null()).then_some(found.other)
    }

    /// The same of the lists in the list.
    pub fn inner(&self) -> Self {
        Self(self.0.iter().skip(1).copied().collect())
    }

    /// # Safety
    /// As [`Self::among`].
    unsafe fn look(&mut self, object: *mut PyObject, depth: usize, seen: &mut HashSet<usize>) {
        // SAFETY: the items of a list and the values of a dict are alive as long as nothing runs that changes it.
        unsafe {
            if ffi::PyList_CheckExact(object) != 0 {
                for at in 0..ffi::PyList_GET_SIZE(object) {
                    self.see(ffi::PyList_GET_ITEM(object, at), depth, seen);
                }
            } else if ffi::PyDict_CheckExact(object) != 0 {
                let (mut position, mut value) = (0, std::ptr::null_mut());
                let no_key = std::ptr::null_mut();
                while ffi::PyDict_Next(object, &raw mut position, no_key, &raw mut value) != 0 {
                    self.see(value, depth, seen);
                }
            }
        }
    }

    /// # Safety
    /// As [`Self::among`].
    unsafe fn see(&mut self, item: *mut PyObject, depth: usize, seen: &mut HashSet<usize>) {
        if self.0.len() <= depth {
            self.0.push(Found {
                none: false,
                other: std::ptr::null_mut(),
            });
        }
        // SAFETY: as the caller says.
        unsafe {
            let found = &mut self.0[depth];
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
                self.look(item, depth + 1, seen);
            }
        }
    }
}
