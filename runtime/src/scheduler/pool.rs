//! The worker threads.
//!
//! The pool is our own, never Rayon's global one, and is made when first needed. Who launches a region
//! works for it too, so the pool has one thread less than regions may use. A forked child has none of the
//! threads, so it forgets the pool and makes another when it needs one.

use std::{
    env, fmt, ptr,
    sync::{
        Arc, LazyLock, Once,
        atomic::{AtomicPtr, AtomicU64, Ordering},
    },
    thread,
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{placement::Placement, spinning::spin};
use crate::fork;

/// The workers.
#[derive(Debug)]
pub(super) struct Pool {
    threads: ThreadPool,
    placement: Arc<Placement>,
    /// How many regions have called for workers.
    calls: AtomicU64,
}

impl Pool {
    /// Has so many workers do the same.
    pub fn spawn(&'static self, count: usize, work: impl Fn() + Clone + Send + 'static) {
        self.placement.spread(count);
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        for _ in 0..count {
            let work = work.clone();
            self.threads.spawn(move || {
                work();
                if let Some(worker) = rayon::current_thread_index() {
                    self.placement.rests(worker);
                }
                self.linger(call);
            });
        }
    }

    /// Keeps a worker awake for a while after a call, unless there is another one: regions mostly come in
    /// a row, and waking takes longer than many of them. Not where it would keep others from working.
    fn linger(&self, call: u64) {
        let may = || self.placement.is_out_of_the_way();
        spin(may, || self.calls.load(Ordering::Relaxed) != call);
    }
}

/// The environment variable that sets how many threads regions may use.
pub const NUM_THREADS_VARIABLE: &str = "PYOPT_NUM_THREADS";

/// More threads than any machine has processors: a larger number is a mistake.
const MAX_THREADS: usize = 4096;

/// As much as a main thread usually has, so that code does not overflow the stack only because
/// it runs in parallel. Only touched pages cost memory.
const STACK_SIZE: usize = 8 << 20;

/// Why there is no pool, or no such number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadsError(String);

impl ThreadsError {
    pub(super) fn new(message: String) -> Self {
        Self(message)
    }
}

impl fmt::Display for ThreadsError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ThreadsError {}

/// The most threads that a region may use: `PYOPT_NUM_THREADS`, or as many as the process may.
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

static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// The workers, made on first use and never freed; none where regions may use one thread.
pub(super) fn pool() -> Result<Option<&'static Pool>, ThreadsError> {
    let mut pool = POOL.load(Ordering::Acquire);
    if pool.is_null() {
        let workers = pool_size()? - 1;
        if workers == 0 {
            return Ok(None);
        }
        static FORK_HANDLER: Once = Once::new();
        FORK_HANDLER.call_once(|| fork::at_fork(None, None, Some(forget_pool)));

        let made = Box::into_raw(Box::new(make_pool(workers)?));
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
    Ok(Some(unsafe { &*pool }))
}

fn make_pool(workers: usize) -> Result<Pool, ThreadsError> {
    let placement = Arc::new(Placement::new(workers));
    let places = Arc::clone(&placement);
    let threads = ThreadPoolBuilder::new()
        .num_threads(workers)
        .thread_name(|index| format!("pyopt-{}", index + 1))
        .stack_size(STACK_SIZE)
        .start_handler(move |index| places.register(index))
        .build()
        .map_err(|error| ThreadsError(format!("cannot start the worker threads: {error}")))?;
    Ok(Pool {
        threads,
        placement,
        calls: AtomicU64::new(0),
    })
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
}
