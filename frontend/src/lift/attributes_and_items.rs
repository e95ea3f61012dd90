//! Attributes, items and slices.

use super::Lifter;
use crate::diagnostic::Diagnostic;
use pyopt_dialects::ops::py;

impl<'a> Lifter<'_, 'a> {
    /// The name that the current instruction has as its argument, shifted right by `shift`.
    pub(super) fn name(&self, shift: u32) -> Result<&'a str, Diagnostic> {
        let name = self.code.names.get(self.instruction.index() >> shift);
        name.map(|name| &**name)
            .ok_or_else(|| self.malformed("no such name"))
    }

    pub(super) fn load_attribute(&mut self) -> Result<(), Diagnostic> {
        let object = self.pop()?;
        self.push(py::GetAttr::create(self, object, self.name(0)?).result());
        Ok(())
    }

    pub(super) fn store_attribute(&mut self) -> Result<(), Diagnostic> {
        let object = self.pop()?;
        let value = self.pop()?;
        py::SetAttr::create(self, object, self.name(0)?, value);
        Ok(())
    }

    pub(super) fn delete_attribute(&mut self) -> Result<(), Diagnostic> {
        let object = self.pop()?;
        py::DelAttr::create(self, object, self.name(0)?);
        Ok(())
    }

    pub(super) fn load_item(&mut self) -> Result<(), Diagnostic> {
        let index = self.pop()?;
        let object = self.pop()?;
        self.push(py::GetItem::create(self, object, index).result());
        Ok(())
    }

    pub(super) fn store_item(&mut self) -> Result<(), Diagnostic> {
        let index = self.pop()?;
        let object = self.pop()?;
        let value = self.pop()?;
        py::SetItem::create(self, object, index, value);
        Ok(())
    }

    pub(super) fn delete_item(&mut self) -> Result<(), Diagnostic> {
        let index = self.pop()?;
        let object = self.pop()?;
        py::DelItem::create(self, object, index);
        Ok(())
    }

    pub(super) fn build_slice(&mut self) -> Result<(), Diagnostic> {
        let step = match self.instruction.argument {
            3 => self.pop()?,
            _ => self.none(),
        };
        let stop = self.pop()?;
        let start = self.pop()?;
        self.push(py::Slice::create(self, start, stop, step).result());
        Ok(())
    }
}
