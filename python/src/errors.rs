//! Compile errors as the exceptions of `pyopt.errors`, and panics as `RuntimeError`s.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::compiler::{CompileError, ErrorKind, Place};

/// The exception of a compile error. The Python side renders it, with the source line.
pub fn to_python(py: Python<'_>, error: CompileError) -> PyErr {
    build(py, error).unwrap_or_else(|error| error)
}

/// Runs `work`. A panic in it is an error of this package: it becomes a `RuntimeError`, which programs can
/// handle, other than pyo3's exception or the end of the process.
pub fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    // What `work` has changed half-way isn't looked at: requests are given up, Python objects keep
    // themselves in order.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        PyRuntimeError::new_err(format!("internal error: {}", panic_text(&*panic)))
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("the compiler panicked")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_runtime_errors() {
        Python::initialize();
        Python::attach(|py| {
            assert_eq!(guarded(|| 1).unwrap(), 1);
            let broken: Vec<i32> = Vec::new();
            let error = guarded(|| broken[py.version_info().major as usize]).unwrap_err();
            assert!(error.is_instance_of::<PyRuntimeError>(py));
            assert!(error.to_string().contains("index out of bounds"));
        });
    }
}
