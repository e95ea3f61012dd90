//! Runs parallel regions of compiled code on the process's worker threads.
//!
//! Compiled code asks [`pyopt_chunks`] into how many chunks a region is cut (it needs to know
//! before, for the slots of its reductions) and then launches it with [`pyopt_parallel`]. The
//! caller runs one chunk itself; a region inside a region runs on the same pool.

mod parallel;
mod pool;
mod schedule;

pub use parallel::{
    Body, MAX_DIMENSIONS, STATUS_NO_THREADS, STATUS_PANIC, pyopt_chunks, pyopt_chunks_for_work,
    pyopt_parallel, pyopt_parts, take_failure,
};
pub use pool::{NUM_THREADS_VARIABLE, ThreadsError, get_num_threads, pool_size, set_num_threads};
