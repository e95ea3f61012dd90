//! The results that functions with a cache have given (`functools.cache`, `lru_cache`): each thread has its own.

use foldhash::fast::FixedState;
use std::{
    cell::RefCell,
    collections::HashMap,
    mem,
    sync::atomic::{AtomicU64, Ordering},
};

use crate::{
    error::PyoptError,
    memory::{Owner, pyopt_acquire, pyopt_release},
};

/// How often code was freed: what stood for a function in it may stand for another one then.
static FREED: AtomicU64 = AtomicU64::new(0);

/// Has all threads forget what they keep, before code is freed.
pub(crate) fn forget() {
    FREED.fetch_add(1, Ordering::AcqRel);
}

/// Tables by what stands for a function: an address in its code. Each is a reference.
#[derive(Default)]
struct Tables(HashMap<i64, *mut Owner, FixedState>);

impl Drop for Tables {
    fn drop(&mut self) {
        for (_, table) in self.0.drain() {
            // SAFETY: the reference is this one's.
            unsafe { pyopt_release(table) };
        }
    }
}

/// What a thread keeps.
#[derive(Default)]
struct Kept {
    tables: Tables,
    /// The one that was asked for last: mostly it is the next one, too.
    last: Option<(i64, *mut Owner)>,
    /// How often code had been freed when the first table was made.
    freed: u64,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// The table of a function in this thread, which is a given one if there was none.
///
/// # Safety
///
/// The given table is alive.
unsafe fn table(function: i64, fresh: *mut Owner) -> *mut Owner {
    let found = KEPT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        let freed = FREED.load(Ordering::Acquire);
        let stale = (kept.freed != freed).then(|| {
            kept.freed = freed;
            kept.last = None;
            // These are released when nothing is borrowed any more.
            mem::take(&mut kept.tables)
        });
        let table = match kept.last {
            Some((last, table)) if last == function => table,
            _ => *kept.tables.0.entry(function).or_insert_with(|| {
                // SAFETY: the caller's promise.
                unsafe { pyopt_acquire(fresh) };
                fresh
            }),
        };
        kept.last = Some((function, table));
        // SAFETY: what is kept is alive.
        unsafe { pyopt_acquire(table) };
        (table, stale)
    });
    // A thread that is ending keeps nothing.
    found.map_or_else(
        |_| {
            // SAFETY: the caller's promise.
            unsafe { pyopt_acquire(fresh) };
            fresh
        },
        |(table, _)| table,
    )
}

/// Gives the table of results of a function in this thread, with a reference for the caller: the one in the last
/// word, if there is none yet.
///
/// # Safety
///
/// `arguments` points to the four words of a text, whose units stand for the function, and to a table that is
/// alive; `returned` to room for a word.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_kept_results(
    _error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let [_, function, _, _, fresh] = *arguments.cast::<[i64; 5]>();
        returned.write(table(function, fresh as *mut Owner) as i64);
    }
    0
}
