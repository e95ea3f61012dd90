//! Building and unpacking of containers and strings.

use super::Lifter;
use crate::{attributes::integer_attribute, diagnostic::Diagnostic};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationResult},
};
use pyopt_dialects::{enums::ExtendKind, ods::py};

/// `FORMAT_VALUE`: a format specification is on the stack.
const FORMAT_HAS_SPECIFICATION: u32 = 4;

impl<'c, 'a> Lifter<'c, 'a> {
    pub(super) fn build_tuple(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index())?;
        self.push_value(py::build_tuple(
            self.context,
            self.object,
            &elements,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn build_list(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index())?;
        self.push_value(py::build_list(
            self.context,
            self.object,
            &elements,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn build_set(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index())?;
        self.push_value(py::build_set(
            self.context,
            self.object,
            &elements,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn build_map(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index().saturating_mul(2))?;
        self.push_value(py::build_map(
            self.context,
            self.object,
            &elements,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn build_constant_key_map(&mut self) -> Result<(), Diagnostic> {
        let keys = self.pop()?;
        let keys = self.constant_elements(keys)?;
        let values = self.pop_many(self.instruction.index())?;
        if keys.len() != values.len() {
            return Err(self.malformed("keys and values differ in number"));
        }
        let elements: Vec<_> = keys
            .into_iter()
            .zip(values)
            .flat_map(|(key, value)| [key, value])
            .collect();
        self.push_value(py::build_map(
            self.context,
            self.object,
            &elements,
            self.location(),
        ));
        Ok(())
    }

    /// The elements of a constant tuple, a constant each.
    fn constant_elements(&self, tuple: Value<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Diagnostic> {
        let constant = OperationResult::try_from(tuple)
            .ok()
            .and_then(|result| result.owner().attribute("value").ok());
        let elements = constant.and_then(crate::attributes::elements);
        let elements =
            elements.ok_or_else(|| self.malformed("the keys are not a constant tuple"))?;
        Ok(elements
            .into_iter()
            .map(|element| self.constant(element))
            .collect())
    }

    pub(super) fn build_string(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index())?;
        self.push_value(py::build_string(
            self.context,
            self.object,
            &elements,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn format_value(&mut self) -> Result<(), Diagnostic> {
        let flags = self.instruction.argument;
        let specification = match flags & FORMAT_HAS_SPECIFICATION {
            0 => None,
            _ => Some(self.pop()?),
        };
        let value = self.pop()?;
        let conversion = self.text(["", "s", "r", "a"][(flags & 3) as usize]);
        // Builders add operands in the order of the calls.
        let mut builder = py::FormatOperation::builder(self.context, self.location())
            .result(self.object)
            .value(value);
        if let Some(specification) = specification {
            builder = builder.spec(specification);
        }
        self.push_value(builder.conversion(conversion).build());
        Ok(())
    }

    pub(super) fn list_to_tuple(&mut self) -> Result<(), Diagnostic> {
        let list = self.pop()?;
        self.push_value(py::list_to_tuple(
            self.context,
            self.object,
            list,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn extend(&mut self, kind: ExtendKind) -> Result<(), Diagnostic> {
        let item = self.pop()?;
        let container = self.peek(self.instruction.index())?;
        // The function whose keywords are merged lies below the positional arguments.
        let callee = match kind {
            ExtendKind::DictMerge => self.peek(self.instruction.index() + 2).ok(),
            _ => None,
        };
        let mut builder = py::ExtendOperation::builder(self.context, self.location())
            .container(container)
            .item(item);
        if let Some(callee) = callee {
            builder = builder.callee(callee);
        }
        self.append(builder.kind(kind.to_attribute(self.context)).build());
        Ok(())
    }

    pub(super) fn map_add(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let key = self.pop()?;
        let map = self.peek(self.instruction.index())?;
        self.append(py::map_add(self.context, map, key, value, self.location()));
        Ok(())
    }

    pub(super) fn unpack(&mut self) -> Result<(), Diagnostic> {
        let sequence = self.pop()?;
        let types = vec![self.object; self.instruction.index()];
        let operation = self.append(py::unpack(self.context, &types, sequence, self.location()));
        self.push_reversed(operation.results().map(Value::from).collect());
        Ok(())
    }

    pub(super) fn unpack_starred(&mut self) -> Result<(), Diagnostic> {
        let sequence = self.pop()?;
        let (before, after) = (
            self.instruction.argument & 0xff,
            self.instruction.argument >> 8,
        );
        let types = vec![self.object; before as usize + 1 + after as usize];
        let before = integer_attribute(self.context, before.into());
        let operation = self.append(py::unpack_ex(
            self.context,
            &types,
            sequence,
            before,
            self.location(),
        ));
        self.push_reversed(operation.results().map(Value::from).collect());
        Ok(())
    }

    /// Pushes values so that the first is on top.
    fn push_reversed(&mut self, values: Vec<Value<'c, 'a>>) {
        values.into_iter().rev().for_each(|value| self.push(value));
    }
}
