//! A gate that `fork` waits for.
//!
//! A child process has only the thread that forked: a lock that another thread held stays locked
//! for ever. Short critical sections on process-wide state (the JIT, the pool of target machines)
//! run inside [`guarded`]; `fork` takes the same lock, so the child finds that state consistent.

use std::{cell::UnsafeCell, sync::Once};

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
