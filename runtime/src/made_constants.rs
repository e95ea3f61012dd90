//! Constants that are made at run time: the containers of a program's global lists, dicts and sets, which
//! compiled code makes when it first asks for them, and which stay for good.

use std::{
    collections::HashMap,
    sync::{LazyLock, PoisonError, RwLock},
};

use crate::{
    error::PyoptError,
    memory::{Owner, pyopt_acquire},
};

/// What tells a constant from others: a digest of what it holds.
type Key = [i64; 2];

/// The addresses of the constants' owners, of which the table has a reference each.
static MADE: LazyLock<RwLock<HashMap<Key, usize, foldhash::fast::FixedState>>> =
    LazyLock::new(RwLock::default);

fn find(key: Key) -> *mut Owner {
    let made = MADE.read().unwrap_or_else(PoisonError::into_inner);
    made.get(&key).map_or(0, |owner| *owner) as *mut Owner
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
        owner as usize
    });
    0
}
