//! Into how many parts a region is cut: the cost model.

use std::{env, slice, sync::LazyLock};

use super::{
    schedule::iterations,
    settings::{available_threads, get_parallel_chunksize},
};

/// Work worth handing to another thread, in simple operations: as much as is done in the 14 µs or so that
/// waking a sleeping worker takes.
pub(super) const WORTHWHILE: i64 = 120_000;

/// The environment variable for another [`WORTHWHILE`]: 1 gives every iteration a thread of its own, as
/// far as there are threads.
const WORK_VARIABLE: &str = "PYOPT_WORK_PER_THREAD";

/// How many parts a thread gets where iterations take different times.
const PARTS_PER_THREAD: i64 = 8;

/// The most slots for partial results: they are on the stack of the function that launches, each a line
/// of the cache.
const MAX_SLOTS: i64 = 4096;

/// The work that a thread is worth in this process; a setting that is no such number changes nothing.
fn worthwhile() -> i64 {
    static SETTING: LazyLock<i64> = LazyLock::new(|| {
        let value = env::var(WORK_VARIABLE).ok();
        let number = value.and_then(|value| value.trim().parse().ok());
        number.filter(|number| *number > 0).unwrap_or(WORTHWHILE)
    });
    *SETTING
}

/// What is known of a region before it is cut.
#[derive(Clone, Copy, Debug)]
struct Region {
    iterations: i64,
    /// Simple operations an iteration.
    work: i64,
    /// Whether iterations take different times.
    dynamic: bool,
    /// Slots for partial results a part.
    slots: i64,
}

impl Region {
    /// The number of parts for so many threads, with about so many iterations each where that was asked
    /// for: at least 1.
    fn parts(self, threads: i64, worthwhile: i64, chunk_size: i64) -> i64 {
        let work = self.iterations.saturating_mul(self.work.max(1));
        let worth = |amount: i64| (work / amount.max(1)).clamp(1, self.iterations.max(1));
        let threads = threads.min(worth(worthwhile));
        let parts = if chunk_size > 0 {
            threads.max(self.iterations / chunk_size)
        } else if self.dynamic && threads > 1 {
            (threads * PARTS_PER_THREAD).min(worth(worthwhile / PARTS_PER_THREAD))
        } else {
            threads
        };
        match self.slots {
            0 => parts,
            slots => parts.min((MAX_SLOTS / slots).max(1)),
        }
    }
}

/// The number of parts for a region whose iterations each take about `work` simple operations, of which a
/// processor does some eight a nanosecond, or more in vectors; with 0 they may take any time. Iterations
/// that take different times (`dynamic` isn't 0) make more parts than threads, for idle threads to take.
/// Each part has `slots` partial results. Too little work gives 1 part, a setting without any threads 0:
/// [`pyopt_parallel`](super::pyopt_parallel) reports it.
///
/// # Safety
///
/// `extents` points to `ndim` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_parts(
    ndim: i64,
    extents: *const i64,
    work: i64,
    dynamic: i64,
    slots: i64,
) -> i64 {
    // SAFETY: the caller's promise.
    let extents = unsafe { dimensions(ndim, extents) };
    let Ok(threads) = available_threads() else {
        return 0;
    };
    let worthwhile = worthwhile();
    let region = Region {
        iterations: iterations(extents),
        work: if work == 0 { worthwhile } else { work },
        dynamic: dynamic != 0,
        slots,
    };
    region.parts(threads as i64, worthwhile, get_parallel_chunksize() as i64)
}

/// The extents of a region.
///
/// # Safety
///
/// `extents` points to `ndim` numbers.
pub(super) unsafe fn dimensions<'a>(ndim: i64, extents: *const i64) -> &'a [i64] {
    match usize::try_from(ndim) {
        Ok(0) | Err(_) => &[],
        // SAFETY: the caller's promise.
        Ok(ndim) => unsafe { slice::from_raw_parts(extents, ndim) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(iterations: i64, work: i64, dynamic: bool, chunk_size: i64) -> i64 {
        let region = Region {
            iterations,
            work,
            dynamic,
            slots: 0,
        };
        region.parts(4, 100, chunk_size)
    }

    #[test]
    fn parts_fit_the_threads_the_iterations_and_the_work() {
        for dynamic in [false, true] {
            assert_eq!(parts(0, 1000, dynamic, 0), 1);
            assert_eq!(parts(1, i64::MAX, dynamic, 0), 1);
            assert_eq!(parts(199, 1, dynamic, 0), 1);
        }
        assert_eq!(parts(3, 100, false, 0), 3);
        assert_eq!(parts(1 << 40, 1 << 40, false, 0), 4);
        assert_eq!(parts(250, 1, false, 0), 2);
    }

    #[test]
    fn uneven_iterations_make_more_parts() {
        assert_eq!(parts(1000, 100, true, 0), 32);
        assert_eq!(parts(20, 100, true, 0), 20);
        // Not so many that a part is hardly anything.
        assert_eq!(parts(240, 1, true, 0), 16);
    }

    #[test]
    fn parts_can_have_a_size() {
        assert_eq!(parts(1000, 100, false, 10), 100);
        assert_eq!(parts(997, 100, true, 10), 99);
        assert_eq!(parts(1000, 100, false, 1000), 4);
        assert_eq!(parts(10, 1, false, 1), 10);
        assert_eq!(parts(10, 1, false, 100), 1);
    }

    #[test]
    fn partial_results_have_room() {
        let region = Region {
            iterations: 1 << 30,
            work: 1,
            dynamic: false,
            slots: 3,
        };
        assert_eq!(region.parts(4, 100, 1), MAX_SLOTS / 3);
    }

    #[test]
    fn the_settings_of_the_thread_count() {
        // SAFETY: the slice's own length.
        let parts = |extents: &[i64], work| unsafe {
            pyopt_parts(extents.len() as i64, extents.as_ptr(), work, 0, 0)
        };
        let threads = super::super::get_num_threads().unwrap() as i64;
        assert_eq!(parts(&[0, 1000], WORTHWHILE), 1);
        assert_eq!(parts(&[100], 1), 1);
        assert_eq!(parts(&[1 << 20, 1 << 20], 1), threads);
        assert_eq!(parts(&[3], 0), threads.min(3));
    }
}
