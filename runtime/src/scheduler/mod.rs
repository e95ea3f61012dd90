//! Runs parallel regions of compiled code on the process's worker threads.
//!
//! Compiled code asks [`pyopt_parts`] into how many parts a region is cut (it needs to know before, for the
//! slots of its reductions) and then launches it with [`pyopt_parallel`]. The threads of the pool and the
//! caller take parts until none is left; where iterations take different times there are more parts than
//! threads. Results depend on the parts alone, never on who ran them. A region inside of a region gets the
//! threads that this one leaves idle.

mod chunks;
mod compiled;
mod parallel;
mod parts;
mod placement;
mod pool;
mod region;
mod schedule;
mod settings;
mod spinning;

pub use chunks::pyopt_chunks;
pub use compiled::{
    pyopt_get_num_threads, pyopt_get_parallel_chunksize, pyopt_get_thread_id, pyopt_parts_for_work,
    pyopt_pool_size, pyopt_set_num_threads, pyopt_set_parallel_chunksize,
};
pub use parallel::{
    Body, MAX_DIMENSIONS, STATUS_NO_THREADS, STATUS_PANIC, pyopt_parallel, take_failure,
};
pub use parts::pyopt_parts;
pub use pool::{NUM_THREADS_VARIABLE, ThreadsError, pool_size};
pub use settings::{
    get_num_threads, get_parallel_chunksize, get_thread_id, has_launched, set_num_threads,
    set_parallel_chunksize,
};
