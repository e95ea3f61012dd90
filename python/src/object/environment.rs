//! The objects that compiled code refers to, in the order the compiler asked for.

use std::ptr;

use pyo3::exceptions::PySystemError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyFrozenSet, PyInt, PyString, PyTuple};
use pyopt_frontend::value::Value;

use super::layout_311::Code;
use crate::compiler::ObjectEntry;

/// The table of one compiled function. Words of caches hold no references.
pub struct Environment {
    words: Box<[usize]>,
    /// Keeps the objects among the words.
    objects: Vec<Py<PyAny>>,
}

impl Drop for Environment {
    fn drop(&mut self) {
        // SAFETY: functions and code objects hold environments; they go with the GIL held.
        let py = unsafe { Python::assume_attached() };
        // PyO3 doesn't know that and would keep what is dropped unbound.
        for object in self.objects.drain(..) {
            drop(object.into_bound(py));
        }
    }
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
            objects,
        })
    }

    /// The address of the first word. Compiled code writes to the words of caches, with the GIL.
    pub fn as_ptr(&self) -> *mut usize {
        self.words.as_ptr().cast_mut()
    }
}

/// A constant as an object.
fn constant<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let all = |values: &[Value]| -> PyResult<Vec<Bound<'py, PyAny>>> {
        values.iter().map(|value| constant(py, value)).collect()
    };
    Ok(match value {
        Value::None => py.None().into_bound(py),
        Value::Ellipsis => py.Ellipsis().into_bound(py),
        Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::Int(value) => py.get_type::<PyInt>().call1((value.to_string(),))?,
        Value::Float(value) => PyFloat::new(py, *value).into_any(),
        Value::Complex(real, imag) => PyComplex::from_doubles(py, *real, *imag).into_any(),
        Value::Bytes(value) => PyBytes::new(py, value).into_any(),
        Value::Str(value) => PyString::intern(py, value).into_any(),
        Value::Tuple(values) => PyTuple::new(py, all(values)?)?.into_any(),
        Value::FrozenSet(values) => PyFrozenSet::new(py, all(values)?)?.into_any(),
        other => {
            return Err(PySystemError::new_err(format!(
                "a constant of type '{}' has no place among the code object's",
                other.type_name()
            )));
        }
    })
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
        ObjectEntry::Value(value) => constant(py, value)?,
        ObjectEntry::Cache(_) => unreachable!("caches hold no object"),
    };
    Ok(object)
}
