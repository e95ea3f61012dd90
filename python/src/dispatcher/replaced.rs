//! What calls read without a lock while another thread replaces it.

use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

/// A value that is replaced as a whole.
///
/// Who reads it isn't counted: that would cost each call more than the rest of it. With the GIL a value has no
/// readers once another thread runs Python code, and goes when it is replaced. Without it there may be some at
/// any time, so former values stay as long as this does. They are few: what is replaced are defaults that come
/// late, and code that a program compiles again.
pub struct Replaced<T> {
    current: AtomicPtr<T>,
    former: Mutex<Vec<Box<T>>>,
}

impl<T> Replaced<T> {
    /// The first value.
    pub fn new(value: T) -> Self {
        Self {
            current: AtomicPtr::new(Box::into_raw(Box::new(value))),
            former: Mutex::default(),
        }
    }

    /// The present value.
    ///
    /// # Safety
    /// With the GIL, it is held and no Python code runs as long as the result is borrowed.
    #[inline]
    pub unsafe fn get(&self) -> &T {
        // SAFETY: it comes from a box, which goes with this, or as the caller says when it is replaced.
        unsafe { &*self.current.load(Ordering::Acquire) }
    }

    /// Replaces the value. The result is dropped behind the last use of what was read: that may run Python code.
    #[must_use]
    pub fn replace(&self, value: T) -> Option<Box<T>> {
        let new = Box::into_raw(Box::new(value));
        // SAFETY: the address is that of a box, which nobody else has once another one is there.
        let former = unsafe { Box::from_raw(self.current.swap(new, Ordering::AcqRel)) };
        if !cfg!(Py_GIL_DISABLED) {
            return Some(former);
        }
        let mut all = self.former.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(former);
        None
    }

    /// Visits all values that there are, for the garbage collector; none where that would have to wait.
    pub fn visit<E>(&self, mut act: impl FnMut(&T) -> Result<(), E>) -> Result<(), E> {
        let Ok(former) = self.former.try_lock() else {
            return Ok(());
        };
        former.iter().try_for_each(|one| act(one))?;
        // SAFETY: the collector runs where nothing is replaced.
        act(unsafe { self.get() })
    }
}

impl<T> Drop for Replaced<T> {
    fn drop(&mut self) {
        // SAFETY: it is the address of a box.
        drop(unsafe { Box::from_raw(*self.current.get_mut()) });
    }
}
