//! What a dispatcher's function is compiled to so far.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyopt_runtime::fork::Table;

use crate::specialisation::Specialisation;

/// Held by who adds to any list, so that no two threads add the same.
static ADDING: Table<()> = Table::new();

/// Specialisations. There become more of them while other threads look for theirs.
pub struct Code {
    /// The one that was made last.
    newest: AtomicPtr<Entry>,
    /// The object found last, which an entry holds: calls tend to repeat their types.
    latest: AtomicPtr<PyObject>,
}

struct Entry {
    made: Py<Specialisation>,
    /// What was made before it.
    older: *mut Entry,
}

impl Code {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self {
            newest: AtomicPtr::new(ptr::null_mut()),
            latest: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// All of it, the newest first.
    pub fn all(&self) -> impl Iterator<Item = &Py<Specialisation>> {
        let mut next: *const Entry = self.newest.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: entries stay, and stay what they are, as long as the list.
            let entry = unsafe { next.as_ref() }?;
            next = entry.older;
            Some(&entry.made)
        })
    }

    /// The specialisation for a device whose fingerprint is `words`.
    #[inline]
    pub fn find<'a, 'py>(
        &'a self,
        py: Python<'py>,
        words: &[u64],
        device: u32,
    ) -> Option<Borrowed<'a, 'py, Specialisation>> {
        // Word by word: there are few, for which a call of `memcmp` takes longer.
        let matches = |one: &Specialisation| {
            one.device_number() == device
                && one.words.len() == words.len()
                && one.words.iter().zip(words).all(|(own, word)| own == word)
        };
        // SAFETY: what is stored there is an object of an entry, which stays as long as the list.
        let latest = unsafe {
            let object = Borrowed::from_ptr_or_opt(py, self.latest.load(Ordering::Acquire));
            object.map(|object| object.cast_unchecked::<Specialisation>())
        };
        if latest.is_some_and(|latest| matches(latest.get())) {
            return latest;
        }
        let found = self.all().find(|one| matches(one.get()))?;
        self.latest.store(found.as_ptr(), Ordering::Release);
        Some(found.bind_borrowed(py))
    }

    /// Adds a specialisation, unless one for the same types is there already.
    pub fn add(&self, py: Python<'_>, made: Py<Specialisation>) {
        let (words, device) = (&made.get().words, made.get().device_number());
        let _adding = ADDING.lock();
        if self.find(py, words, device).is_some() {
            return;
        }
        let older = self.newest.load(Ordering::Acquire);
        let entry = Box::into_raw(Box::new(Entry { made, older }));
        self.newest.store(entry, Ordering::Release);
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let mut next = *self.newest.get_mut();
        while !next.is_null() {
            // SAFETY: entries are boxes, each of which is in one list.
            let entry = unsafe { Box::from_raw(next) };
            next = entry.older;
        }
    }
}
