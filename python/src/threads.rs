//! The threads of parallel regions, for the package's functions on them, and that of the compiler.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyopt_runtime::engine::background;
use pyopt_runtime::scheduler;

/// Has the end of the interpreter wait for code that is being generated in the background.
pub fn wait_at_exit() {
    // SAFETY: the function is of this library, which is never unloaded, and needs no interpreter. Where
    // Python's table is full, the end of the process waits.
    unsafe { ffi::Py_AtExit(Some(background::finish)) };
}

/// The most threads that parallel regions may use.
#[pyfunction]
pub fn pool_size() -> PyResult<usize> {
    scheduler::pool_size().map_err(|error| PyValueError::new_err(error.to_string()))
}

/// How many threads parallel regions use.
#[pyfunction]
pub fn get_num_threads() -> PyResult<usize> {
    scheduler::get_num_threads().map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Sets how many threads parallel regions use, from 1 to all of them.
#[pyfunction]
pub fn set_num_threads(count: i64) -> PyResult<()> {
    // A negative number is too small like 0.
    scheduler::set_num_threads(usize::try_from(count).unwrap_or(0))
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The number of this thread in the region it works for.
#[pyfunction]
pub fn get_thread_id() -> usize {
    scheduler::get_thread_id()
}

/// About how many iterations parts of regions have.
#[pyfunction]
pub fn get_parallel_chunksize() -> usize {
    scheduler::get_parallel_chunksize()
}

/// Sets about how many iterations parts of regions have; gives what was set before.
#[pyfunction]
pub fn set_parallel_chunksize(iterations: u64) -> PyResult<usize> {
    let iterations = i64::try_from(iterations).map_err(|_| {
        PyOverflowError::new_err("the parallel chunksize does not fit into 64 bits")
    })?;
    Ok(scheduler::set_parallel_chunksize(iterations as usize))
}

/// Whether any region has run on several threads.
#[pyfunction]
pub fn has_launched() -> bool {
    scheduler::has_launched()
}
