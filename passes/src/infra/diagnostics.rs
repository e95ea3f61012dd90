//! Reporting diagnostics from passes and collecting them in library use.

use super::ffi::{pyoptEmitDiagnostic, raw_str};
use melior::{
    Context,
    diagnostic::{self, DiagnosticHandlerId, DiagnosticSeverity},
    ir::Location,
};
use mlir_sys::{
    MlirDiagnosticSeverity_MlirDiagnosticError, MlirDiagnosticSeverity_MlirDiagnosticRemark,
    MlirDiagnosticSeverity_MlirDiagnosticWarning, mlirIdentifierStr,
    mlirLocationFileLineColRangeGetFilename,
};
use std::{
    fmt::{self, Display, Formatter},
    sync::{Arc, Mutex, PoisonError},
};

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Severity {
    /// Something couldn't be done.
    Error,
    /// Something is doubtful.
    Warning,
    /// Something worth knowing.
    Remark,
    /// Further information to another diagnostic.
    Note,
}

impl Display for Severity {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
            Self::Note => "note",
        })
    }
}

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

    /// Adds a note, at a second location.
    pub fn note(mut self, location: Location<'c>, message: impl Display) -> Self {
        self.notes.push((location, message.to_string()));
        self
    }

    /// Hands the diagnostic to the context's handlers.
    pub fn emit(self) {
        let severity = match self.severity {
            Severity::Error | Severity::Note => MlirDiagnosticSeverity_MlirDiagnosticError,
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
    /// The file, when the location names one.
    pub file: Option<String>,
    /// The line, from one; zero when unknown.
    pub line: usize,
    /// The column, from one; zero when unknown.
    pub column: usize,
    /// The message.
    pub message: String,
    /// Further information.
    pub notes: Vec<Diagnostic>,
}

impl Diagnostic {
    /// Makes an error without a location.
    pub fn error(message: impl Display) -> Self {
        Self {
            severity: Severity::Error,
            file: None,
            line: 0,
            column: 0,
            message: message.to_string(),
            notes: Vec::new(),
        }
    }

    fn from_mlir(diagnostic: &diagnostic::Diagnostic) -> Self {
        let position = SourcePosition::of(diagnostic.location());
        Self {
            severity: match diagnostic.severity() {
                DiagnosticSeverity::Error => Severity::Error,
                DiagnosticSeverity::Warning => Severity::Warning,
                DiagnosticSeverity::Remark => Severity::Remark,
                DiagnosticSeverity::Note => Severity::Note,
            },
            line: position.as_ref().map_or(0, |position| position.line),
            column: position.as_ref().map_or(0, |position| position.column),
            file: position.map(|position| position.file),
            message: diagnostic.to_string(),
            notes: (0..diagnostic.note_count())
                .filter_map(|index| diagnostic.note(index).ok())
                .map(|note| Self::from_mlir(&note))
                .collect(),
        }
    }
}

impl Display for Diagnostic {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(formatter, "{file}:{}:{}: ", self.line, self.column)?;
        }
        write!(formatter, "{}: {}", self.severity, self.message)?;
        self.notes
            .iter()
            .try_for_each(|note| write!(formatter, "\n{note}"))
    }
}

/// A position in a source file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SourcePosition {
    /// The file's name.
    pub file: String,
    /// The line, from one.
    pub line: usize,
    /// The column, from one.
    pub column: usize,
    /// The line where the range ends.
    pub end_line: usize,
    /// The column where the range ends.
    pub end_column: usize,
}

impl SourcePosition {
    /// Finds the first file position in a location: of a fused one the first that has one, of a
    /// call site the callee's.
    pub fn of(location: Location) -> Option<Self> {
        if location.is_file_line_col_range() {
            return Some(Self {
                file: file_name(location),
                line: location.file_line_col_range_start_line(),
                column: location.file_line_col_range_start_column(),
                end_line: location.file_line_col_range_end_line(),
                end_column: location.file_line_col_range_end_column(),
            });
        }
        if location.is_name() {
            return Self::of(location.name_child_location());
        }
        if location.is_call_site() {
            return Self::of(location.call_site_callee());
        }
        if location.is_fused() {
            return (0..location.fused_num_locations())
                .find_map(|index| Self::of(location.fused_location(index)));
        }
        None
    }
}

/// Reads the file name, which may be empty: melior's own accessor panics then.
fn file_name(location: Location) -> String {
    // SAFETY: the caller checked the kind of the location, and its context lives.
    unsafe {
        let name = mlirLocationFileLineColRangeGetFilename(location.to_raw());
        super::ffi::owned_str(mlirIdentifierStr(name))
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
