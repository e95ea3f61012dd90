//! The CPython that the extension is built for.

use pyo3::{exceptions::PyImportError, prelude::*};
use pyopt_frontend::version::Version;

/// The version that wrote all live code objects.
pub const VERSION: Version = Version::new(3, minor());

/// Whether code objects have tables of exceptions: 3.10 keeps handlers on a stack of blocks.
pub const HAS_EXCEPTION_TABLES: bool = VERSION.minor >= Version::PYTHON_3_11.minor;

/// The minor version, as the build script says it.
const fn minor() -> u8 {
    let mut number = 0;
    let mut digits = env!("PYOPT_PYTHON_MINOR").as_bytes();
    while let [digit, rest @ ..] = digits {
        number = 10 * number + (*digit - b'0');
        digits = rest;
    }
    number
}

/// Refuses an interpreter whose global lock is forced off: the module asks for the lock, and another
/// interpreter without one has turned it on by now.
pub fn require_lock(py: Python<'_>) -> PyResult<()> {
    let sys = py.import("sys")?;
    // Interpreters that always have the lock aren't asked, those before 3.13.
    let Ok(is_enabled) = sys.getattr("_is_gil_enabled") else {
        return Ok(());
    };
    if is_enabled.call0()?.is_truthy()? {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "pyopt needs the global interpreter lock, which PYTHON_GIL=0 or -X gil=0 keeps off; \
         without them it is turned on when pyopt is imported",
    ))
}
