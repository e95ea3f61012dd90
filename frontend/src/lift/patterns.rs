//! Pattern matching.

use super::{Lifter, stack::Slot};
use crate::diagnostic::Diagnostic;
use melior::ir::Value;
use pyopt_dialects::ops::py;

impl<'c, 'a> Lifter<'c, 'a> {
    /// Whether the subject on top is of a kind, as an operation tells; it stays.
    pub(super) fn match_kind(
        &mut self,
        test: impl FnOnce(&Self, Value<'c, 'a>) -> Value<'c, 'a>,
    ) -> Result<(), Diagnostic> {
        let subject = self.peek(1)?;
        let matches = test(self, subject);
        self.state.stack.push(Slot::Truth(matches));
        Ok(())
    }

    pub(super) fn get_length(&mut self) -> Result<(), Diagnostic> {
        let subject = self.peek(1)?;
        self.push(py::GetLen::create(self, subject).result());
        Ok(())
    }

    pub(super) fn match_keys(&mut self) -> Result<(), Diagnostic> {
        let (subject, keys) = (self.peek(2)?, self.peek(1)?);
        self.push(py::MatchKeys::create(self, subject, keys).result());
        Ok(())
    }

    pub(super) fn match_class(&mut self) -> Result<(), Diagnostic> {
        let names = self.pop()?;
        let class = self.pop()?;
        let subject = self.pop()?;
        let positional = self.instruction.argument.into();
        self.push(py::MatchClass::create(self, subject, class, names, positional).result());
        Ok(())
    }
}
