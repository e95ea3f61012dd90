//! MLIR's diagnostics as compile errors.

use std::sync::{Arc, Mutex, PoisonError};

use melior::Context;
use melior::diagnostic::{Diagnostic, DiagnosticHandlerId, DiagnosticSeverity};
use pyopt_passes::infra::SourcePosition;

use super::{CompileError, ErrorKind, Place};

/// Collects the errors that a context reports.
pub struct Errors<'c> {
    context: &'c Context,
    handler: DiagnosticHandlerId,
    collected: Arc<Mutex<Vec<CompileError>>>,
}

impl<'c> Errors<'c> {
    /// Begins to collect. Warnings and remarks are for the tool, not for a caller of the function.
    pub fn collect(context: &'c Context) -> Self {
        let collected = Arc::<Mutex<Vec<_>>>::default();
        let sink = Arc::clone(&collected);
        let handler = context.attach_diagnostic_handler(move |diagnostic| {
            if matches!(diagnostic.severity(), DiagnosticSeverity::Error) {
                let mut errors = sink.lock().unwrap_or_else(PoisonError::into_inner);
                errors.push(read(&diagnostic));
            }
            true
        });
        Errors {
            context,
            handler,
            collected,
        }
    }

    /// Stops. The first error, with the kind of what was going on, or the reason that the caller has.
    pub fn finish(self, kind: ErrorKind, otherwise: &str) -> Box<CompileError> {
        self.context.detach_diagnostic_handler(self.handler);
        let mut errors = self
            .collected
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if errors.is_empty() {
            return CompileError::plain(kind, otherwise);
        }
        let mut error = Box::new(errors.swap_remove(0));
        // What contradicts a stencil's options is a ValueError in Python, and says that it is about one.
        error.kind = if error.message.starts_with("stencil") {
            ErrorKind::Stencil
        } else {
            kind
        };
        error
    }

    /// Stops after success.
    pub fn discard(self) {
        self.context.detach_diagnostic_handler(self.handler);
    }
}

/// Takes a diagnostic apart. Notes at the error's own place say what to do about it: their place
/// would only repeat what is shown already.
fn read(diagnostic: &Diagnostic) -> CompileError {
    let own = place(diagnostic);
    let notes = (0..diagnostic.note_count()).filter_map(|index| diagnostic.note(index).ok());
    let (hints, notes): (Vec<_>, Vec<_>) = notes
        .map(|note| (note.to_string(), place(&note)))
        .partition(|(_, place)| *place == own);
    let hints: Vec<_> = hints.into_iter().map(|(text, _)| text).collect();
    CompileError {
        kind: ErrorKind::Lowering,
        message: diagnostic.to_string(),
        place: own,
        notes,
        hint: (!hints.is_empty()).then(|| hints.join("; ")),
    }
}

fn place(diagnostic: &Diagnostic) -> Option<Place> {
    let position = SourcePosition::of(diagnostic.location())?;
    let number = |number: usize| u32::try_from(number).unwrap_or(0);
    let one_line = position.line == position.end_line;
    Some(Place {
        file: position.file,
        line: number(position.line),
        column: number(position.column),
        end_column: if one_line {
            number(position.end_column)
        } else {
            u32::MAX
        },
        function: String::new(),
    })
}
