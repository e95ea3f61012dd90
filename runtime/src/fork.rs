//! A gate that `fork` waits for.
//!
//! A child process has only the thread that forked: a lock that another thread held stays locked
//! for ever. Short critical sections on process-wide state (the JIT, the pool of target machines)
//! run inside [`guarded`]; `fork` takes the same lock, so the child finds that state consistent.

use std::{
    cell::UnsafeCell,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

/// A lock that can be released in the child, which `std`'s guards do not allow.
struct Gate(UnsafeCell<libc::pthread_mutex_t>);

// SAFETY: a pthread mutex is made to be shared between threads.
unsafe impl Sync for Gate {}

static GATE: Gate = Gate(UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER));

/// Runs `work` while no fork can happen. Not reentrant.
pub fn guarded<R>(work: impl FnOnce() -> R) -> R {
    /// Releases the gate, also when `work` panics.
    struct Release;
    impl Drop for Release {
        fn drop(&mut self) {
            unlock();
        }
    }
    register();
    lock();
    let _release = Release;
    work()
}

/// Work that does something once in a process, under locks that aren't ours: until that is over no fork
/// can happen during it.
pub(crate) struct FirstGuarded(AtomicBool);

impl FirstGuarded {
    /// For work that wasn't done yet.
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Does the work; inside the gate unless it was done before.
    pub(crate) fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.0.load(Ordering::Acquire) {
            return work();
        }
        guarded(|| {
            let result = work();
            self.0.store(true, Ordering::Release);
            result
        })
    }
}

fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| at_fork(Some(prepare), Some(released), Some(released)));
}

/// Registers handlers that run around every `fork` of the process.
pub(crate) fn at_fork(
    prepare: Option<unsafe extern "C" fn()>,
    parent: Option<unsafe extern "C" fn()>,
    child: Option<unsafe extern "C" fn()>,
) {
    // SAFETY: the handlers are functions of this library, which is never unloaded.
    let status = unsafe { libc::pthread_atfork(prepare, parent, child) };
    assert_eq!(status, 0, "no memory to register fork handlers");
}

unsafe extern "C" fn prepare() {
    lock();
}

unsafe extern "C" fn released() {
    unlock();
}

fn lock() {
    // SAFETY: the mutex is statically initialised and never destroyed.
    unsafe { libc::pthread_mutex_lock(GATE.0.get()) };
}

fn unlock() {
    // SAFETY: called once per `lock`, by the thread that locked or by its copy in the child.
    unsafe { libc::pthread_mutex_unlock(GATE.0.get()) };
}
