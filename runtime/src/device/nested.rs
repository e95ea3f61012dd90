//! Contexts that compiled code enters and leaves.
//!
//! Entering one begins a session of its own on its device; in the host's context there is none. The session
//! around it waits: before a context is entered, compiled code has all memory on the host, and before it is left
//! too.

use std::cell::RefCell;

use smallvec::SmallVec;

use super::{
    Counters, ForLoops, Result, contexts,
    entry::reported,
    session::{self, Running},
};
use crate::error::PyoptError;

thread_local! {
    /// The contexts that compiled code has entered on this thread, from the outermost one.
    static ENTERED: RefCell<Vec<Running>> = const { RefCell::new(Vec::new()) };
    /// What was done in those that were left, by the number of the device.
    static DONE: RefCell<Done> = RefCell::default();
}

/// What was done, by the number of the device.
pub type Done = SmallVec<[(u32, Counters, ForLoops); 1]>;

/// How many contexts compiled code has entered on this thread.
pub fn depth() -> usize {
    ENTERED.with_borrow(Vec::len)
}

/// Leaves contexts until there are `depth`. The error is that of the innermost one that has one.
pub fn leave_to(depth: usize) -> Result<i32> {
    let mut result = Ok(0);
    while let Some(running) =
        ENTERED.with_borrow_mut(|all| (all.len() > depth).then(|| all.pop()).flatten())
    {
        contexts::leave();
        let (device, for_loops) = (running.device(), running.for_loops());
        let (ended, counters) = running.finish();
        if let Some(device) = device {
            note(device, counters, &for_loops);
        }
        if matches!(result, Ok(0)) {
            result = ended;
        }
    }
    result
}

fn note(device: u32, counters: Counters, for_loops: &ForLoops) {
    DONE.with_borrow_mut(|done| match done.iter_mut().find(|one| one.0 == device) {
        Some((_, known, loops)) => {
            known.add(counters);
            loops.add(for_loops);
        }
        None => done.push((device, counters, for_loops.clone())),
    });
}

/// Takes what was done in contexts that compiled code has left on this thread, and goes on from `other`: what a
/// call around this one has done.
pub fn exchange_done(other: Done) -> Done {
    DONE.replace(other)
}

fn enter(name: &str) -> Result<i32> {
    contexts::enter(name, None)?;
    let begun = match contexts::current_device() {
        Some(device) => {
            contexts::queue(&device).and_then(|queue| session::begin(&device, queue, []))
        }
        None => Ok(Running::on_host()),
    };
    let running = begun.inspect_err(|_| {
        contexts::leave();
    })?;
    ENTERED.with_borrow_mut(|all| all.push(running));
    Ok(0)
}

/// Enters the context of a device, by its name of `length` bytes. Gives 0, or the status of the exception that
/// says why it can't be entered.
///
/// # Safety
///
/// Compiled code calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_device_enter(
    name: *const u8,
    length: i64,
    error: *mut PyoptError,
) -> i32 {
    // SAFETY: the compiler wrote the name, which is text, and its length.
    unsafe {
        let name = std::slice::from_raw_parts(name, length as usize);
        let name = std::str::from_utf8_unchecked(name);
        reported(error, || enter(name))
    }
}

/// Leaves the context that compiled code has entered last. Gives 0, or the status of what a kernel raised.
///
/// # Safety
///
/// Compiled code calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_device_leave(error: *mut PyoptError) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { reported(error, || leave_to(depth().saturating_sub(1))) }
}

/// How many contexts compiled code has entered on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_device_depth() -> i64 {
    depth() as i64
}

/// Leaves contexts until there are `depth`, for a function that an exception leaves: what goes wrong besides is
/// not told.
#[unsafe(no_mangle)]
pub extern "C" fn pyopt_device_leave_to(depth: i64) {
    // Nothing of ours may unwind into compiled code.
    _ = std::panic::catch_unwind(|| leave_to(depth as usize));
}

/// Whether calls of this thread run on a device of a driver now, by its name of `length` bytes.
///
/// # Safety
///
/// Compiled code calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_device_in_use(driver: *const u8, length: i64) -> bool {
    // SAFETY: the compiler wrote the name and its length.
    let driver = unsafe { std::slice::from_raw_parts(driver, length as usize) };
    session::current().is_some_and(|session| session.driver().as_bytes() == driver)
}
