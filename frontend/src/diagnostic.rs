//! Errors that point at a place in Python source.

use crate::{
    code::CodeObject,
    location::SourcePosition,
    render::{self, Medium, Part, Severity},
    tables::Position,
};
use std::{fmt, sync::Arc};

/// What can't be compiled, where, why and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The source file.
    pub filename: Arc<str>,
    /// The place in it.
    pub position: Position,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// What to write instead, one note each.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// Makes a diagnostic at a position in the source of a code object.
    pub fn new(code: &CodeObject, position: Position, message: impl Into<String>) -> Self {
        Self {
            filename: code.filename.clone(),
            position,
            message: message.into(),
            notes: Vec::new(),
        }
    }

    /// Makes a diagnostic at the line where a code object's function begins.
    pub fn at_start(code: &CodeObject, message: impl Into<String>) -> Self {
        let line = u32::try_from(code.first_line).ok();
        let position = Position {
            line,
            end_line: line,
            ..Position::default()
        };
        Self::new(code, position, message)
    }

    /// Adds a note.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The place, if the line is known.
    pub fn source_position(&self) -> Option<SourcePosition> {
        let line = self.position.line? as usize;
        let column = |column: Option<u32>| column.map_or(0, |column| column as usize + 1);
        Some(SourcePosition {
            file: self.filename.to_string(),
            line,
            column: column(self.position.column),
            end_line: self.position.end_line.map_or(line, |line| line as usize),
            end_column: column(self.position.end_column),
        })
    }

    /// Shows the diagnostic with its source, which is read from the disk.
    pub fn render(&self, severity: Severity, medium: Medium) -> String {
        let position = self.source_position();
        let part = |severity, text| Part {
            severity,
            text,
            position: position.as_ref(),
        };
        let mut parts = vec![part(severity, &*self.message)];
        parts.extend(self.notes.iter().map(|note| part(Severity::Hint, note)));
        render::render(&parts, medium, render::read_file)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.filename)?;
        if let Some(line) = self.position.line {
            write!(formatter, ":{line}")?;
            if let Some(column) = self.position.column {
                write!(formatter, ":{}", u64::from(column) + 1)?;
            }
        }
        write!(formatter, ": {}", self.message)?;
        self.notes
            .iter()
            .try_for_each(|note| write!(formatter, "\nnote: {note}"))
    }
}

impl std::error::Error for Diagnostic {}
