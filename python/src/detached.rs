//! Compiling without the GIL, and taking it back where a compilation asks Python something.

use pyo3::prelude::*;
use pyopt_runtime::fork::{self, Claim};

use crate::errors;

/// Compiles, or does what uses a compiler's state, without the GIL. No fork can happen meanwhile: MLIR and
/// LLVM make much on first use, under locks that a child would find taken for ever. A panic is an error, as
/// [`errors::guarded`] says.
pub fn compiling<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    errors::guarded(|| {
        py.detach(|| {
            let _claim = Claim::new();
            work()
        })
    })
}

/// Asks Python something during a compilation. A fork doesn't wait for that: who forks may have the GIL.
pub fn asking<T>(ask: impl FnOnce(Python<'_>) -> T) -> T {
    fork::outside(|| Python::attach(ask))
}
