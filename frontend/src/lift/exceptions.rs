//! Exceptions and contexts.

use super::{Lifter, stack::Slot};
use crate::diagnostic::Diagnostic;
use melior::ir::Value;
use pyopt_dialects::ops::py;

impl<'c, 'a> Lifter<'c, 'a> {
    /// Pops a value and pushes what an operation makes of it.
    pub(super) fn convert(
        &mut self,
        make: impl FnOnce(&Self, Value<'c, 'a>) -> Value<'c, 'a>,
    ) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let result = make(self, value);
        self.push(result);
        Ok(())
    }

    /// Pops a value that an operation takes.
    pub(super) fn consume<V>(
        &mut self,
        make: impl FnOnce(&Self, Value<'c, 'a>) -> V,
    ) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        make(self, value);
        Ok(())
    }

    pub(super) fn push_exception_info(&mut self) -> Result<(), Diagnostic> {
        let exception = self.pop()?;
        self.push(py::PushExcInfo::create(self, exception).previous());
        self.push(exception);
        Ok(())
    }

    pub(super) fn check_exception_match(&mut self) -> Result<(), Diagnostic> {
        let expected = self.pop()?;
        let exception = self.peek(1)?;
        let matches = py::ExcMatch::create(self, exception, expected).matches();
        self.state.stack.push(Slot::Truth(matches));
        Ok(())
    }

    pub(super) fn check_group_match(&mut self) -> Result<(), Diagnostic> {
        let expected = self.pop()?;
        let exception = self.pop()?;
        let split = py::ExcGroupMatch::create(self, exception, expected);
        self.push(split.rest());
        self.push(split.r#match());
        Ok(())
    }

    pub(super) fn prepare_reraise_star(&mut self) -> Result<(), Diagnostic> {
        let raised = self.pop()?;
        let original = self.pop()?;
        self.push(py::PrepReraiseStar::create(self, original, raised).result());
        Ok(())
    }

    pub(super) fn reraise(&mut self, exception: Value<'c, 'a>) {
        let handler = self.handler();
        py::Reraise::create(self, exception, self.unwind_operands(), handler.as_slice());
    }

    /// Raises an exception, if there is one, from its cause, if there is one.
    pub(super) fn raise(&mut self, operands: &[Value<'c, 'a>]) -> Result<(), Diagnostic> {
        let (exception, cause) = match *operands {
            [] => (None, None),
            [exception] => (Some(exception), None),
            [exception, cause] => (Some(exception), Some(cause)),
            _ => return Err(self.malformed("more than an exception and its cause")),
        };
        let handler = self.handler();
        py::Raise::create(
            self,
            exception,
            cause,
            self.unwind_operands(),
            handler.as_slice(),
        );
        Ok(())
    }

    pub(super) fn enter(&mut self) -> Result<(), Diagnostic> {
        let manager = self.pop()?;
        let enter = py::EnterContext::create(self, manager);
        self.push(enter.exit());
        self.push(enter.value());
        Ok(())
    }

    pub(super) fn enter_async(&mut self) -> Result<(), Diagnostic> {
        let manager = self.pop()?;
        let enter = py::EnterAsyncContext::create(self, manager);
        self.push(enter.exit());
        self.push(enter.value());
        Ok(())
    }

    pub(super) fn with_exception_start(&mut self) -> Result<(), Diagnostic> {
        // A null lies between them where the argument says so.
        let exit = self.peek(self.instruction.index() + 4)?;
        let exception = self.peek(1)?;
        self.push(py::WithExceptStart::create(self, exit, exception).result());
        Ok(())
    }
}
