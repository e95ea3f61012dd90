//! Turns of calls, for hosts without a global lock.
//!
//! A call that keeps the lock of such a host as has one is alone with the structures that it is given, until it
//! runs code of the host's: see [`crate::sharing`]. Without such a lock calls of that kind take turns, under a
//! lock of their own. While a call runs code of the host's its thread has no turn, so that code may wait for
//! another thread that waits for one.

use std::{
    cell::Cell,
    marker::PhantomData,
    sync::{
        Once,
        atomic::{AtomicU32, Ordering},
    },
};

use crate::fork::at_fork;

/// Nobody has the turn.
const FREE: u32 = 0;
/// A thread has it.
const TAKEN: u32 = 1;
/// A thread has it, and others may wait.
const AWAITED: u32 = 2;

static STATE: AtomicU32 = AtomicU32::new(FREE);

thread_local! {
    /// How many turns this thread has taken, one in another.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A turn of this thread; it ends when this is dropped.
#[derive(Debug)]
pub struct Turn(PhantomData<*const ()>);

impl Turn {
    /// Takes a turn. Where another thread has one, `wait` gets what waits until it is over.
    #[inline]
    pub fn take(wait: impl FnOnce(fn())) -> Self {
        let depth = DEPTH.get();
        if depth == 0 {
            take(wait);
        }
        DEPTH.set(depth + 1);
        Self(PhantomData)
    }
}

impl Drop for Turn {
    #[inline]
    fn drop(&mut self) {
        let depth = DEPTH.get() - 1;
        DEPTH.set(depth);
        if depth == 0 {
            give();
        }
    }
}

/// Runs work that may wait for other threads: without the turn that this one has, if it has one.
pub fn aside<R>(wait: impl FnOnce(fn()), work: impl FnOnce() -> R) -> R {
    let depth = DEPTH.replace(0);
    if depth == 0 {
        return work();
    }
    give();
    let result = work();
    take(wait);
    DEPTH.set(depth);
    result
}

fn take(wait: impl FnOnce(fn())) {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| at_fork(None, None, Some(free_in_child)));
    let taken = STATE.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed);
    if taken.is_err() {
        wait(take_later);
    }
}

/// Waits until the turn can be taken.
fn take_later() {
    while STATE.swap(AWAITED, Ordering::Acquire) != FREE {
        sleep();
    }
}

fn give() {
    if STATE.swap(FREE, Ordering::Release) == AWAITED {
        wake();
    }
}

/// A child has only the thread that forked. Where that has a turn, it keeps it.
unsafe extern "C" fn free_in_child() {
    let own = if DEPTH.get() == 0 { FREE } else { TAKEN };
    STATE.store(own, Ordering::Relaxed);
}

/// Sleeps while others wait for the turn, or shorter.
#[cfg(target_os = "linux")]
fn sleep() {
    // SAFETY: the word is alive, and there is no limit of time.
    unsafe {
        let command = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
        let forever: *const libc::timespec = std::ptr::null();
        libc::syscall(libc::SYS_futex, STATE.as_ptr(), command, AWAITED, forever);
    }
}

#[cfg(target_os = "linux")]
fn wake() {
    // SAFETY: the word is alive.
    unsafe {
        let command = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
        libc::syscall(libc::SYS_futex, STATE.as_ptr(), command, 1);
    }
}

/// Sleeps for a moment.
#[cfg(not(target_os = "linux"))]
fn sleep() {
    std::thread::sleep(std::time::Duration::from_micros(50));
}

#[cfg(not(target_os = "linux"))]
fn wake() {}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, AtomicU64},
        thread,
    };

    use super::*;

    #[test]
    fn threads_take_turns_and_leave_them_aside() {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        static ALONE: AtomicBool = AtomicBool::new(true);
        let alone = || {
            assert!(ALONE.swap(false, Ordering::Relaxed));
            COUNT.store(COUNT.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            ALONE.store(true, Ordering::Relaxed);
        };
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        let _turn = Turn::take(|wait| wait());
                        let _inner = Turn::take(|wait| wait());
                        alone();
                        // It would wait for ever if this thread kept its turn.
                        aside(
                            |wait| wait(),
                            || drop(thread::spawn(|| drop(Turn::take(|wait| wait()))).join()),
                        );
                        alone();
                        if COUNT.load(Ordering::Relaxed) > 4000 {
                            break;
                        }
                    }
                });
            }
        });
        assert!(COUNT.load(Ordering::Relaxed) > 4000);
        assert_eq!(STATE.load(Ordering::Relaxed), FREE);
    }
}
