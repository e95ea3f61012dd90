//! The system's clocks, for functions of Python's `time`.

use crate::error::PyoptError;

/// Reads a clock, in nanoseconds.
///
/// # Safety
///
/// The number of the clock, one of the system's, is in a slot; `returned` has room for an int.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_clock(
    _error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the caller's promise; a clock that isn't there leaves the time as it is.
    unsafe {
        libc::clock_gettime(arguments.read() as libc::clockid_t, &mut now);
        returned.write(now.tv_sec * 1_000_000_000 + now.tv_nsec);
    }
    0
}
