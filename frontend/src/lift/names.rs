//! Names that are looked up when the code runs: of class bodies and modules, and globals that are
//! deleted.

use super::Lifter;
use crate::{diagnostic::Diagnostic, op::INTRINSICS};
use melior::ir::Value;
use pyopt_dialects::ops::py;

impl<'c, 'a> Lifter<'c, 'a> {
    /// The mapping of names.
    fn namespace(&mut self) -> Result<Value<'c, 'a>, Diagnostic> {
        if !self.code.has_namespace() {
            return Err(self.malformed("the code has no namespace"));
        }
        if let Some(namespace) = self.namespace {
            return Ok(namespace);
        }
        let namespace = py::Namespace::create(&self.function_start()).result();
        self.namespace = Some(namespace);
        Ok(namespace)
    }

    pub(super) fn load_name(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        let name = self.name(0)?;
        let binding = Self::binding(&self.function.globals, name);
        self.push(py::LoadName::create(self, namespace, name, &binding).result());
        Ok(())
    }

    pub(super) fn store_name(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        let value = self.pop()?;
        py::StoreName::create(self, namespace, self.name(0)?, value);
        Ok(())
    }

    pub(super) fn delete_name(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        py::DeleteName::create(self, namespace, self.name(0)?);
        Ok(())
    }

    /// A variable of an enclosing function that the class body may have a name for.
    pub(super) fn load_class_cell(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        let cell = self.cell()?;
        let name = self.local_name()?;
        self.push(py::LoadClassDeref::create(self, namespace, name, cell).result());
        Ok(())
    }

    /// The mapping of names itself, for what reads names from a mapping.
    pub(super) fn load_locals(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        self.push(namespace);
        Ok(())
    }

    /// A name of a popped mapping, else a global one.
    pub(super) fn load_name_from(&mut self) -> Result<(), Diagnostic> {
        let mapping = self.pop()?;
        let name = self.name(0)?;
        let binding = Self::binding(&self.function.globals, name);
        self.push(py::LoadName::create(self, mapping, name, &binding).result());
        Ok(())
    }

    /// A name of a popped mapping, else a variable of an enclosing function.
    pub(super) fn load_cell_from(&mut self) -> Result<(), Diagnostic> {
        let mapping = self.pop()?;
        let cell = self.cell()?;
        let name = self.local_name()?;
        self.push(py::LoadClassDeref::create(self, mapping, name, cell).result());
        Ok(())
    }

    /// Makes an object of a type parameter or alias.
    pub(super) fn intrinsic(&mut self) -> Result<(), Diagnostic> {
        let intrinsic = INTRINSICS.get(self.instruction.index());
        let (name, operands) = *intrinsic.ok_or_else(|| self.malformed("no such intrinsic"))?;
        let operands = self.pop_many(operands as usize)?;
        self.push(py::Intrinsic::create(self, name, &operands).result());
        Ok(())
    }

    pub(super) fn setup_annotations(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        py::SetupAnnotations::create(self, namespace);
        Ok(())
    }

    pub(super) fn import_star(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        let module = self.pop()?;
        py::ImportStar::create(self, namespace, module);
        Ok(())
    }

    pub(super) fn delete_global(&mut self) -> Result<(), Diagnostic> {
        let binding = Self::binding(&self.function.globals, self.name(0)?);
        py::DeleteGlobal::create(self, &binding);
        Ok(())
    }
}
