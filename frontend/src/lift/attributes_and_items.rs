//! Attributes, items and slices.

use super::Lifter;
use crate::diagnostic::Diagnostic;
use melior::ir::attribute::StringAttribute;
use pyopt_dialects::ods::py;

impl<'c> Lifter<'c, '_> {
    /// The name that the current instruction has as its argument, shifted right by `shift`.
    pub(super) fn name(&self, shift: u32) -> Result<&str, Diagnostic> {
        let name = self.code.names.get(self.instruction.index() >> shift);
        name.map(|name| &**name)
            .ok_or_else(|| self.malformed("no such name"))
    }

    pub(super) fn name_attribute(&self) -> Result<StringAttribute<'c>, Diagnostic> {
        Ok(self.text(self.name(0)?))
    }

    pub(super) fn load_attribute(&mut self) -> Result<(), Diagnostic> {
        let object = self.pop()?;
        let name = self.name_attribute()?;
        self.push_value(py::getattr(
            self.context,
            self.object,
            object,
            name,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn store_attribute(&mut self) -> Result<(), Diagnostic> {
        let object = self.pop()?;
        let value = self.pop()?;
        self.append(py::setattr(
            self.context,
            object,
            value,
            self.name_attribute()?,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn delete_attribute(&mut self) -> Result<(), Diagnostic> {
        let object = self.pop()?;
        self.append(py::delattr(
            self.context,
            object,
            self.name_attribute()?,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn load_item(&mut self) -> Result<(), Diagnostic> {
        let index = self.pop()?;
        let object = self.pop()?;
        self.push_value(py::getitem(
            self.context,
            self.object,
            object,
            index,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn store_item(&mut self) -> Result<(), Diagnostic> {
        let index = self.pop()?;
        let object = self.pop()?;
        let value = self.pop()?;
        self.append(py::setitem(
            self.context,
            object,
            index,
            value,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn delete_item(&mut self) -> Result<(), Diagnostic> {
        let index = self.pop()?;
        let object = self.pop()?;
        self.append(py::delitem(self.context, object, index, self.location()));
        Ok(())
    }

    pub(super) fn build_slice(&mut self) -> Result<(), Diagnostic> {
        let step = match self.instruction.argument {
            3 => self.pop()?,
            _ => self.none(),
        };
        let stop = self.pop()?;
        let start = self.pop()?;
        self.push_value(py::slice(
            self.context,
            self.object,
            start,
            stop,
            step,
            self.location(),
        ));
        Ok(())
    }
}
