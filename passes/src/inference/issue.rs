//! Why an operation has no type.

use std::fmt::Display;

/// A problem of the user's program, to be reported at the operation in question.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    /// What is wrong, and why.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Why typing an operation stopped.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// A type isn't known yet: that of a recursive call before its first return value.
    Unknown,
    /// The operation can't be compiled.
    Issue(Box<Issue>),
    /// The operation always raises this exception: what follows is never reached.
    Raises(&'static str, String),
}

/// The outcome of typing something.
pub(crate) type Typing<T> = Result<T, Stop>;

impl Stop {
    /// A problem without a hint.
    pub fn issue(message: impl Display) -> Self {
        Self::Issue(Box::new(Issue {
            message: message.to_string(),
            hint: None,
        }))
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: impl Display) -> Self {
        if let Self::Issue(issue) = &mut self {
            issue.hint = Some(hint.to_string());
        }
        self
    }
}

/// `return stop("…")`: a problem without a hint.
pub(crate) fn stop<T>(message: impl Display) -> Typing<T> {
    Err(Stop::issue(message))
}
