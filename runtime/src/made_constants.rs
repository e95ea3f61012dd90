//! Constants that are made at run time: the containers of a program's global lists, dicts and sets, which
//! compiled code makes when it first asks for them, and which stay for good.

use foldhash::fast::FixedState;
use std::{
    collections::HashMap,
    ptr,
    sync::{
        LazyLock, PoisonError, RwLock,
        atomic::{AtomicPtr, Ordering},
    },
};

use crate::{
    error::PyoptError,
    memory::{Owner, pyopt_acquire},
};

/// What tells a constant from others: a digest of what it holds.
type Key = [i64; 2];

/// A constant, which is never taken away.
struct Made {
    key: Key,
    /// The owner, of which this is a reference.
    owner: *mut Owner,
}

// SAFETY: references are counted by atomic operations, and nothing changes what a constant holds.
unsafe impl Sync for Made {}
// SAFETY: as above.
unsafe impl Send for Made {}

static MADE: LazyLock<RwLock<HashMap<Key, &'static Made, FixedState>>> =
    LazyLock::new(RwLock::default);

/// The constants that were found last, each at a place that its key says: a function that is called often
/// asks for its constants at each call.
static FOUND: [AtomicPtr<Made>; 256] = [const { AtomicPtr::new(ptr::null_mut()) }; 256];

fn find(key: Key) -> *mut Owner {
    let place = &FOUND[key[1] as usize % FOUND.len()];
    // SAFETY: what is put there is never taken away.
    if let Some(made) = unsafe { place.load(Ordering::Acquire).as_ref() }
        && made.key == key
    {
        return made.owner;
    }
    let made = MADE.read().unwrap_or_else(PoisonError::into_inner);
    made.get(&key).map_or(ptr::null_mut(), |made| {
        place.store(ptr::from_ref(*made).cast_mut(), Ordering::Release);
        made.owner
    })
}

/// Whether the constant of a key was made.
///
/// # Safety
///
/// `arguments` points to the two words of the key, `returned` to room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_constant_is_made(
    _error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { returned.write(i64::from(!find(*arguments.cast()).is_null())) };
    0
}

/// Gives the constant of a key, which was made, with a reference for the caller.
///
/// # Safety
///
/// As [`pyopt_constant_is_made`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_made_constant(
    _error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise; the table keeps the owner alive.
    unsafe {
        let owner = find(*arguments.cast());
        pyopt_acquire(owner);
        returned.write(owner as i64);
    }
    0
}

/// Keeps the container in the third word as the constant of a key, unless there is one.
///
/// # Safety
///
/// `arguments` points to the two words of the key and to an owner that is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_keep_constant(
    _error: *mut PyoptError,
    _returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise.
    let (key, owner) = unsafe { (*arguments.cast::<Key>(), *arguments.add(2) as *mut Owner) };
    let mut made = MADE.write().unwrap_or_else(PoisonError::into_inner);
    made.entry(key).or_insert_with(|| {
        // SAFETY: the owner is alive.
        unsafe { pyopt_acquire(owner) };
        Box::leak(Box::new(Made { key, owner }))
    });
    0
}
