//! Globals, imports, cells and `super()`.

use super::Lifter;
use crate::{diagnostic::Diagnostic, op};
use melior::ir::Value;
use pyopt_dialects::ops::py;

/// `LOAD_GLOBAL`: a null is pushed below the global.
const GLOBAL_PUSHES_NULL: u32 = 1;

impl<'c, 'a> Lifter<'c, 'a> {
    pub(super) fn load_global(&mut self) -> Result<(), Diagnostic> {
        let binding = Self::binding(&self.function.globals, self.name(1)?);
        if self.instruction.argument & GLOBAL_PUSHES_NULL != 0 {
            self.push_null()?;
        }
        self.push(py::Global::create(self, &binding).result());
        Ok(())
    }

    pub(super) fn store_global(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let binding = Self::binding(&self.function.globals, self.name(0)?);
        py::SetGlobal::create(self, &binding, value);
        Ok(())
    }

    pub(super) fn load_assertion_error(&mut self) -> Result<(), Diagnostic> {
        self.push(py::LoadAssertionError::create(self).result());
        Ok(())
    }

    /// One of the objects that the interpreter keeps at hand: a constant, or what a name is builtin for.
    pub(super) fn load_common_constant(&mut self) -> Result<(), Diagnostic> {
        match op::COMMON_OBJECTS.get(self.instruction.index()) {
            Some(&"AssertionError") => self.load_assertion_error(),
            Some(name) => {
                let binding = format!("builtins.{name}");
                self.push(py::Global::create(self, &binding).result());
                Ok(())
            }
            None => self.load_constant(),
        }
    }

    pub(super) fn load_build_class(&mut self) -> Result<(), Diagnostic> {
        self.push(py::LoadBuildClass::create(self).result());
        Ok(())
    }

    pub(super) fn import(&mut self) -> Result<(), Diagnostic> {
        let names = self.pop()?;
        let level = self.pop()?;
        self.push(py::Import::create(self, self.name(0)?, level, names).result());
        Ok(())
    }

    pub(super) fn import_from(&mut self) -> Result<(), Diagnostic> {
        let module = self.peek(1)?;
        self.push(py::ImportFrom::create(self, module, self.name(0)?).result());
        Ok(())
    }

    /// Puts a cell in the place of a local; a parameter's value is the cell's first content.
    pub(super) fn make_cell(&mut self) -> Result<(), Diagnostic> {
        self.local_name()?;
        let local = self.instruction.index();
        let cell = py::MakeCell::create(self, self.state.locals[local]).result();
        self.state.locals[local] = Some(cell);
        Ok(())
    }

    /// The cell of the current instruction's variable.
    pub(super) fn cell(&mut self) -> Result<Value<'c, 'a>, Diagnostic> {
        let local = self.instruction.index();
        self.local_name()?;
        // A comprehension's variable may be in the place of a free one.
        Ok(
            match self.code.is_free(local) && self.state.locals[local].is_none() {
                true => self.free_cell(local),
                false => self.local(local),
            },
        )
    }

    /// The cell of a free variable, which is bound like a global in the function's own namespace.
    fn free_cell(&mut self, local: usize) -> Value<'c, 'a> {
        if let Some(&cell) = self.free_cells.get(&local) {
            return cell;
        }
        let index = (0..local).filter(|&local| self.code.is_free(local)).count();
        let binding = Self::binding(&self.function.symbol, &self.code.local_names[local]);
        let cell = py::FreeCell::create(&self.function_start(), index as i64, &binding).result();
        self.free_cells.insert(local, cell);
        cell
    }

    /// Whether the current instruction's variable is a free one.
    pub(super) fn is_free(&self) -> bool {
        self.code.is_free(self.instruction.index())
    }

    pub(super) fn load_closure(&mut self) -> Result<(), Diagnostic> {
        let cell = self.cell()?;
        self.push(cell);
        Ok(())
    }

    pub(super) fn load_cell(&mut self) -> Result<(), Diagnostic> {
        let cell = self.cell()?;
        let load = py::LoadCell::create(self, cell, self.local_name()?);
        load.set_free(self.is_free());
        self.push(load.result());
        Ok(())
    }

    pub(super) fn store_cell(&mut self) -> Result<(), Diagnostic> {
        let value = self.pop()?;
        let cell = self.cell()?;
        py::StoreCell::create(self, cell, value);
        self.mark_assignment(self.instruction.index(), value);
        Ok(())
    }

    pub(super) fn delete_cell(&mut self) -> Result<(), Diagnostic> {
        let cell = self.cell()?;
        py::DeleteCell::create(self, cell, self.local_name()?).set_free(self.is_free());
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
    let Some(operation) = py::Op::defining(value) else {
        return false;
    };
    let binding = match operation {
        py::Op::Global(global) => global.binding(),
        py::Op::LoadName(load) => load.binding(),
        py::Op::FreeCell(cell) => cell.binding(),
        other => return name(other) == Some("super"),
    };
    binding.ends_with(".super")
}

/// The name of the variable or attribute that an operation reads.
fn name<'c>(operation: py::Op<'c, '_>) -> Option<&'c str> {
    Some(match operation {
        py::Op::CheckBound(check) => check.name(),
        py::Op::GetAttr(get) => get.name(),
        py::Op::Import(import) => import.name(),
        py::Op::ImportFrom(import) => import.name(),
        py::Op::LoadCell(load) => load.name(),
        py::Op::LoadClassDeref(load) => load.name(),
        py::Op::LoadLocal(load) => load.name(),
        _ => return None,
    })
}
