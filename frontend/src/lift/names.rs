//! Names that are looked up when the code runs: of class bodies and modules, and globals that are
//! deleted.

use super::Lifter;
use crate::diagnostic::Diagnostic;
use melior::ir::Value;
use pyopt_dialects::ods::py;

impl<'c, 'a> Lifter<'c, 'a> {
    /// The mapping of names.
    fn namespace(&mut self) -> Result<Value<'c, 'a>, Diagnostic> {
        if !self.code.has_namespace() {
            return Err(self.malformed("the code has no namespace"));
        }
        if let Some(namespace) = self.namespace {
            return Ok(namespace);
        }
        let (context, object) = (self.context, self.object);
        let namespace = self.value_at_entry(|start| py::namespace(context, object, start));
        self.namespace = Some(namespace);
        Ok(namespace)
    }

    pub(super) fn load_name(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        let binding = self.binding(&self.function.globals, self.name(0)?);
        self.push_value(py::load_name(
            self.context,
            self.object,
            namespace,
            self.name_attribute()?,
            binding,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn store_name(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        let value = self.pop()?;
        self.append(py::store_name(
            self.context,
            namespace,
            value,
            self.name_attribute()?,
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn delete_name(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        self.append(py::delete_name(
            self.context,
            namespace,
            self.name_attribute()?,
            self.location(),
        ));
        Ok(())
    }

    /// A variable of an enclosing function that the class body may have a name for.
    pub(super) fn load_class_cell(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        let cell = self.cell()?;
        self.push_value(py::load_class_deref(
            self.context,
            self.object,
            namespace,
            cell,
            self.text(self.local_name()?),
            self.location(),
        ));
        Ok(())
    }

    pub(super) fn setup_annotations(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        self.results("py.setup_annotations", &[namespace], []);
        Ok(())
    }

    pub(super) fn import_star(&mut self) -> Result<(), Diagnostic> {
        let namespace = self.namespace()?;
        let module = self.pop()?;
        self.results("py.import_star", &[namespace, module], []);
        Ok(())
    }

    pub(super) fn delete_global(&mut self) -> Result<(), Diagnostic> {
        let binding = self.binding(&self.function.globals, self.name(0)?);
        self.append(py::delete_global(self.context, binding, self.location()));
        Ok(())
    }
}
