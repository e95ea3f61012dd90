//! The error record that compiled code fills on its way out.

use std::ffi::c_void;

use crate::{
    memory::{Owner, OwnerRef},
    stack,
};

/// Number of call sites an error can record.
pub const MAX_SITES: usize = 30;

/// Where an exception was raised and through which calls it came, innermost first.
///
/// The entry point returns the id of the raise site; every caller on the way up appends the id
/// of its call site while there is room. `depth` counts all of them, also those without room.
#[repr(C)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PyoptError {
    /// Number of call sites the error came through.
    pub depth: i64,
    /// Their ids, innermost first.
    pub sites: [i64; MAX_SITES],
    /// First the owner of the exception's arguments, 0 for an exception that has none: an
    /// [`Owner`](crate::memory::Owner) that whoever takes the exception releases. The rest is
    /// unused.
    pub payload: [i64; 4],
    /// Recursive functions raise RecursionError when the stack is below this address: see
    /// [`stack::limit`].
    pub stack_limit: usize,
    /// What the host finds the Python code by that the compiled code calls; its own affair.
    pub host: *const c_void,
}

// SAFETY: what the host finds its code by may be read on any thread: compiled code runs on several.
unsafe impl Send for PyoptError {}

/// The status of code that left with an exception of the host's, which is the object of the owner in
/// the payload. Sites have other ids.
pub const STATUS_HOST: i32 = i32::MAX;

impl PyoptError {
    /// An error record with nothing in it, for code that runs on this thread for a host.
    pub fn new(host: *const c_void) -> Self {
        Self {
            depth: 0,
            sites: [0; MAX_SITES],
            payload: [0; 4],
            stack_limit: stack::limit(),
            host,
        }
    }

    /// Writes down what compiled code on this thread reads of a record, and what it leaves as it is
    /// where an exception has no arguments.
    ///
    /// # Safety
    ///
    /// `record` can be written to.
    #[inline]
    pub unsafe fn prepare(record: *mut Self, host: *const c_void) {
        // SAFETY: the caller's promise; no reference to unwritten fields is made.
        unsafe {
            (&raw mut (*record).depth).write(0);
            (&raw mut (*record).payload[0]).write(0);
            (&raw mut (*record).stack_limit).write(stack::limit());
            (&raw mut (*record).host).write(host);
        }
    }

    /// Takes over how code on another thread ended; this thread keeps the limit of its stack.
    ///
    /// # Safety
    ///
    /// `record` was prepared.
    pub unsafe fn take_over(record: *mut Self, other: Self) {
        // SAFETY: the caller's promise; the limit is among what is prepared.
        unsafe {
            let stack_limit = (&raw const (*record).stack_limit).read();
            record.write(Self {
                stack_limit,
                ..other
            });
        }
    }

    /// Takes out the arguments of the exception.
    ///
    /// # Safety
    ///
    /// The record was prepared.
    pub unsafe fn take_payload(record: *mut Self) -> Option<OwnerRef> {
        // SAFETY: the caller's promise; compiled code put a reference there, which is taken once.
        unsafe {
            let payload = &raw mut (*record).payload[0];
            let owner = payload.replace(0) as *mut Owner;
            OwnerRef::from_raw(owner)
        }
    }

    /// The recorded call sites.
    pub fn call_sites(&self) -> &[i64] {
        let recorded = usize::try_from(self.depth).unwrap_or(0).min(MAX_SITES);
        &self.sites[..recorded]
    }
}

#[cfg(test)]
mod tests {
    use std::mem::{offset_of, size_of};

    use super::*;

    #[test]
    fn the_layout_is_what_compiled_code_expects() {
        assert_eq!(offset_of!(PyoptError, depth), 0);
        assert_eq!(offset_of!(PyoptError, sites), 8);
        assert_eq!(offset_of!(PyoptError, payload), 248);
        assert_eq!(offset_of!(PyoptError, stack_limit), 280);
        assert_eq!(offset_of!(PyoptError, host), 288);
        assert_eq!(size_of::<PyoptError>(), 296);
    }

    #[test]
    fn call_sites_without_room_are_only_counted() {
        let mut error = PyoptError::new(std::ptr::null());
        assert!(error.call_sites().is_empty());
        error.depth = 45;
        assert_eq!(error.call_sites().len(), MAX_SITES);
    }
}
