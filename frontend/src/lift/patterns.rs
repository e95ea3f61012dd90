//! Pattern matching.

use super::{Lifter, stack::Slot};
use crate::{attributes::integer_attribute, diagnostic::Diagnostic};
use pyopt_dialects::ods::py;

impl Lifter<'_, '_> {
    /// Whether the subject on top is of a kind; it stays.
    pub(super) fn match_kind(&mut self, name: &str) -> Result<(), Diagnostic> {
        let subject = self.peek(1)?;
        let [matches] = self.results(name, &[subject], [self.boolean()]);
        self.state.stack.push(Slot::Truth(matches));
        Ok(())
    }

    pub(super) fn get_length(&mut self) -> Result<(), Diagnostic> {
        let subject = self.peek(1)?;
        let [length] = self.results("py.get_len", &[subject], [self.object]);
        self.push(length);
        Ok(())
    }

    pub(super) fn match_keys(&mut self) -> Result<(), Diagnostic> {
        let (subject, keys) = (self.peek(2)?, self.peek(1)?);
        let [values] = self.results("py.match_keys", &[subject, keys], [self.object]);
        self.push(values);
        Ok(())
    }

    pub(super) fn match_class(&mut self) -> Result<(), Diagnostic> {
        let names = self.pop()?;
        let class = self.pop()?;
        let subject = self.pop()?;
        let positional = integer_attribute(self.context, self.instruction.argument.into());
        self.push_value(py::match_class(
            self.context,
            self.object,
            subject,
            class,
            names,
            positional,
            self.location(),
        ));
        Ok(())
    }
}
