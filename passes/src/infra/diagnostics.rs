//! Reporting diagnostics from passes and collecting them in library use.

use super::ffi::{pyoptEmitDiagnostic, raw_str};
use melior::{
    Context,
    diagnostic::{self, DiagnosticHandlerId, DiagnosticSeverity},
    ir::Location,
};
use mlir_sys::{
    MlirDiagnosticSeverity_MlirDiagnosticError, MlirDiagnosticSeverity_MlirDiagnosticRemark,
    MlirDiagnosticSeverity_MlirDiagnosticWarning,
};
use pyopt_frontend::render::{self, Medium, Part};
pub use pyopt_frontend::{location::SourcePosition, render::Severity};
use std::{
    fmt::Display,
    sync::{Arc, Mutex, PoisonError},
};

/// How a note begins that says what to do: MLIR knows no hints.
const HINT: &str = "hint: ";

/// A diagnostic that is being written; [`Report::emit`] hands it to MLIR.
#[derive(Debug)]
#[must_use = "a report does nothing until it is emitted"]
pub struct Report<'c> {
    location: Location<'c>,
    severity: Severity,
    message: String,
    notes: Vec<(Location<'c>, String)>,
}

impl<'c> Report<'c> {
    /// Begins a report. By convention messages are in lower case without a full stop.
    pub fn new(severity: Severity, location: Location<'c>, message: impl Display) -> Self {
        Self {
            location,
            severity,
            message: message.to_string(),
            notes: Vec::new(),
        }
    }

    /// Says for programs what the message is about: one word, in lower case.
    pub fn kind(mut self, kind: &str) -> Self {
        self.message += &format!(" [{kind}]");
        self
    }

    /// Adds a note, at a second location.
    pub fn note(mut self, location: Location<'c>, message: impl Display) -> Self {
        self.notes.push((location, message.to_string()));
        self
    }

    /// What the report is about.
    pub const fn location(&self) -> Location<'c> {
        self.location
    }

    /// Adds what to do about it.
    pub fn hint(self, message: impl Display) -> Self {
        let location = self.location;
        self.note(location, format_args!("{HINT}{message}"))
    }

    /// Hands the diagnostic to the context's handlers.
    pub fn emit(self) {
        let severity = match self.severity {
            Severity::Error | Severity::Note | Severity::Hint => {
                MlirDiagnosticSeverity_MlirDiagnosticError
            }
            Severity::Warning => MlirDiagnosticSeverity_MlirDiagnosticWarning,
            Severity::Remark => MlirDiagnosticSeverity_MlirDiagnosticRemark,
        };
        let locations: Vec<_> = self.notes.iter().map(|(at, _)| at.to_raw()).collect();
        let notes: Vec<_> = self.notes.iter().map(|(_, note)| raw_str(note)).collect();

        // SAFETY: both arrays have as many elements as there are notes and outlive the call.
        unsafe {
            pyoptEmitDiagnostic(
                self.location.to_raw(),
                severity,
                raw_str(&self.message),
                notes.len() as isize,
                locations.as_ptr(),
                notes.as_ptr(),
            )
        }
    }
}

/// A collected diagnostic, independent of the context it came from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// The place, when the location names one.
    pub position: Option<SourcePosition>,
    /// The message.
    pub message: String,
    /// Of a remark what it is about, in one word: see [`Report::kind`].
    pub kind: Option<Box<str>>,
    /// Further information and what to do.
    pub notes: Box<[Diagnostic]>,
}

impl Diagnostic {
    /// Makes an error without a location.
    pub fn error(message: impl Display) -> Self {
        Self {
            severity: Severity::Error,
            position: None,
            message: message.to_string(),
            kind: None,
            notes: Box::default(),
        }
    }

    pub(crate) fn from_mlir(diagnostic: &diagnostic::Diagnostic) -> Self {
        let text = diagnostic.to_string();
        let (severity, message) = match (diagnostic.severity(), text.strip_prefix(HINT)) {
            (DiagnosticSeverity::Error, _) => (Severity::Error, text),
            (DiagnosticSeverity::Warning, _) => (Severity::Warning, text),
            (DiagnosticSeverity::Remark, _) => (Severity::Remark, text),
            (DiagnosticSeverity::Note, None) => (Severity::Note, text),
            (DiagnosticSeverity::Note, Some(hint)) => (Severity::Hint, hint.to_owned()),
        };
        let (message, kind) = match severity {
            Severity::Remark => split_kind(message),
            _ => (message, None),
        };
        Self {
            severity,
            position: SourcePosition::of(diagnostic.location()),
            message,
            kind,
            notes: (0..diagnostic.note_count())
                .filter_map(|index| diagnostic.note(index).ok())
                .map(|note| Self::from_mlir(&note))
                .collect(),
        }
    }

    /// Shows the diagnostic with its source, which is read from the disk.
    pub fn render(&self, medium: Medium) -> String {
        let parts = [self].into_iter().chain(&self.notes).map(|one| Part {
            severity: one.severity,
            text: &one.message,
            position: one.position.as_ref(),
        });
        let parts: Vec<_> = parts.collect();
        render::render(&parts, medium, render::read_file)
    }
}

/// Takes the kind off a remark: MLIR knows no such thing, so it is at the end of the text.
fn split_kind(text: String) -> (String, Option<Box<str>>) {
    let found = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once(" ["));
    match found {
        Some((message, kind))
            if !kind.is_empty()
                && kind
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'-') =>
        {
            (message.to_owned(), Some(kind.into()))
        }
        _ => (text, None),
    }
}

/// The front end's errors, with its notes as hints: they say what to write instead.
impl From<pyopt_frontend::diagnostic::Diagnostic> for Diagnostic {
    fn from(diagnostic: pyopt_frontend::diagnostic::Diagnostic) -> Self {
        let position = diagnostic.source_position();
        let hint = |message| Self {
            severity: Severity::Hint,
            position: position.clone(),
            message,
            kind: None,
            notes: Box::default(),
        };
        Self {
            notes: diagnostic.notes.into_iter().map(hint).collect(),
            severity: Severity::Error,
            message: diagnostic.message,
            kind: None,
            position,
        }
    }
}

/// Collects the diagnostics of a context for as long as it lives.
pub struct Collector<'a> {
    context: &'a Context,
    handler: Option<DiagnosticHandlerId>,
    collected: Arc<Mutex<Vec<Diagnostic>>>,
}

impl<'a> Collector<'a> {
    /// Begins to collect. Other handlers of the context see nothing meanwhile.
    pub fn new(context: &'a Context) -> Self {
        let collected = Arc::<Mutex<Vec<_>>>::default();
        let sink = Arc::clone(&collected);
        let handler = context.attach_diagnostic_handler(move |diagnostic| {
            let diagnostic = Diagnostic::from_mlir(&diagnostic);
            sink.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(diagnostic);
            true
        });
        Self {
            context,
            handler: Some(handler),
            collected,
        }
    }

    /// Stops and returns what was collected.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.detach();
        std::mem::take(
            &mut self
                .collected
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    fn detach(&mut self) {
        if let Some(handler) = self.handler.take() {
            self.context.detach_diagnostic_handler(handler);
        }
    }
}

impl Drop for Collector<'_> {
    fn drop(&mut self) {
        self.detach();
    }
}
