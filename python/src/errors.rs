//! Compile errors as the exceptions of `pyopt.errors`, and panics as `RuntimeError`s.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyopt_frontend::render::{Medium, Part, render};
use pyopt_passes::infra::{Diagnostic, Severity, SourcePosition};

use crate::compiler::{CompileError, ErrorKind};
use crate::tracebacks;

/// The exception of a compile error. The Python side renders it, with the source line.
pub fn to_python(py: Python<'_>, error: CompileError) -> PyErr {
    build(py, error).unwrap_or_else(|error| error)
}

/// Runs `work`. A panic in it is an error of this package: it becomes a `RuntimeError`, which programs can
/// handle, other than pyo3's exception or the end of the process.
#[inline]
pub fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    // What `work` has changed half-way isn't looked at: requests are given up, Python objects keep
    // themselves in order.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        PyRuntimeError::new_err(format!("internal error: {}", panic_text(&*panic)))
    })
}

/// Gives an exception up at once. On the path of calls one that is dropped is put off, as
/// [`crate::held::Held`] says, and it may hold frames with all their values.
pub fn forget(py: Python<'_>, error: PyErr) {
    error.restore(py);
    // SAFETY: the thread is attached.
    unsafe { ffi::PyErr_Clear() };
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("the compiler panicked")
}

fn build(py: Python<'_>, error: CompileError) -> PyResult<PyErr> {
    let class = match error.kind {
        ErrorKind::Typing => "TypingError",
        ErrorKind::Literal => "LiteralTypingError",
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::Option => "OptionError",
        ErrorKind::Stencil => "StencilError",
        ErrorKind::Lowering => "LoweringError",
    };
    let Diagnostic {
        message,
        position,
        notes,
        ..
    } = at_program(py, error.diagnostic);
    let (hints, notes): (Vec<_>, Vec<_>) = notes
        .into_iter()
        .partition(|note| note.severity == Severity::Hint);
    let notes: Vec<_> = notes
        .into_iter()
        .map(|note| (note.message, note.position.map(Place::from)))
        .collect();
    let hint = hints.into_iter().next().map(|hint| hint.message);
    let class = py.import("pyopt.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call1((
        message,
        position.map(Place::from),
        notes,
        hint,
    ))?))
}

/// An error in a function of the package is one of the call that led there, the first one in the program.
fn at_program(py: Python<'_>, mut error: Diagnostic) -> Diagnostic {
    let is_hidden = |position: &SourcePosition| tracebacks::is_hidden(py, &position.file);
    if !error.position.as_ref().is_some_and(is_hidden) {
        return error;
    }
    let mut notes = error.notes.into_vec();
    let is_call = |note: &Diagnostic| {
        note.severity == Severity::Note && note.position.as_ref().is_some_and(|at| !is_hidden(at))
    };
    error.position = None;
    if let Some(at) = notes.iter().position(is_call) {
        error.position = notes.remove(at).position;
    }
    notes.retain(|note| !note.position.as_ref().is_some_and(is_hidden));
    error.notes = notes.into_boxed_slice();
    error
}

/// A `TypingError` of an argument that compiled code can't take.
pub fn refused_argument(py: Python<'_>, message: &str) -> PyErr {
    let class = py
        .import("pyopt.errors")
        .and_then(|errors| errors.getattr("TypingError"));
    match class.and_then(|class| class.call1((message,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Warns of what a compilation has found; fails where warnings are errors.
pub fn warn(py: Python<'_>, warning: &Diagnostic) -> PyResult<()> {
    let place = warning.position.as_ref();
    let place = place.map(|position| (position.file.as_str(), position.line));
    py.import("pyopt.errors")?
        .call_method1("warn", (warning.message.as_str(), place))?;
    Ok(())
}

/// A place as Python has it: file, line, column, end line, end column.
#[derive(FromPyObject, IntoPyObject)]
pub struct Place(String, usize, usize, usize, usize);

impl From<SourcePosition> for Place {
    fn from(position: SourcePosition) -> Self {
        Place(
            position.file,
            position.line,
            position.column,
            position.end_line,
            position.end_column,
        )
    }
}

impl From<Place> for SourcePosition {
    fn from(Place(file, line, column, end_line, end_column): Place) -> Self {
        SourcePosition {
            file,
            line,
            column,
            end_line,
            end_column,
        }
    }
}

/// The text of a compile error, with the source lines that it is about. `source(file)` gives a file's
/// text, empty if there is none.
#[pyfunction]
pub fn render_error(
    message: &str,
    place: Option<Place>,
    notes: Vec<(String, Option<Place>)>,
    hint: Option<&str>,
    source: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let place = place.map(SourcePosition::from);
    let notes: Vec<_> = notes
        .into_iter()
        .map(|(text, place)| (text, place.map(SourcePosition::from)))
        .collect();
    let mut parts = vec![Part {
        severity: Severity::Error,
        text: message,
        position: place.as_ref(),
    }];
    parts.extend(hint.map(|text| Part {
        severity: Severity::Hint,
        text,
        position: None,
    }));
    parts.extend(notes.iter().map(|(text, position)| Part {
        severity: Severity::Note,
        text,
        position: position.as_ref(),
    }));
    let mut failure = None;
    let text = render(&parts, Medium::Exception, |file| {
        let text = source.call1((file,)).and_then(|text| text.extract());
        text.map_err(|error| failure = Some(error))
            .ok()
            .filter(|text: &String| !text.is_empty())
    });
    failure.map_or(Ok(text), Err)
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
