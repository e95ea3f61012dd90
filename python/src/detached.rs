//! What runs without the GIL, and Python code that compilations and compiled code run. Where there is no GIL,
//! calls that count on it take turns.

use pyo3::ffi;
use pyo3::prelude::*;
use pyopt_runtime::fork::{self, Claim};
use pyopt_runtime::turns::{self, Turn};

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

/// Runs Python code on a thread that may have given up the GIL, whoever did that.
///
/// pyo3 takes a thread for attached as long as a call of its own is on the stack. C code between that call and
/// this one, such as NumPy's loops, may have released the GIL without telling it.
pub fn attach<T>(work: impl FnOnce(Python<'_>) -> T) -> T {
    /// Has the GIL until it is dropped, if it wasn't there already.
    struct Ensured(ffi::PyGILState_STATE);

    impl Drop for Ensured {
        fn drop(&mut self) {
            // SAFETY: the state is that of the call that made it, on this thread.
            unsafe { ffi::PyGILState_Release(self.0) };
        }
    }

    // SAFETY: the interpreter runs: it has loaded this extension.
    let _ensured = Ensured(unsafe { ffi::PyGILState_Ensure() });
    Python::attach(work)
}

/// Asks Python something during a compilation. A fork doesn't wait for that: who forks may have the GIL.
pub fn asking<T>(ask: impl FnOnce(Python<'_>) -> T) -> T {
    fork::outside(|| attach(ask))
}

/// Runs Python code for compiled code: others may use the structures of its call meanwhile.
pub fn from_compiled<T>(ask: impl FnOnce(Python<'_>) -> T) -> T {
    turns::aside(wait, || attach(ask))
}

/// The turn of a call that has structures to itself; `None` with the GIL, which is as much.
#[inline]
pub fn turn() -> Option<Turn> {
    cfg!(Py_GIL_DISABLED).then(|| Turn::take(wait))
}

/// Waits as who doesn't keep the interpreter from stopping its threads.
fn wait(until_over: fn()) {
    attach(|py| py.detach(until_over));
}
