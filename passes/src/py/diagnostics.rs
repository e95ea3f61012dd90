//! What the front end refuses, as errors of a pass.

use crate::infra::{PassContext, PassFailure, Report, Severity};
use pyopt_frontend::{diagnostic::Diagnostic, location::to_location};

/// Reports a diagnostic of the front end with its notes.
pub(super) fn fail(cx: &PassContext, error: &Diagnostic) -> PassFailure {
    let at = to_location(cx.context(), &error.filename, error.position);
    let report = Report::new(Severity::Error, at, &error.message);
    let notes = error.notes.iter();
    cx.fail(notes.fold(report, |report, note| report.hint(note)))
}
