//! How diagnostics look, in Python's exceptions and in every tool: what is wrong, the file and the
//! line, the source with the place underlined, notes and what to do.

use crate::location::SourcePosition;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use std::{io::IsTerminal, ops::Range};

/// How grave a diagnostic is, or what a part of one is for.
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
    /// What to do.
    Hint,
}

impl Severity {
    /// The word that begins a message.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
            Self::Note => "note",
            Self::Hint => "hint",
        }
    }

    fn shown(self) -> Level<'static> {
        let like = match self {
            Self::Error => Level::ERROR,
            Self::Warning => Level::WARNING,
            Self::Remark => Level::INFO,
            Self::Note => Level::NOTE,
            Self::Hint => Level::HELP,
        };
        like.with_name(self.name())
    }
}

/// Where a diagnostic is shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Medium {
    /// As the text of a Python exception, whose class says how grave it is.
    Exception,
    /// In a file or a pipe.
    Text,
    /// On a terminal, in colours.
    Terminal,
}

impl Medium {
    /// What standard error is.
    pub fn standard_error() -> Self {
        match std::io::stderr().is_terminal() {
            true => Self::Terminal,
            false => Self::Text,
        }
    }
}

/// A part of a diagnostic: its message, or one of the notes that follow.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// What it is.
    pub severity: Severity,
    /// What it says.
    pub text: &'a str,
    /// What it is about; a part without a place, or about the place of the part before, shows none.
    pub position: Option<&'a SourcePosition>,
}

/// Renders a diagnostic, without a line break at the end. `source` gives the text of a file, where
/// there is one.
pub fn render(
    parts: &[Part],
    medium: Medium,
    mut source: impl FnMut(&str) -> Option<String>,
) -> String {
    let mut groups: Vec<Group> = Vec::new();
    let mut place = None;
    for part in parts {
        let level = part.severity.shown();
        let elsewhere = part.position.filter(|position| place != Some(*position));
        let group = match (groups.pop(), elsewhere) {
            (Some(group), None) => group.element(level.message(part.text)),
            (Some(group), Some(position)) => {
                groups.push(group);
                let title = level.secondary_title(part.text);
                title.element(excerpt(position, &mut source))
            }
            (None, position) => {
                let level = match medium {
                    Medium::Exception => level.no_name(),
                    Medium::Text | Medium::Terminal => level,
                };
                let excerpt = position.map(|position| excerpt(position, &mut source));
                level.primary_title(part.text).elements(excerpt)
            }
        };
        groups.push(group);
        place = elsewhere.or(place);
    }
    match medium {
        Medium::Terminal => Renderer::styled().render(&groups),
        Medium::Exception | Medium::Text => Renderer::plain().render(&groups),
    }
}

/// The text of a file on disk.
pub fn read_file(name: &str) -> Option<String> {
    let bytes = std::fs::read(name).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The lines of a place, underlined, or only where they are.
fn excerpt<'a>(
    position: &'a SourcePosition,
    source: &mut impl FnMut(&str) -> Option<String>,
) -> Element<'a> {
    let text = source(&position.file).and_then(|text| lines(&text, position));
    let Some(text) = text else {
        let mut origin = Origin::path(&position.file);
        if position.line != 0 {
            origin = origin.line(position.line);
        }
        if position.column != 0 {
            origin = origin.char_column(position.column);
        }
        return origin.into();
    };
    let annotation = AnnotationKind::Primary.span(span(&text, position));
    Snippet::source(text)
        .path(&position.file)
        .line_start(position.line)
        .annotation(annotation)
        .into()
}

/// The lines that a place covers; `None` when the file has no such line or nothing is on it.
fn lines(text: &str, position: &SourcePosition) -> Option<String> {
    let first = position.line.checked_sub(1)?;
    let count = position.end_line.max(position.line) - first;
    let lines: Vec<_> = text.lines().skip(first).take(count).collect();
    let written = !lines.first()?.trim().is_empty();
    written.then(|| lines.join("\n"))
}

/// The bytes of `text`, which begins at the place's line, that the place covers. A source that has
/// changed since may be shorter.
fn span(text: &str, position: &SourcePosition) -> Range<usize> {
    let whole = text.len() - text.trim_start().len();
    if position.column == 0 {
        return whole..text.lines().next().map_or(0, |line| line.trim_end().len());
    }
    let behind = |line: usize, column: usize| {
        let mut lines = text.split_inclusive('\n');
        let before: usize = lines.by_ref().take(line).map(str::len).sum();
        let length = lines
            .next()
            .map_or(0, |line| line.trim_end_matches('\n').len());
        boundary(text, before + (column - 1).min(length))
    };
    let start = behind(0, position.column);
    let end = match position.end_column {
        0 => start,
        column => behind(position.end_line.saturating_sub(position.line), column),
    };
    start..end.max(start)
}

/// The nearest beginning of a character at or before an index.
fn boundary(text: &str, mut index: usize) -> usize {
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}
