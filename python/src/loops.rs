//! Loop lifting: the code of a function without its loops, and of those.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyopt_frontend::marshal;
use pyopt_frontend::outline;

use crate::code_parts::CodeParts;
use crate::compiler::{CompileError, ErrorKind};
use crate::errors;
use crate::host::VERSION;

/// A code object without its loops, and the code objects of these.
type Lifted<'py> = (Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);

/// The code of a function that calls its outermost loops as free variables, and the code of these;
/// None if no loop can be lifted.
#[pyfunction]
pub fn lift_loops<'py>(code: &Bound<'py, PyAny>) -> PyResult<Option<Lifted<'py>>> {
    let py = code.py();
    let bytes = py.import("marshal")?.call_method1("dumps", (code,))?;
    let bytes = bytes.cast_into::<PyBytes>()?;
    let unsupported =
        |error| errors::to_python(py, *CompileError::new(ErrorKind::Unsupported, error));
    let read = marshal::load_code(bytes.as_bytes(), VERSION).map_err(|error| {
        errors::to_python(
            py,
            *CompileError::plain(ErrorKind::Unsupported, error.to_string()),
        )
    })?;
    let lifted = errors::guarded(|| outline::lift_loops(&read, "loop"))?.map_err(unsupported)?;
    let Some((rest, loops)) = lifted else {
        return Ok(None);
    };
    let loops = loops
        .iter()
        .map(|one| CodeParts::from(&one.code).replace(code));
    let loops = loops.collect::<PyResult<_>>()?;
    Ok(Some((CodeParts::from(&rest).replace(code)?, loops)))
}
