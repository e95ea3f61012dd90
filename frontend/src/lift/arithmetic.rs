//! Operators and comparisons.

use super::Lifter;
use crate::diagnostic::Diagnostic;
use melior::ir::Value;
use pyopt_dialects::{enums::PyUnaryKind, ops::py};

impl<'c, 'a> Lifter<'c, 'a> {
    pub(super) fn unary(&mut self, kind: PyUnaryKind) -> Result<(), Diagnostic> {
        let operand = self.pop()?;
        self.push(py::Unary::create(self, kind, operand).result());
        Ok(())
    }

    fn operands(&mut self) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Diagnostic> {
        let rhs = self.pop()?;
        Ok((self.pop()?, rhs))
    }

    pub(super) fn binary(&mut self) -> Result<(), Diagnostic> {
        let (lhs, rhs) = self.operands()?;
        let argument = self.instruction.index();
        let kinds = self.opcodes().binary_operators;
        let kind = kinds
            .get(argument % kinds.len())
            .filter(|_| argument < 2 * kinds.len());
        let kind = *kind.ok_or_else(|| self.malformed("no such operator"))?;
        let result = match argument < kinds.len() {
            true => py::Binary::create(self, kind, lhs, rhs).result(),
            false => py::Inplace::create(self, kind, lhs, rhs).result(),
        };
        self.push(result);
        Ok(())
    }

    pub(super) fn compare(&mut self) -> Result<(), Diagnostic> {
        let (lhs, rhs) = self.operands()?;
        let kind = self.opcodes().comparisons.get(self.instruction.index());
        let kind = *kind.ok_or_else(|| self.malformed("no such comparison"))?;
        self.push(py::Compare::create(self, kind, lhs, rhs).result());
        Ok(())
    }

    fn negated(&self) -> bool {
        self.instruction.argument != 0
    }

    pub(super) fn is(&mut self) -> Result<(), Diagnostic> {
        let (lhs, rhs) = self.operands()?;
        let value = self.identity(lhs, rhs, self.negated());
        self.push(value);
        Ok(())
    }

    /// `lhs is rhs`, or `lhs is not rhs`.
    pub(super) fn identity(
        &self,
        lhs: Value<'c, 'a>,
        rhs: Value<'c, 'a>,
        negated: bool,
    ) -> Value<'c, 'a> {
        let is = py::Is::create(self, lhs, rhs);
        is.set_negated(negated);
        is.result()
    }

    pub(super) fn contains(&mut self) -> Result<(), Diagnostic> {
        let (item, container) = self.operands()?;
        let contains = py::Contains::create(self, item, container);
        contains.set_negated(self.negated());
        self.push(contains.result());
        Ok(())
    }
}
