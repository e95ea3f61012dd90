//! `pyopt._core`, with no extensions built in.

use pyo3::prelude::*;

/// Without a global lock dispatchers, lists and caches could be changed while they are read: such an
/// interpreter takes the lock for as long as the module is loaded.
#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    pyopt_python::init(module, &[])
}
