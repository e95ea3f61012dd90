//! Lists, dicts and sets that a generator was passed, or has given to Python, and may change later.
//!
//! Compiled code has copies of them. What a generator changes is written back whenever it gives an item or
//! ends, if the object is as it was: what Python code changes meanwhile the copy doesn't get, and both can't be
//! put together.

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyopt_runtime::lists::List;
use pyopt_runtime::memory::OwnerRef;

use crate::shapes::Shape;
use crate::types::TypeDesc;
use crate::unbox::ArgBuffer;

/// A list that a generator and Python code have.
pub struct KeptList {
    owner: OwnerRef,
    object: Py<PyAny>,
    shape: Shape,
    /// The types of an entry's parts.
    parts: Vec<TypeDesc>,
    /// The parts of the entries that the object had when it last was as the copy.
    entries: Vec<Py<PyAny>>,
}

impl KeptList {
    /// Keeps a list beyond the call.
    ///
    /// # Safety
    /// The GIL is held, and the object, which is of the shape, is alive.
    pub unsafe fn new(
        owner: OwnerRef,
        object: *mut PyObject,
        shape: Shape,
        parts: &[TypeDesc],
    ) -> Self {
        // SAFETY: as the caller says.
        let (py, object) = unsafe {
            let py = Python::assume_attached();
            (py, Bound::from_borrowed_ptr(py, object).unbind())
        };
        Self {
            entries: entries(py, shape, &object),
            owner,
            object,
            shape,
            parts: parts.to_vec(),
        }
    }

    /// Has the object stand for the list, for what Python code is given.
    pub fn begin(&self) {
        // SAFETY: the owner is alive as long as this has it.
        unsafe { (*self.owner.as_ptr()).set_object(self.object.as_ptr().cast()) };
    }

    /// Whether the generator has the list, too, and may change it.
    pub fn is_shared(&self) -> bool {
        // SAFETY: the owner is alive as long as this has it.
        unsafe { (*self.owner.as_ptr()).refcount() > 1 }
    }

    /// Writes back what the generator has changed; the objects of lists that are new to Python are in `args`.
    pub fn write_back(&mut self, py: Python<'_>, args: &ArgBuffer) -> PyResult<()> {
        // SAFETY: the list is alive, and the generator isn't at work.
        let list = unsafe { List::of(self.owner.as_ptr()) };
        if !list.is_changed() {
            return Ok(());
        }
        list.forget_changes();
        let found = entries(py, self.shape, &self.object);
        let is_same = |(own, other): (&Py<PyAny>, &Py<PyAny>)| own.is(other);
        if found.len() != self.entries.len() || !found.iter().zip(&self.entries).all(is_same) {
            return Err(PyRuntimeError::new_err(format!(
                "a {} was changed by the generator that has it and by other code meanwhile: the generator has \
                 a copy",
                self.object.bind(py).get_type().name()?
            )));
        }
        // SAFETY: the GIL is held, and the list is of these parts.
        let written = unsafe {
            self.shape
                .write_back(self.object.as_ptr(), self.owner.as_ptr(), &self.parts, args)
        };
        if !written {
            return Err(PyErr::fetch(py));
        }
        self.entries = entries(py, self.shape, &self.object);
        Ok(())
    }
}

impl Drop for KeptList {
    fn drop(&mut self) {
        // SAFETY: the owner is alive as long as this has it.
        unsafe { (*self.owner.as_ptr()).set_object(std::ptr::null_mut()) };
    }
}

/// The parts of the entries of an object.
fn entries(py: Python<'_>, shape: Shape, object: &Py<PyAny>) -> Vec<Py<PyAny>> {
    // SAFETY: the GIL is held; the object is of the shape and has its entries meanwhile.
    unsafe {
        let parts = shape.parts(object.as_ptr()).into_iter();
        parts
            .map(|part| Bound::from_borrowed_ptr(py, part).unbind())
            .collect()
    }
}
