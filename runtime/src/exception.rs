//! Exceptions that compiled code catches and raises again, with the calls they came through.
//!
//! An exception of compiled code is the id of the place that made it and the owner of its
//! arguments. Caught behind a call, it has come through calls, which are in the error record. They
//! go to a [`Trace`] around the owner, from which they come back into the record when the exception
//! is raised again.

use std::ptr;

use crate::{
    error::{MAX_SITES, PyoptError},
    memory::{Owner, OwnerKind, pyopt_acquire, pyopt_alloc_holder},
};

/// What is behind the header of an [`OwnerKind::Trace`].
#[repr(C)]
struct Trace {
    /// The owner of the arguments; may be null.
    arguments: *mut Owner,
    depth: i64,
    sites: [i64; MAX_SITES],
}

/// The trace that an owner is, if it is one.
///
/// # Safety
///
/// `owner` is null or alive.
unsafe fn trace<'t>(owner: *mut Owner) -> Option<&'t Trace> {
    // SAFETY: the caller's promise; a trace is written when it is made.
    unsafe {
        let header = owner.as_ref()?;
        (header.kind() == OwnerKind::Trace).then(|| &*owner.add(1).cast::<Trace>())
    }
}

/// The owner of the arguments of an exception: what a trace is around, or the owner itself.
///
/// # Safety
///
/// `owner` is null or the owner of an exception, and alive.
pub unsafe fn arguments(owner: *mut Owner) -> *mut Owner {
    // SAFETY: the caller's promise.
    unsafe { trace(owner) }.map_or(owner, |trace| trace.arguments)
}

/// The ids of the calls that an exception came through before it was caught, innermost first.
///
/// # Safety
///
/// As [`arguments`].
pub unsafe fn calls(owner: *mut Owner) -> Vec<i64> {
    // SAFETY: the caller's promise.
    unsafe { trace(owner) }.map_or_else(Vec::new, |trace| {
        trace.sites[..recorded(trace.depth)].to_vec()
    })
}

fn recorded(depth: i64) -> usize {
    usize::try_from(depth).unwrap_or(0).min(MAX_SITES)
}

/// Takes the exception out of the error record that the call with the id `site` left, which is as
/// new then: its owner, with the calls it came through. Where memory is short these are lost.
///
/// # Safety
///
/// The record was prepared, and a call returned with an exception in it.
#[unsafe(no_mangle)]
#[cold]
pub unsafe extern "C" fn pyopt_catch(error: *mut PyoptError, site: i64) -> *mut Owner {
    // SAFETY: the caller's promise: as many sites are written as the depth says, and the payload
    // is a reference that is given up. The holder has room for the trace.
    unsafe {
        let depth = (&raw mut (*error).depth).replace(0);
        let arguments = (&raw mut (*error).payload[0]).replace(0) as *mut Owner;
        let mut sites = [0; MAX_SITES];
        let known = recorded(depth);
        let from = (&raw const (*error).sites).cast::<i64>();
        ptr::copy_nonoverlapping(from, sites.as_mut_ptr(), known);
        if let Some(next) = sites.get_mut(known) {
            *next = site;
        }
        let owner = pyopt_alloc_holder(1, (size_of::<Trace>() - size_of::<*mut Owner>()) as i64);
        let Some(header) = owner.as_mut() else {
            return arguments;
        };
        header.mark_as_trace();
        owner.add(1).cast::<Trace>().write(Trace {
            arguments,
            depth: depth + 1,
            sites,
        });
        owner
    }
}

/// Puts an exception into the error record, of which the caller keeps its reference: the owner of
/// its arguments, and the calls it came through before it was caught.
///
/// # Safety
///
/// The record was prepared, and there is no exception in it; `owner` is null or of an exception
/// and alive.
#[unsafe(no_mangle)]
#[cold]
pub unsafe extern "C" fn pyopt_raise(error: *mut PyoptError, owner: *mut Owner) {
    // SAFETY: the caller's promise; the record gets a reference of its own.
    unsafe {
        let arguments = arguments(owner);
        if let Some(trace) = trace(owner) {
            (&raw mut (*error).depth).write(trace.depth);
            let to = (&raw mut (*error).sites).cast::<i64>();
            ptr::copy_nonoverlapping(trace.sites.as_ptr(), to, recorded(trace.depth));
        }
        pyopt_acquire(arguments);
        (&raw mut (*error).payload[0]).write(arguments as i64);
    }
}

/// Makes the first of so many words, which stand in place of the call sites, the arguments of the
/// exception in the error record. Words beyond the record's room are 0; where memory is short there
/// are no arguments.
///
/// # Safety
///
/// The record was prepared, there is no exception in it, and the words were written.
#[unsafe(no_mangle)]
#[cold]
pub unsafe extern "C" fn pyopt_hold(error: *mut PyoptError, words: i64) {
    // SAFETY: the caller's promise; the holder has room for the words.
    unsafe {
        let owner = pyopt_alloc_holder(0, words * 8);
        if owner.is_null() {
            return;
        }
        let to = owner.add(1).cast::<i64>();
        let from = (&raw const (*error).sites).cast::<i64>();
        for at in 0..usize::try_from(words).unwrap_or(0) {
            let word = if at < MAX_SITES {
                from.add(at).read()
            } else {
                0
            };
            to.add(at).write(word);
        }
        (&raw mut (*error).payload[0]).write(owner as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{OwnerRef, pyopt_alloc, pyopt_release};

    #[test]
    fn an_exception_keeps_its_arguments_and_calls_while_it_is_handled() {
        let mut error = PyoptError::new(ptr::null());
        let payload = pyopt_alloc(8, 0);
        error.depth = 1;
        error.sites[0] = 7;
        error.payload[0] = payload as i64;
        // SAFETY: the record holds an exception, whose owner is released once for each reference.
        unsafe {
            let caught = pyopt_catch(&raw mut error, 8);
            assert_eq!((error.depth, error.payload[0]), (0, 0));
            assert_eq!(arguments(caught), payload);
            assert_eq!(calls(caught), [7, 8]);

            pyopt_raise(&raw mut error, caught);
            assert_eq!(error.call_sites(), [7, 8]);
            pyopt_release(caught);
            let left = PyoptError::take_payload(&raw mut error).expect("there are arguments");
            assert_eq!((left.as_ptr(), left.refcount()), (payload, 1));
        }
    }

    #[test]
    fn words_in_place_of_call_sites_become_the_arguments() {
        let mut error = PyoptError::new(ptr::null());
        error.sites[0] = 5;
        error.sites[1] = -3;
        // SAFETY: the record holds no exception before, and its owner is released after.
        unsafe {
            pyopt_hold(&raw mut error, 2);
            let held = PyoptError::take_payload(&raw mut error).expect("there are arguments");
            let words = held.as_ptr().add(1).cast::<i64>();
            assert_eq!([words.read(), words.add(1).read()], [5, -3]);
        }

        let beyond = MAX_SITES as i64 + 2;
        error.sites = [7; MAX_SITES];
        // SAFETY: as above.
        unsafe {
            pyopt_hold(&raw mut error, beyond);
            let held = PyoptError::take_payload(&raw mut error).expect("there are arguments");
            let words = held.as_ptr().add(1).cast::<i64>();
            assert_eq!(words.add(MAX_SITES - 1).read(), 7);
            assert_eq!(words.add(MAX_SITES).read(), 0);
        }
    }

    #[test]
    fn an_exception_without_arguments_has_calls_only() {
        let mut error = PyoptError::new(ptr::null());
        // SAFETY: as above.
        unsafe {
            let caught = pyopt_catch(&raw mut error, 3);
            assert!(arguments(caught).is_null());
            assert_eq!(calls(caught), [3]);
            drop(OwnerRef::from_raw(caught));
            pyopt_raise(&raw mut error, ptr::null_mut());
            assert_eq!((error.depth, error.payload[0]), (0, 0));
        }
    }
}
