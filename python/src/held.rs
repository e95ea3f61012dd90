//! References to Python objects on the path of calls.

use std::mem::ManuallyDrop;
use std::ops::Deref;

use pyo3::ffi;
use pyo3::prelude::*;

/// A reference that is given up at once.
///
/// Calls come from the interpreter with the GIL held, which `PyO3` doesn't know of: a `Py` that is dropped then
/// is put off until something attaches the thread through `PyO3`, and until then the object outlives its call.
pub struct Held<T = PyAny>(ManuallyDrop<Py<T>>);

impl<T> Held<T> {
    /// # Safety
    /// The GIL is held where this is dropped.
    pub unsafe fn new(object: Py<T>) -> Self {
        Self(ManuallyDrop::new(object))
    }
}

impl<T> Deref for Held<T> {
    type Target = Py<T>;

    fn deref(&self) -> &Py<T> {
        &self.0
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        // SAFETY: as the maker says; the reference is this one's.
        unsafe { ffi::Py_DECREF(self.0.as_ptr()) };
    }
}
