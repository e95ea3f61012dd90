//! Globals, imports, cells and `super()`.

use super::{Lifter, State};
use crate::{attributes::integer_attribute, diagnostic::Diagnostic};
use melior::ir::{
    Attribute, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, StringAttribute},
    operation::{OperationLike, OperationResult},
};
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
        self.push_value(py::load_assertion_error(
            self.context,
            self.object,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn load_build_class(&mut self) -> Result<(), Diagnostic> {
        self.push_value(py::load_build_class(
            self.context,
            self.object,
            self.location(),
        ));
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

    /// The cell of the current instruction's variable.
    pub(super) fn cell(&mut self) -> Result<Value<'c, 'a>, Diagnostic> {
        let local = self.instruction.index();
        self.local_name()?;
        Ok(match self.code.is_free(local) {
            true => self.free_cell(local),
            false => self.local(local),
        })
    }

    /// The cell of a free variable, which is bound like a global in the function's own namespace.
    fn free_cell(&mut self, local: usize) -> Value<'c, 'a> {
        if let Some(&cell) = self.free_cells.get(&local) {
            return cell;
        }
        let index = (0..local).filter(|&local| self.code.is_free(local)).count();
        let binding = self.binding(&self.function.symbol, &self.code.local_names[local]);
        let (context, object) = (self.context, self.object);
        let index = integer_attribute(context, index as i64);
        let cell =
            self.value_at_entry(|start| py::free_cell(context, object, index, binding, start));
        self.free_cells.insert(local, cell);
        cell
    }

    /// The unit attribute of cell operations on free variables.
    fn free(&self) -> Option<Attribute<'c>> {
        let is_free = self.code.is_free(self.instruction.index());
        is_free.then(|| Attribute::unit(self.context))
    }

    pub(super) fn load_closure(&mut self) -> Result<(), Diagnostic> {
        let cell = self.cell()?;
        self.push(cell);
        Ok(())
    }

    pub(super) fn load_cell(&mut self) -> Result<(), Diagnostic> {
        let cell = self.cell()?;
        let mut builder = py::LoadCellOperation::builder(self.context, self.location());
        if let Some(free) = self.free() {
            builder = builder.free(free);
        }
        let name = self.text(self.local_name()?);
        self.push_value(builder._name(name).result(self.object).cell(cell).build());
        Ok(())
    }

    pub(super) fn store_cell(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let cell = self.cell()?;
        self.append(py::store_cell(self.context, cell, value, self.location()));
        self.mark_assignment(self.instruction.index(), value);
        Ok(())
    }

    pub(super) fn delete_cell(&mut self) -> Result<(), Diagnostic> {
        let cell = self.cell()?;
        let mut builder = py::DeleteCellOperation::builder(self.context, self.location());
        if let Some(free) = self.free() {
            builder = builder.free(free);
        }
        let name = self.text(self.local_name()?);
        self.append(builder._name(name).cell(cell).build());
        Ok(())
    }

    /// The cell `__class__` and the first parameter, where a call without arguments may need them:
    /// of something that is named `super` in a method.
    pub(super) fn super_arguments(
        &mut self,
        callee: Value<'c, 'a>,
    ) -> Option<(Value<'c, 'a>, Value<'c, 'a>)> {
        if !self.code.may_call_super() || !is_named_super(callee) {
            return None;
        }
        let mut names = self.code.local_names.iter();
        let class = names.rposition(|name| &**name == "__class__")?;
        Some((self.free_cell(class), self.local(0)))
    }
}

/// Whether a value is what a global `super` means.
fn is_named_super(value: Value) -> bool {
    if !value.is_operation_result() {
        return false;
    }
    let Ok(result) = OperationResult::try_from(value) else {
        return false;
    };
    let operation = result.owner();
    if let Ok(binding) = operation.attribute("binding") {
        let symbol = FlatSymbolRefAttribute::try_from(binding);
        return symbol.is_ok_and(|symbol| symbol.value().ends_with(".super"));
    }
    let name = operation.attribute("name").ok();
    name.and_then(|name| StringAttribute::try_from(name).ok())
        .is_some_and(|name| name.value() == "super")
}
