//! The entry points compiled code launches parallel regions with.

use std::{
    any::Any,
    cell::Cell,
    env,
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr, slice,
    sync::LazyLock,
};

use super::{
    pool::{get_num_threads, mask, pool, with_mask},
    schedule::{chunk_bounds, iterations},
};
use crate::error::PyoptError;

/// The outlined body of a region: runs the iterations from `lower` up to but excluding `upper`
/// and returns 0 or the id of a raise site. It is called once for every chunk, also for an empty
/// one, so it can always set up the chunk's slot.
pub type Body = unsafe extern "C-unwind" fn(
    lower: *const i64,
    upper: *const i64,
    chunk: i64,
    env: *mut c_void,
    error: *mut PyoptError,
) -> i32;

/// Status when a body panicked. [`take_failure`] tells the message.
pub const STATUS_PANIC: i32 = -1;

/// Status when there is no pool. [`take_failure`] tells why.
pub const STATUS_NO_THREADS: i32 = -2;

/// Most dimensions a region can have: as many as a NumPy array.
pub const MAX_DIMENSIONS: usize = 64;

/// Work worth handing to another thread, in the unit of [`pyopt_chunks_for_work`]: as much as is
/// done in the 14 µs or so that waking a sleeping worker takes.
const WORTHWHILE: i64 = 120_000;

/// The environment variable for another [`WORTHWHILE`]: 1 gives every iteration a thread of its own, as
/// far as there are threads.
const WORK_VARIABLE: &str = "PYOPT_WORK_PER_THREAD";

/// The work that a thread is worth in this process; a setting that is no such number changes nothing.
fn worthwhile() -> i64 {
    static SETTING: LazyLock<i64> = LazyLock::new(|| {
        let value = env::var(WORK_VARIABLE).ok();
        let number = value.and_then(|value| value.trim().parse().ok());
        number.filter(|number| *number > 0).unwrap_or(WORTHWHILE)
    });
    *SETTING
}

thread_local! {
    static FAILURE: Cell<Option<String>> = const { Cell::new(None) };
}

/// What went wrong in the last region launched from this thread that returned a negative status.
pub fn take_failure() -> Option<String> {
    FAILURE.take()
}

/// The number of chunks for a region whose iterations may take any time: as many as this thread
/// may use threads, but not more than there are iterations. At least 1.
///
/// # Safety
///
/// `extents` points to `ndim` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_chunks(ndim: i64, extents: *const i64) -> i64 {
    // SAFETY: the caller's promise.
    unsafe { pyopt_chunks_for_work(ndim, extents, worthwhile()) }
}

/// The number of chunks for a region whose iterations each take about `work` simple operations, of
/// which a processor does some eight a nanosecond, or more in vectors. Too little work gives 1
/// chunk, which runs on the calling thread.
///
/// # Safety
///
/// `extents` points to `ndim` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_chunks_for_work(ndim: i64, extents: *const i64, work: i64) -> i64 {
    // SAFETY: the caller's promise.
    let extents = unsafe { dimensions(ndim, extents) };
    // Without a valid setting one chunk is as good as any: the launch reports the error.
    let threads = get_num_threads().map_or(1, |count| count as i64);
    let total = iterations(extents);
    let worthwhile = total.saturating_mul(work.max(1)) / worthwhile();
    threads.min(total).min(worthwhile).max(1)
}

/// [`pyopt_chunks_for_work`] of one dimension, as compiled code calls functions of the runtime: the
/// number of iterations and their work come in slots, the number of chunks goes to one.
///
/// # Safety
///
/// `arguments` points to two numbers, `returned` to room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_parts(
    _error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let work = arguments.add(1).read();
        returned.write(pyopt_chunks_for_work(1, arguments, work));
    }
    0
}

/// Runs a region in `chunks` chunks and waits for all of them. Returns 0, or the status of the
/// first chunk (by number, not by time) that failed, with its error record copied to `error`.
///
/// # Safety
///
/// `extents` points to `ndim` numbers, at most [`MAX_DIMENSIONS`]; `error` points to a record;
/// `body` may be called with `env` on several threads at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_parallel(
    ndim: i64,
    extents: *const i64,
    chunks: i64,
    body: Body,
    env: *mut c_void,
    error: *mut PyoptError,
) -> i32 {
    // SAFETY: the caller's promise.
    let extents = unsafe { dimensions(ndim, extents) };
    let region = Region {
        extents,
        chunks: chunks.max(1),
        body,
        env,
        // SAFETY: the caller's promise; the host is among what is prepared of a record.
        host: unsafe { (&raw const (*error).host).read() },
    };
    let outcome = match get_num_threads() {
        Err(error) => Outcome::failed(STATUS_NO_THREADS, error.to_string()),
        Ok(_) if region.chunks == 1 => region.run(0),
        Ok(_) => region.run_all(),
    };
    if outcome.status != 0 {
        FAILURE.set(outcome.failure);
        // SAFETY: the caller's promise.
        unsafe { PyoptError::take_over(error, outcome.error) };
    }
    outcome.status
}

/// # Safety
///
/// `extents` points to `ndim` numbers.
unsafe fn dimensions<'a>(ndim: i64, extents: *const i64) -> &'a [i64] {
    match usize::try_from(ndim) {
        Ok(0) | Err(_) => &[],
        // SAFETY: the caller's promise.
        Ok(ndim) => unsafe { slice::from_raw_parts(extents, ndim) },
    }
}

/// A launched region.
struct Region<'a> {
    extents: &'a [i64],
    chunks: i64,
    body: Body,
    env: *mut c_void,
    host: *const c_void,
}

// SAFETY: whoever launches a region promises that its body may run with `env` on any thread.
unsafe impl Sync for Region<'_> {}

/// How a chunk ended.
struct Outcome {
    status: i32,
    error: PyoptError,
    /// The message of a negative status.
    failure: Option<String>,
}

impl Outcome {
    fn ok(host: *const c_void) -> Self {
        Self {
            status: 0,
            error: PyoptError::new(host),
            failure: None,
        }
    }

    fn failed(status: i32, failure: String) -> Self {
        Self {
            status,
            error: PyoptError::new(ptr::null()),
            failure: Some(failure),
        }
    }
}

impl Region<'_> {
    /// Runs all chunks, the first one on this thread.
    fn run_all(&self) -> Outcome {
        let pool = match pool() {
            Ok(pool) => pool,
            Err(error) => return Outcome::failed(STATUS_NO_THREADS, error.to_string()),
        };
        let mask = mask();
        let mut outcomes: Vec<_> = (0..self.chunks).map(|_| Outcome::ok(self.host)).collect();
        // A task per chunk, not a broadcast: a broadcast waits for every worker to take part,
        // which those that wait for an inner region cannot.
        pool.in_place_scope(|scope| {
            let mut slots = (0..).zip(&mut outcomes);
            let own = slots.next();
            for (chunk, outcome) in slots {
                scope.spawn(move |_| *outcome = with_mask(mask, || self.run(chunk)));
            }
            if let Some((chunk, outcome)) = own {
                *outcome = self.run(chunk);
            }
        });
        let mut failed = outcomes.into_iter().filter(|outcome| outcome.status != 0);
        let first = failed.next();
        // The exceptions that nobody will see.
        for mut other in failed {
            // SAFETY: the record was made with everything in it.
            drop(unsafe { PyoptError::take_payload(&mut other.error) });
        }
        first.unwrap_or_else(|| Outcome::ok(self.host))
    }

    /// Runs one chunk.
    fn run(&self, chunk: i64) -> Outcome {
        let (mut lower, mut upper) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS]);
        chunk_bounds(self.extents, self.chunks, chunk, &mut lower, &mut upper);
        let mut outcome = Outcome::ok(self.host);
        let error = &mut outcome.error;
        let call = AssertUnwindSafe(|| {
            // SAFETY: bounds and error record live through the call; the rest is the launcher's
            // promise.
            unsafe { (self.body)(lower.as_ptr(), upper.as_ptr(), chunk, self.env, error) }
        });
        match catch_unwind(call) {
            Ok(status) => {
                outcome.status = status;
                if status < 0 {
                    // A region inside this chunk left its message on this thread.
                    outcome.failure = take_failure();
                }
                outcome
            }
            Err(panic) => Outcome::failed(STATUS_PANIC, panic_message(&*panic)),
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!(
        "a parallel region panicked: {}",
        text.unwrap_or("no message")
    )
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
    fn chunks_fit_the_threads_the_iterations_and_the_work() {
        let chunks = |extents: &[i64], work| {
            // SAFETY: the slice's own length.
            unsafe { pyopt_chunks_for_work(extents.len() as i64, extents.as_ptr(), work) }
        };
        let threads = get_num_threads().unwrap() as i64;
        assert_eq!(chunks(&[0, 1000], WORTHWHILE), 1);
        assert_eq!(chunks(&[1], i64::MAX), 1);
        assert_eq!(chunks(&[100], 1), 1);
        assert_eq!(chunks(&[1 << 20, 1 << 20], 1), threads);
        assert_eq!(chunks(&[2], WORTHWHILE), threads.min(2));
        // SAFETY: one number.
        assert_eq!(unsafe { pyopt_chunks(1, &3) }, threads.min(3));
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
