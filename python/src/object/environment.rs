//! The objects that compiled code refers to, in the order the compiler asked for.

use std::ptr;

use pyo3::exceptions::PySystemError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::layout_311::Code;
use crate::compiler::ObjectEntry;

/// The table of one compiled function. Words of caches hold no references.
pub struct Environment {
    words: Box<[usize]>,
    /// Keeps the objects among the words.
    _objects: Vec<Py<PyAny>>,
}

impl Environment {
    /// Makes the objects.
    ///
    /// # Safety
    /// `code` is the live code object that was compiled.
    pub unsafe fn new(py: Python<'_>, entries: &[ObjectEntry], code: *mut Code) -> PyResult<Self> {
        let mut words = Vec::new();
        let mut objects = Vec::new();
        for entry in entries {
            if let ObjectEntry::Cache(count) = entry {
                words.resize(words.len() + count, 0);
                continue;
            }
            // SAFETY: the caller's promise.
            let object = unsafe { object(py, entry, code)? };
            words.push(object.as_ptr() as usize);
            objects.push(object.unbind());
        }
        Ok(Self {
            words: words.into_boxed_slice(),
            _objects: objects,
        })
    }

    /// The address of the first word. Compiled code writes to the words of caches, with the GIL.
    pub fn as_ptr(&self) -> *mut usize {
        self.words.as_ptr().cast_mut()
    }
}

unsafe fn object<'py>(
    py: Python<'py>,
    entry: &ObjectEntry,
    code: *mut Code,
) -> PyResult<Bound<'py, PyAny>> {
    let object = match entry {
        ObjectEntry::Name(name) => PyString::intern(py, name).into_any(),
        ObjectEntry::Names(names) => {
            PyTuple::new(py, names.iter().map(|name| PyString::intern(py, name)))?.into_any()
        }
        ObjectEntry::Constant(index) => {
            // SAFETY: the caller's promise; the index is checked.
            let constant: *mut PyObject = unsafe {
                let constants = (*code).constants;
                let count = ffi::PyTuple_GET_SIZE(constants) as usize;
                match *index < count {
                    true => ffi::PyTuple_GET_ITEM(constants, *index as ffi::Py_ssize_t),
                    false => ptr::null_mut(),
                }
            };
            if constant.is_null() {
                return Err(PySystemError::new_err("the code object lacks a constant"));
            }
            // SAFETY: the tuple holds a live object there.
            unsafe { Bound::from_borrowed_ptr(py, constant) }
        }
        ObjectEntry::None => py.None().into_bound(py),
        ObjectEntry::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        ObjectEntry::Cache(_) => unreachable!("caches hold no object"),
    };
    Ok(object)
}
