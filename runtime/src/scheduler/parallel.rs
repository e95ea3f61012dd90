//! The entry points compiled code launches parallel regions with.

use std::{cell::Cell, ffi::c_void};

use super::{
    parts::dimensions,
    pool::pool,
    region::{self, Failure, Job},
    settings::{Settings, available_threads, note_launch},
};
use crate::error::PyoptError;

/// The outlined body of a region: runs the iterations from `lower` up to but excluding `upper`
/// and returns 0 or the id of a raise site. It is called once for every part, also for an empty
/// one, so it can always set up the part's slots; only parts behind one that failed are left out.
pub type Body = unsafe extern "C-unwind" fn(
    lower: *const i64,
    upper: *const i64,
    part: i64,
    env: *mut c_void,
    error: *mut PyoptError,
) -> i32;

/// Status when a body panicked. [`take_failure`] tells the message.
pub const STATUS_PANIC: i32 = -1;

/// Status when there is no pool. [`take_failure`] tells why.
pub const STATUS_NO_THREADS: i32 = -2;

/// Most dimensions a region can have: as many as a NumPy array.
pub const MAX_DIMENSIONS: usize = 64;

thread_local! {
    static FAILURE: Cell<Option<String>> = const { Cell::new(None) };
}

/// What went wrong in the last region launched from this thread that returned a negative status.
pub fn take_failure() -> Option<String> {
    FAILURE.take()
}

/// Keeps the message of a negative status that compiled code gets on this thread.
pub(super) fn keep_failure(message: String) {
    FAILURE.set(Some(message));
}

/// Runs a region in so many parts, as [`pyopt_parts`](super::pyopt_parts) gave them, and waits for all of
/// them. Returns 0, or the status of the first part (by number, not by time) that failed, with its error
/// record copied to `error`.
///
/// # Safety
///
/// `extents` points to `ndim` numbers, at most [`MAX_DIMENSIONS`]; `error` points to a record;
/// `body` may be called with `env` on several threads at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_parallel(
    ndim: i64,
    extents: *const i64,
    parts: i64,
    body: Body,
    env: *mut c_void,
    error: *mut PyoptError,
) -> i32 {
    // SAFETY: the caller's promise.
    let rank = unsafe { dimensions(ndim, extents) }.len();
    let settings = Settings::current();
    let job = Job {
        extents,
        rank,
        parts: parts.max(1),
        body,
        env,
        // SAFETY: the caller's promise; the host is among what is prepared of a record.
        host: unsafe { (&raw const (*error).host).read() },
        settings,
    };
    // SAFETY: the caller's promises.
    match unsafe { launch(&job, error) } {
        Ok(status) => status,
        Err(failure) => {
            FAILURE.set(failure.message);
            // SAFETY: the caller's promise.
            unsafe { PyoptError::take_over(error, failure.error) };
            failure.status
        }
    }
}

/// # Safety
///
/// The promises of [`pyopt_parallel`].
unsafe fn launch(job: &Job, error: *mut PyoptError) -> Result<i32, Box<Failure>> {
    let unavailable =
        |error: super::ThreadsError| Failure::new(STATUS_NO_THREADS, error.to_string());
    let threads = available_threads().map_err(unavailable)?;
    if job.parts == 1 {
        // SAFETY: the caller's promises.
        return unsafe { region::run_whole(job, threads, error) };
    }
    note_launch();
    let pool = pool().map_err(unavailable)?;
    region::run(*job, threads, pool).map(|()| 0)
}

#[cfg(test)]
mod tests {
    use std::{
        process, ptr,
        sync::atomic::{AtomicI64, AtomicU32, Ordering},
        thread,
    };

    use super::*;

    /// Launches `body` over `extents` in a given number of chunks.
    fn launch<E>(extents: &[i64], chunks: i64, body: Body, env: &E) -> (i32, PyoptError) {
        let mut error = PyoptError::new(ptr::null());
        let env = ptr::from_ref(env).cast_mut().cast();
        let ndim = extents.len() as i64;
        // SAFETY: extents and error are live; the tests' bodies take their env by shared reference.
        let status =
            unsafe { pyopt_parallel(ndim, extents.as_ptr(), chunks, body, env, &mut error) };
        (status, error)
    }

    unsafe extern "C-unwind" fn count_each(
        lower: *const i64,
        upper: *const i64,
        _chunk: i64,
        env: *mut c_void,
        _error: *mut PyoptError,
    ) -> i32 {
        // SAFETY: launched with one dimension and a vector of counters as env.
        let (from, to, counts) = unsafe { (*lower, *upper, &*env.cast::<Vec<AtomicU32>>()) };
        for index in from..to {
            counts[index as usize].fetch_add(1, Ordering::Relaxed);
        }
        0
    }

    #[test]
    fn every_iteration_runs_once() {
        for extent in [0, 1, 2, 7, 1000] {
            for chunks in [1, 2, 3, 8, 33] {
                let counts: Vec<_> = (0..extent).map(|_| AtomicU32::new(0)).collect();
                assert_eq!(launch(&[extent], chunks, count_each, &counts).0, 0);
                assert!(
                    counts
                        .iter()
                        .all(|count| count.load(Ordering::Relaxed) == 1)
                );
            }
        }
    }

    unsafe extern "C-unwind" fn fail_from(
        _lower: *const i64,
        _upper: *const i64,
        chunk: i64,
        env: *mut c_void,
        error: *mut PyoptError,
    ) -> i32 {
        // SAFETY: launched with a number as env; the record is the chunk's own.
        let (from, error) = unsafe { (*env.cast::<i64>(), &mut *error) };
        if chunk < from {
            return 0;
        }
        // Later chunks fail earlier.
        thread::sleep(std::time::Duration::from_millis((16 - chunk) as u64));
        error.depth = 1;
        error.sites[0] = 10 * chunk;
        chunk as i32
    }

    #[test]
    fn the_first_failing_chunk_wins() {
        let (status, error) = launch(&[100], 8, fail_from, &3i64);
        assert_eq!(status, 3);
        assert_eq!(error.call_sites(), [30]);
    }

    unsafe extern "C-unwind" fn panic_always(
        _lower: *const i64,
        _upper: *const i64,
        chunk: i64,
        _env: *mut c_void,
        _error: *mut PyoptError,
    ) -> i32 {
        panic!("chunk {chunk}")
    }

    #[test]
    fn a_panic_is_a_status_with_a_message() {
        for chunks in [1, 4] {
            assert_eq!(launch(&[4], chunks, panic_always, &()).0, STATUS_PANIC);
            assert_eq!(
                take_failure().unwrap(),
                "a parallel region panicked: chunk 0"
            );
            assert_eq!(take_failure(), None);
        }
    }

    unsafe extern "C-unwind" fn launch_inner(
        _lower: *const i64,
        _upper: *const i64,
        _chunk: i64,
        env: *mut c_void,
        _error: *mut PyoptError,
    ) -> i32 {
        // SAFETY: launched with a counter as env.
        let sum = unsafe { &*env.cast::<AtomicI64>() };
        launch(&[10], 5, add_extent, sum).0
    }

    unsafe extern "C-unwind" fn add_extent(
        lower: *const i64,
        upper: *const i64,
        _chunk: i64,
        env: *mut c_void,
        _error: *mut PyoptError,
    ) -> i32 {
        // SAFETY: launched with one dimension and a counter as env.
        let (from, to, sum) = unsafe { (*lower, *upper, &*env.cast::<AtomicI64>()) };
        sum.fetch_add(to - from, Ordering::Relaxed);
        0
    }

    #[test]
    fn regions_nest_and_may_be_launched_from_many_threads() {
        let sum = AtomicI64::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(launch(&[16], 16, launch_inner, &sum).0, 0));
            }
        });
        assert_eq!(sum.into_inner(), 4 * 16 * 10);
    }

    #[test]
    fn a_forked_child_has_threads_again() {
        let sum = AtomicI64::new(0);
        assert_eq!(launch(&[100], 4, add_extent, &sum).0, 0);
        // SAFETY: the child launches a region and leaves without running any destructor.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let sum = AtomicI64::new(0);
            let status = launch(&[100], 4, add_extent, &sum).0;
            let ok = status == 0 && sum.into_inner() == 100;
            // SAFETY: leaves the child at once.
            unsafe { libc::_exit(i32::from(!ok)) };
        }
        assert!(child > 0, "fork failed in process {}", process::id());
        let mut status = 0;
        // SAFETY: waits for the child made above.
        unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!(status, 0);
    }
}
