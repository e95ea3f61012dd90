//! Exceptions and contexts.

use super::{Lifter, stack::Slot};
use crate::diagnostic::Diagnostic;
use melior::ir::{Type, Value, operation::OperationBuilder, r#type::IntegerType};
use pyopt_dialects::ods::py;

impl<'c, 'a> Lifter<'c, 'a> {
    pub(super) fn boolean(&self) -> Type<'c> {
        IntegerType::new(self.context, 1).into()
    }

    /// Appends an operation with these operands and results.
    pub(super) fn results<const N: usize>(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        types: [Type<'c>; N],
    ) -> [Value<'c, 'a>; N] {
        let operation = OperationBuilder::new(name, self.location())
            .add_operands(operands)
            .add_results(&types)
            .build()
            .expect("results that are not inferred");
        let operation = self.append(operation);
        std::array::from_fn(|index| {
            let result = operation.result(index);
            result.expect("the operation has its results").into()
        })
    }

    /// Pops a value and pushes what an operation makes of it.
    pub(super) fn convert(&mut self, name: &str) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let [result] = self.results(name, &[value], [self.object]);
        self.push(result);
        Ok(())
    }

    /// Pops a value that an operation takes.
    pub(super) fn consume(&mut self, name: &str) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        self.results(name, &[value], []);
        Ok(())
    }

    pub(super) fn push_exception_info(&mut self) -> Result<(), Diagnostic> {
        let exception = self.pop()?;
        let [previous] = self.results("py.push_exc_info", &[exception], [self.object]);
        self.push(previous);
        self.push(exception);
        Ok(())
    }

    pub(super) fn check_exception_match(&mut self) -> Result<(), Diagnostic> {
        let expected = self.pop()?;
        let exception = self.peek(1)?;
        let [matches] = self.results("py.exc_match", &[exception, expected], [self.boolean()]);
        self.state.stack.push(Slot::Truth(matches));
        Ok(())
    }

    pub(super) fn check_group_match(&mut self) -> Result<(), Diagnostic> {
        let expected = self.pop()?;
        let exception = self.pop()?;
        let types = [self.object; 2];
        let [rest, matched] = self.results("py.exc_group_match", &[exception, expected], types);
        self.push(rest);
        self.push(matched);
        Ok(())
    }

    pub(super) fn prepare_reraise_star(&mut self) -> Result<(), Diagnostic> {
        let raised = self.pop()?;
        let original = self.pop()?;
        self.push_value(py::prep_reraise_star(
            self.context,
            self.object,
            original,
            raised,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn reraise(&mut self, exception: Value<'c, 'a>) {
        self.raising_terminator("py.reraise", &[&[exception]], &[]);
    }

    /// Raises an exception, if there is one, from its cause, if there is one.
    pub(super) fn raise(&mut self, operands: &[Value<'c, 'a>]) -> Result<(), Diagnostic> {
        let groups: [&[_]; 2] = match operands {
            [] => [&[], &[]],
            [_] => [operands, &[]],
            [_, _] => [&operands[..1], &operands[1..]],
            _ => return Err(self.malformed("more than an exception and its cause")),
        };
        self.raising_terminator("py.raise", &groups, &[]);
        Ok(())
    }

    pub(super) fn enter(&mut self, name: &str) -> Result<(), Diagnostic> {
        let manager = self.pop()?;
        let [exit, value] = self.results(name, &[manager], [self.object; 2]);
        self.push(exit);
        self.push(value);
        Ok(())
    }

    pub(super) fn with_exception_start(&mut self) -> Result<(), Diagnostic> {
        let exit = self.peek(4)?;
        let exception = self.peek(1)?;
        self.push_value(py::with_except_start(
            self.context,
            self.object,
            exit,
            exception,
            self.location(),
        ));
        Ok(())
    }
}
