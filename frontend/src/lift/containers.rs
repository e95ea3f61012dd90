//! Building and unpacking of containers and strings.

use super::Lifter;
use crate::diagnostic::Diagnostic;
use melior::ir::Value;
use pyopt_dialects::{enums::ExtendKind, ops::py};

/// `FORMAT_VALUE`: a format specification is on the stack.
const FORMAT_HAS_SPECIFICATION: u32 = 4;

impl<'c, 'a> Lifter<'c, 'a> {
    pub(super) fn build_tuple(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index())?;
        self.push(py::BuildTuple::create(self, &elements).result());
        Ok(())
    }

    pub(super) fn build_list(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index())?;
        self.push(py::BuildList::create(self, &elements).result());
        Ok(())
    }

    pub(super) fn build_set(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index())?;
        self.push(py::BuildSet::create(self, &elements).result());
        Ok(())
    }

    pub(super) fn build_map(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index().saturating_mul(2))?;
        self.push(py::BuildMap::create(self, &elements).result());
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
        self.push(py::BuildMap::create(self, &elements).result());
        Ok(())
    }

    /// The elements of a constant tuple, a constant each.
    fn constant_elements(&self, tuple: Value<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Diagnostic> {
        let constant = py::Constant::defining(tuple);
        let elements = constant.and_then(|constant| crate::attributes::elements(constant.value()));
        let elements =
            elements.ok_or_else(|| self.malformed("the keys are not a constant tuple"))?;
        Ok(elements
            .into_iter()
            .map(|element| self.constant(element))
            .collect())
    }

    pub(super) fn build_string(&mut self) -> Result<(), Diagnostic> {
        let elements = self.pop_many(self.instruction.index())?;
        self.push(py::BuildString::create(self, &elements).result());
        Ok(())
    }

    pub(super) fn format_value(&mut self) -> Result<(), Diagnostic> {
        let flags = self.instruction.argument;
        let specification = match flags & FORMAT_HAS_SPECIFICATION {
            0 => None,
            _ => Some(self.pop()?),
        };
        let value = self.pop()?;
        let conversion = ["", "s", "r", "a"][(flags & 3) as usize];
        self.push(py::Format::create(self, value, conversion, specification).result());
        Ok(())
    }

    pub(super) fn list_to_tuple(&mut self) -> Result<(), Diagnostic> {
        let list = self.pop()?;
        self.push(py::ListToTuple::create(self, list).result());
        Ok(())
    }

    pub(super) fn extend(&mut self, kind: ExtendKind) -> Result<(), Diagnostic> {
        let item = self.pop()?;
        let container = self.peek(self.instruction.index())?;
        // The function whose keywords are merged lies below the positional arguments.
        let callee = match kind {
            ExtendKind::DictMerge => self
                .peek(self.code.merge_callee(self.instruction.index()))
                .ok(),
            _ => None,
        };
        py::Extend::create(self, kind, container, item, callee);
        Ok(())
    }

    pub(super) fn map_add(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let key = self.pop()?;
        let map = self.peek(self.instruction.index())?;
        py::MapAdd::create(self, map, key, value);
        Ok(())
    }

    pub(super) fn unpack(&mut self) -> Result<(), Diagnostic> {
        let sequence = self.pop()?;
        let types = vec![self.object; self.instruction.index()];
        self.push_reversed(py::Unpack::create(self, sequence, &types).items());
        Ok(())
    }

    pub(super) fn unpack_starred(&mut self) -> Result<(), Diagnostic> {
        let sequence = self.pop()?;
        let (before, after) = (
            self.instruction.argument & 0xff,
            self.instruction.argument >> 8,
        );
        let types = vec![self.object; before as usize + 1 + after as usize];
        let unpack = py::UnpackEx::create(self, sequence, before.into(), &types);
        self.push_reversed(unpack.items());
        Ok(())
    }

    /// Pushes values so that the first is on top.
    fn push_reversed(&mut self, values: Vec<Value<'c, 'a>>) {
        values.into_iter().rev().for_each(|value| self.push(value));
    }
}
