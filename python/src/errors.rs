//! Compile errors as the exceptions of `pyopt.errors`.

use pyo3::prelude::*;

use crate::compiler::{CompileError, ErrorKind, Place};

/// The exception of a compile error. The Python side renders it, with the source line.
pub fn to_python(py: Python<'_>, error: CompileError) -> PyErr {
    build(py, error).unwrap_or_else(|error| error)
}

fn build(py: Python<'_>, error: CompileError) -> PyResult<PyErr> {
    let class = match error.kind {
        ErrorKind::Typing => "TypingError",
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::Option => "OptionError",
        ErrorKind::Stencil => "StencilError",
        ErrorKind::Lowering => "LoweringError",
    };
    let place = error.place.map(flatten);
    let notes: Vec<_> = error
        .notes
        .into_iter()
        .map(|(text, place)| (text, place.map(flatten)))
        .collect();
    let class = py.import("pyopt.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call1((
        error.message,
        place,
        notes,
        error.hint,
    ))?))
}

fn flatten(place: Place) -> (String, u32, u32, u32, String) {
    (
        place.file,
        place.line,
        place.column,
        place.end_column,
        place.function,
    )
}
