//! Globals, imports and cells.

use super::{Lifter, State};
use crate::{code_op::ASSERTION_ERROR, diagnostic::Diagnostic};
use melior::ir::{Value, attribute::FlatSymbolRefAttribute};
use pyopt_dialects::ods::py;

/// `LOAD_GLOBAL`: a null is pushed below the global.
const GLOBAL_PUSHES_NULL: u32 = 1;

impl<'c, 'a> Lifter<'c, 'a> {
    fn global(&self, binding: FlatSymbolRefAttribute<'c>) -> Value<'c, 'a> {
        self.value(py::global(
            self.context,
            self.object,
            binding,
            self.location(),
        ))
    }

    pub(super) fn load_global(&mut self) -> Result<(), Diagnostic> {
        let binding = self.binding(&self.function.globals, self.name(1)?);
        if self.instruction.argument & GLOBAL_PUSHES_NULL != 0 {
            self.push_null()?;
        }
        let value = self.global(binding);
        self.push(value);
        Ok(())
    }

    pub(super) fn store_global(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let binding = self.binding(&self.function.globals, self.name(0)?);
        self.append(py::set_global(
            self.context,
            value,
            binding,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn load_assertion_error(&mut self) -> Result<(), Diagnostic> {
        let value = self.global(FlatSymbolRefAttribute::new(self.context, ASSERTION_ERROR));
        self.push(value);
        Ok(())
    }

    pub(super) fn import(&mut self) -> Result<(), Diagnostic> {
        let names = self.pop()?;
        let level = self.pop()?;
        let name = self.name_attribute()?;
        self.push_value(py::import(
            self.context,
            self.object,
            level,
            names,
            name,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn import_from(&mut self) -> Result<(), Diagnostic> {
        let module = self.peek(1)?;
        let name = self.name_attribute()?;
        self.push_value(py::import_from(
            self.context,
            self.object,
            module,
            name,
            self.location(),
        ));
        Ok(())
    }

    /// Puts a cell in the place of a local; a parameter's value is the cell's first content.
    pub(super) fn make_cell(&mut self) -> Result<(), Diagnostic> {
        self.local_name()?;
        let local = self.instruction.index();
        let State { locals, .. } = &self.state;
        let mut builder =
            py::MakeCellOperation::builder(self.context, self.location()).result(self.object);
        if let Some(value) = locals[local] {
            builder = builder.initial(value);
        }
        self.state.locals[local] = Some(self.value(builder.build()));
        Ok(())
    }

    /// The value of a free variable: it is bound like a global, in the function's own namespace.
    fn free_variable(&self, name: &str) -> Value<'c, 'a> {
        self.global(self.binding(&self.function.symbol, name))
    }

    pub(super) fn load_closure(&mut self) -> Result<(), Diagnostic> {
        let (local, name) = (self.instruction.index(), self.local_name()?);
        let cell = match self.code.is_free(local) {
            // The inner function can only read it, so a new cell with the value is as good.
            true => {
                let value = self.free_variable(name);
                let builder = py::MakeCellOperation::builder(self.context, self.location());
                self.value(builder.result(self.object).initial(value).build())
            }
            false => self.local(local),
        };
        self.push(cell);
        Ok(())
    }

    pub(super) fn load_cell(&mut self) -> Result<(), Diagnostic> {
        let (local, name) = (self.instruction.index(), self.local_name()?);
        let value = match self.code.is_free(local) {
            true => self.free_variable(name),
            false => {
                let cell = self.local(local);
                self.value(py::load_cell(
                    self.context,
                    self.object,
                    cell,
                    self.text(name),
                    self.location(),
                ))
            }
        };
        self.push(value);
        Ok(())
    }

    pub(super) fn store_cell(&mut self) -> Result<(), Diagnostic> {
        let (local, name) = (self.instruction.index(), self.local_name()?);
        if self.code.is_free(local) {
            let message =
                format!("assignment to '{name}' of an enclosing function is not supported");
            let note = "return the new value and assign it in the enclosing function instead of using 'nonlocal'";
            return Err(self.error(message).with_note(note));
        }
        let value = self.pop()?;
        let cell = self.local(local);
        self.append(py::store_cell(self.context, cell, value, self.location()));
        Ok(())
    }
}
