//! The worker threads, and how many of them a parallel region may use.
//!
//! The pool is our own, never Rayon's global one, and is made when first needed. A forked child
//! has none of the threads, so it forgets the pool and makes another when it needs one.

use std::{
    cell::Cell,
    env, fmt, ptr,
    sync::{
        LazyLock, Once,
        atomic::{AtomicPtr, Ordering},
    },
    thread,
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::fork;

/// The environment variable that sets the size of the pool.
pub const NUM_THREADS_VARIABLE: &str = "PYOPT_NUM_THREADS";

/// More threads than any machine has processors: a larger number is a mistake.
const MAX_THREADS: usize = 4096;

/// As much as a main thread usually has, so that code does not overflow the stack only because
/// it runs in parallel. Only touched pages cost memory.
const STACK_SIZE: usize = 8 << 20;

/// Why there is no pool, or no such number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadsError(String);

impl fmt::Display for ThreadsError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ThreadsError {}

/// Number of threads in the pool: `PYOPT_NUM_THREADS`, or as many as the process may use.
pub fn pool_size() -> Result<usize, ThreadsError> {
    static SIZE: LazyLock<Result<usize, ThreadsError>> =
        LazyLock::new(|| match env::var_os(NUM_THREADS_VARIABLE) {
            Some(value) => parse_size(&value.to_string_lossy()),
            None => Ok(thread::available_parallelism().map_or(1, |count| count.get())),
        });
    SIZE.clone()
}

fn parse_size(value: &str) -> Result<usize, ThreadsError> {
    match value.trim().parse() {
        Ok(count) if (1..=MAX_THREADS).contains(&count) => Ok(count),
        _ => Err(ThreadsError(format!(
            "{NUM_THREADS_VARIABLE} must be a number from 1 to {MAX_THREADS}, not '{value}'"
        ))),
    }
}

thread_local! {
    /// How many threads regions launched from this thread use; 0 if never set.
    static MASK: Cell<usize> = const { Cell::new(0) };
}

/// Sets how many threads the parallel regions launched from this thread use from now on.
pub fn set_num_threads(count: usize) -> Result<(), ThreadsError> {
    let size = pool_size()?;
    if !(1..=size).contains(&count) {
        return Err(ThreadsError(format!(
            "the number of threads must be between 1 and {size}, not {count}"
        )));
    }
    MASK.set(count);
    Ok(())
}

/// How many threads a parallel region launched from this thread uses.
pub fn get_num_threads() -> Result<usize, ThreadsError> {
    match MASK.get() {
        0 => pool_size(),
        count => Ok(count),
    }
}

/// This thread's setting, to be given to the workers of a region.
pub(super) fn mask() -> usize {
    MASK.get()
}

/// Runs `work` with another thread's setting.
pub(super) fn with_mask<R>(mask: usize, work: impl FnOnce() -> R) -> R {
    let before = MASK.replace(mask);
    let result = work();
    MASK.set(before);
    result
}

static POOL: AtomicPtr<ThreadPool> = AtomicPtr::new(ptr::null_mut());

/// The pool, made on first use. It is never freed.
pub(super) fn pool() -> Result<&'static ThreadPool, ThreadsError> {
    let mut pool = POOL.load(Ordering::Acquire);
    if pool.is_null() {
        static FORK_HANDLER: Once = Once::new();
        FORK_HANDLER.call_once(|| fork::at_fork(None, None, Some(forget_pool)));

        let made = Box::into_raw(Box::new(make_pool()?));
        // No lock, because a fork could copy it locked.
        pool = POOL
            .compare_exchange(ptr::null_mut(), made, Ordering::AcqRel, Ordering::Acquire)
            .map(|_| made)
            .unwrap_or_else(|winner| {
                // SAFETY: `made` came from a box and was not published.
                drop(unsafe { Box::from_raw(made) });
                winner
            });
    }
    // SAFETY: not null, made by a box, and never freed once published.
    Ok(unsafe { &*pool })
}

fn make_pool() -> Result<ThreadPool, ThreadsError> {
    ThreadPoolBuilder::new()
        .num_threads(pool_size()?)
        .thread_name(|index| format!("pyopt-{index}"))
        .stack_size(STACK_SIZE)
        .build()
        .map_err(|error| ThreadsError(format!("cannot start the worker threads: {error}")))
}

/// In the child after a fork: the pool's memory is there but its threads are not.
unsafe extern "C" fn forget_pool() {
    POOL.store(ptr::null_mut(), Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_from_one() {
        assert_eq!(parse_size(" 3 "), Ok(3));
        for wrong in ["", "0", "-1", "many", "2.5", "1000000"] {
            let error = parse_size(wrong).unwrap_err().to_string();
            assert!(error.ends_with(&format!("not '{wrong}'")), "{error}");
        }
    }

    #[test]
    fn the_setting_is_between_one_and_the_size_and_belongs_to_the_thread() {
        thread::spawn(|| {
            let size = pool_size().unwrap();
            assert_eq!(get_num_threads(), Ok(size));
            assert!(set_num_threads(0).is_err());
            assert!(set_num_threads(size + 1).is_err());
            set_num_threads(1).unwrap();
            assert_eq!(get_num_threads(), Ok(1));
            let elsewhere = thread::spawn(get_num_threads).join().unwrap();
            assert_eq!(elsewhere, Ok(size));
        })
        .join()
        .unwrap();
    }
}
