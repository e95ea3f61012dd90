//! The settings of threads for compiled code, which calls the host with arguments and results in slots.
//! What it sets it has checked.

use super::{
    parallel::{STATUS_NO_THREADS, keep_failure},
    parts::pyopt_parts,
    pool::{ThreadsError, pool_size},
    settings,
};
use crate::error::PyoptError;

/// Into how many parts compiled code cuts a loop of its own: the number of iterations and the work of each
/// come in slots, the number of parts goes to one. It is at least 1.
///
/// # Safety
///
/// `arguments` points to two numbers, `returned` to room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pyopt_parts_for_work(
    _error: *mut PyoptError,
    returned: *mut i64,
    arguments: *const i64,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let work = arguments.add(1).read();
        returned.write(pyopt_parts(1, arguments, work, 0, 0).max(1));
    }
    0
}

/// Defines functions from a number to a number, for those that take none 0.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($argument:pat) = $value:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            ///
            /// `returned` is a slot, and `arguments` one that holds the number.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                _error: *mut PyoptError,
                returned: *mut i64,
                arguments: *const i64,
            ) -> i32 {
                // SAFETY: the caller's promise.
                let $argument = unsafe { *arguments } as usize;
                let value: Result<usize, ThreadsError> = $value;
                match value {
                    Ok(value) => {
                        // SAFETY: the caller's promise.
                        unsafe { *returned = value as i64 };
                        0
                    }
                    Err(error) => {
                        keep_failure(error.to_string());
                        STATUS_NO_THREADS
                    }
                }
            }
        )*
    };
}

functions! {
    /// The most threads that regions may use.
    pyopt_pool_size(_) = pool_size();
    /// How many threads regions launched from this thread use.
    pyopt_get_num_threads(_) = settings::get_num_threads();
    /// Sets how many threads regions launched from this thread use.
    pyopt_set_num_threads(count) = settings::set_num_threads(count).map(|()| 0);
    /// The number of this thread in the region it works for.
    pyopt_get_thread_id(_) = Ok(settings::get_thread_id());
    /// About how many iterations parts of regions have.
    pyopt_get_parallel_chunksize(_) = Ok(settings::get_parallel_chunksize());
    /// Sets about how many iterations parts of regions have and gives what was set before.
    pyopt_set_parallel_chunksize(iterations) = Ok(settings::set_parallel_chunksize(iterations));
}
