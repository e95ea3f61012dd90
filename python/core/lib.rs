//! `pyopt._core`, with no extensions built in.

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    pyopt_python::init(module, &[])
}
