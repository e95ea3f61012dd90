//! What Python's lists, dicts and sets are made of, and made of again.

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyopt_runtime::lists::List;
use pyopt_runtime::memory::{Owner, pyopt_acquire};
use pyopt_runtime::tables::Table;

use crate::boxing;
use crate::types::TypeDesc;
use crate::unbox::{ArgBuffer, Failure};

/// Which container an object is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    List,
    Dict,
    Set,
}

impl Shape {
    /// That of a list, dict or set.
    ///
    /// # Safety
    /// `object` is one that is alive.
    pub unsafe fn of(object: *mut PyObject) -> Self {
        // SAFETY: the type of a live object is readable.
        let ty = unsafe { ffi::Py_TYPE(object) };
        if ty == &raw mut ffi::PyDict_Type {
            Self::Dict
        } else if ty == &raw mut ffi::PySet_Type {
            Self::Set
        } else {
            Self::List
        }
    }

    /// That of the containers of a type, and the types of an entry's parts: none where nothing is put in.
    pub fn of_type(desc: &TypeDesc) -> (Self, &[TypeDesc]) {
        match desc {
            TypeDesc::Dict(parts) => (Self::Dict, parts.as_deref().map_or(&[], |parts| &parts[..])),
            TypeDesc::Set(item) => (Self::Set, item.as_deref().map_or(&[], std::slice::from_ref)),
            TypeDesc::List(item) => (
                Self::List,
                item.as_deref().map_or(&[], std::slice::from_ref),
            ),
            _ => (Self::List, &[]),
        }
    }

    /// Python's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Dict => "dict",
            Self::Set => "set",
        }
    }

    /// Number of parts of an entry: a key and a value, or an item.
    pub fn width(self) -> usize {
        if self == Self::Dict { 2 } else { 1 }
    }

    /// The parts of all entries of an argument of this shape, and the copy of it that they are borrowed from:
    /// another thread, or Python code that compiled code calls, may let them go before the call is over. There
    /// is no copy with the GIL where the parts are numbers, of which compiled code has the values.
    ///
    /// # Safety
    /// The GIL is held, and `object` is one of this shape.
    pub unsafe fn lasting_parts(
        self,
        object: *mut PyObject,
    ) -> Result<(Vec<*mut PyObject>, Option<Py<PyAny>>), Failure> {
        // SAFETY: as the caller says; nobody else has the copy.
        unsafe {
            if !cfg!(Py_GIL_DISABLED) {
                let parts = self.parts(object);
                if parts.iter().take(self.width()).all(|part| is_number(*part)) {
                    return Ok((parts, None));
                }
            }
            let copy = match self {
                Self::List => ffi::PyList_GetSlice(object, 0, ffi::PY_SSIZE_T_MAX),
                Self::Dict => ffi::PyDict_Copy(object),
                Self::Set => ffi::PySet_New(object),
            };
            let py = Python::assume_attached();
            let copy = Bound::from_owned_ptr_or_opt(py, copy).ok_or(Failure::Raised)?;
            Ok((self.parts(copy.as_ptr()), Some(copy.unbind())))
        }
    }

    /// The parts of all entries of an object of this shape, borrowed from it.
    ///
    /// # Safety
    /// The GIL is held, and `object` is one of this shape.
    pub unsafe fn parts(self, object: *mut PyObject) -> Vec<*mut PyObject> {
        let mut parts = Vec::new();
        // SAFETY: as the caller says; no Python code runs between the steps.
        unsafe {
            match self {
                Self::List => {
                    let length = ffi::PyList_GET_SIZE(object);
                    parts.extend((0..length).map(|index| ffi::PyList_GET_ITEM(object, index)));
                }
                Self::Dict => {
                    let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
                    let mut at = 0;
                    while ffi::PyDict_Next(object, &raw mut at, &raw mut key, &raw mut value) != 0 {
                        parts.extend([key, value]);
                    }
                }
                Self::Set => {
                    let iterator = ffi::PyObject_GetIter(object);
                    while !iterator.is_null() {
                        let item = ffi::PyIter_Next(iterator);
                        if item.is_null() {
                            break;
                        }
                        // The set holds another reference.
                        ffi::Py_DECREF(item);
                        parts.push(item);
                    }
                    ffi::Py_XDECREF(iterator);
                }
            }
        }
        parts
    }

    /// A new object of this shape without entries; null with an exception set if that fails.
    ///
    /// # Safety
    /// The GIL is held.
    pub unsafe fn new_object(self) -> *mut PyObject {
        // SAFETY: as the caller says.
        unsafe {
            match self {
                Self::List => ffi::PyList_New(0),
                Self::Dict => ffi::PyDict_New(),
                Self::Set => ffi::PySet_New(std::ptr::null_mut()),
            }
        }
    }

    /// Puts the entries that compiled code has into an object of this shape; false with an exception set if
    /// that fails.
    ///
    /// # Safety
    /// As [`boxing::to_object`]; `owner` is a container of compiled code with entries of these parts.
    pub unsafe fn fill(
        self,
        object: *mut PyObject,
        owner: *mut Owner,
        parts: &[TypeDesc],
        args: &ArgBuffer,
    ) -> bool {
        let count: usize = parts.iter().map(TypeDesc::slots).sum();
        let is_hole = |entry| match self {
            Self::List => false,
            // SAFETY: as the caller says.
            Self::Dict | Self::Set => unsafe { Table::of(owner).is_hole(entry) },
        };
        // SAFETY: as the caller says: a table begins as the list of its entries. Each part gets references of its
        // own, and its object is given up once it is put in.
        unsafe {
            for entry in 0..List::of(owner).len() {
                if is_hole(entry) {
                    continue;
                }
                let mut objects = [std::ptr::null_mut(); 2];
                let mut at = entry * count;
                let mut failed = false;
                for (part, place) in parts.iter().zip(&mut objects) {
                    let slots = &List::of(owner).words()[at..at + part.slots()];
                    at += part.slots();
                    boxing::each_owner(part, slots, |owner| pyopt_acquire(owner));
                    *place = boxing::to_object(part, slots, args);
                    failed |= place.is_null();
                }
                let [first, second] = objects;
                failed = failed
                    || match self {
                        Self::List => ffi::PyList_Append(object, first) != 0,
                        Self::Dict => ffi::PyDict_SetItem(object, first, second) != 0,
                        Self::Set => ffi::PySet_Add(object, first) != 0,
                    };
                ffi::Py_XDECREF(first);
                ffi::Py_XDECREF(second);
                if failed {
                    return false;
                }
            }
        }
        true
    }

    /// Replaces the entries of an object that was passed by those that compiled code has; false with an exception
    /// set if that fails.
    ///
    /// # Safety
    /// As [`Self::fill`].
    pub unsafe fn write_back(
        self,
        object: *mut PyObject,
        owner: *mut Owner,
        parts: &[TypeDesc],
        args: &ArgBuffer,
    ) -> bool {
        // SAFETY: as the caller says. The new entries are there before the old ones are given up, whose
        // finalizers may run Python code.
        unsafe {
            let fresh = self.new_object();
            if fresh.is_null() {
                return false;
            }
            let mut done = self.fill(fresh, owner, parts, args);
            done = done
                && match self {
                    Self::List => ffi::PyList_SetSlice(object, 0, ffi::PY_SSIZE_T_MAX, fresh) == 0,
                    Self::Dict => {
                        ffi::PyDict_Clear(object);
                        ffi::PyDict_Update(object, fresh) == 0
                    }
                    Self::Set => {
                        ffi::PySet_Clear(object) == 0
                            && self
                                .parts(fresh)
                                .into_iter()
                                .all(|item| ffi::PySet_Add(object, item) == 0)
                    }
                };
            ffi::Py_DECREF(fresh);
            done
        }
    }
}

/// Whether an object is one of Python's numbers that compiled code has the value of.
///
/// # Safety
/// The object is alive.
unsafe fn is_number(object: *mut PyObject) -> bool {
    // SAFETY: as the caller says.
    unsafe {
        ffi::PyLong_CheckExact(object) != 0
            || ffi::PyFloat_CheckExact(object) != 0
            || ffi::PyBool_Check(object) != 0
    }
}
