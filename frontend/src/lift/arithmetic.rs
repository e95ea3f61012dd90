//! Operators and comparisons.

use super::Lifter;
use crate::diagnostic::Diagnostic;
use melior::ir::{Attribute, Operation, Value};
use pyopt_dialects::{enums::PyUnaryKind, ods::py};

impl<'c, 'a> Lifter<'c, 'a> {
    pub(super) fn unary(&mut self, kind: PyUnaryKind) -> Result<(), Diagnostic> {
        let operand = self.pop()?;
        let kind = kind.to_attribute(self.context);
        self.push_value(py::unary(
            self.context,
            self.object,
            operand,
            kind,
            self.location(),
        ));
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
        let kind = kind
            .ok_or_else(|| self.malformed("no such operator"))?
            .to_attribute(self.context);
        let (context, object, location) = (self.context, self.object, self.location());
        let operation: Operation = match argument < kinds.len() {
            true => py::binary(context, object, lhs, rhs, kind, location).into(),
            false => py::inplace(context, object, lhs, rhs, kind, location).into(),
        };
        self.push_value(operation);
        Ok(())
    }

    pub(super) fn compare(&mut self) -> Result<(), Diagnostic> {
        let (lhs, rhs) = self.operands()?;
        let kind = self.opcodes().comparisons.get(self.instruction.index());
        let kind = kind
            .ok_or_else(|| self.malformed("no such comparison"))?
            .to_attribute(self.context);
        self.push_value(py::compare(
            self.context,
            self.object,
            lhs,
            rhs,
            kind,
            self.location(),
        ));
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
        let mut builder = py::IsOperation::builder(self.context, self.location());
        if negated {
            builder = builder.negated(Attribute::unit(self.context));
        }
        self.value(builder.result(self.object).lhs(lhs).rhs(rhs).build())
    }

    pub(super) fn contains(&mut self) -> Result<(), Diagnostic> {
        let (item, container) = self.operands()?;
        let mut builder = py::ContainsOperation::builder(self.context, self.location());
        if self.negated() {
            builder = builder.negated(Attribute::unit(self.context));
        }
        self.push_value(
            builder
                .result(self.object)
                .item(item)
                .container(container)
                .build(),
        );
        Ok(())
    }
}
