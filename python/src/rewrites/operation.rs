//! Operations as Python sees them.

use std::collections::BTreeMap;
use std::rc::Rc;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use mlir_sys::MlirOperation;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyopt_passes::infra::{OperationExt, SourcePosition};

use super::scope::{Scope, attribute, hash};
use super::{Block, Region, Value};

/// An operation.
#[pyclass(unsendable, frozen, module = "pyopt.ir")]
pub struct Operation {
    scope: Rc<Scope>,
    raw: MlirOperation,
}

impl Operation {
    pub(super) fn new(scope: &Rc<Scope>, operation: OperationRef) -> Self {
        Self::of_raw(scope, operation.to_raw())
    }

    pub(super) fn of_raw(scope: &Rc<Scope>, raw: MlirOperation) -> Self {
        Self {
            scope: Rc::clone(scope),
            raw,
        }
    }

    pub(super) fn again(&self) -> Self {
        Self::of_raw(&self.scope, self.raw)
    }

    pub(super) fn scope(&self) -> &Rc<Scope> {
        &self.scope
    }

    /// The operation, for a view of the same call.
    pub(super) fn get_in(&self, scope: &Rc<Scope>) -> PyResult<OperationRef<'_, '_>> {
        scope.check_same(&self.scope)?;
        self.get()
    }

    /// The operation, to be moved, replaced or erased.
    fn inside(&self) -> PyResult<OperationRef<'_, '_>> {
        let operation = self.get()?;
        self.scope.check_inside(operation)?;
        Ok(operation)
    }

    pub(super) fn get(&self) -> PyResult<OperationRef<'_, '_>> {
        self.scope.operation(self.raw)
    }
}

#[pymethods]
impl Operation {
    /// The name, with the dialect: `py.binary`.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.get()?.full_name().into())
    }

    /// The operands.
    #[getter]
    fn operands(&self) -> PyResult<Vec<Value>> {
        let values = self.get()?.operand_values().into_iter();
        Ok(values.map(|value| Value::new(&self.scope, value)).collect())
    }

    /// The results.
    #[getter]
    fn results(&self) -> PyResult<Vec<Value>> {
        let values = self.get()?.result_values().into_iter();
        Ok(values.map(|value| Value::new(&self.scope, value)).collect())
    }

    /// The operation around it; None for what the pass runs on.
    #[getter]
    fn parent(&self) -> PyResult<Option<Operation>> {
        let operation = self.get()?;
        if self.scope.is_root(operation) {
            return Ok(None);
        }
        let parent = OperationExt::parent(operation);
        Ok(parent.map(|parent| Self::new(&self.scope, parent)))
    }

    /// The block that it is in; None for what the pass runs on.
    #[getter]
    fn block(&self) -> PyResult<Option<Block>> {
        let operation = self.get()?;
        if self.scope.is_root(operation) {
            return Ok(None);
        }
        let block = operation.parent_block();
        Ok(block.map(|block| Block::new(&self.scope, block)))
    }

    /// The regions.
    #[getter]
    fn regions(&self) -> PyResult<Vec<Region>> {
        let count = self.get()?.region_list().len();
        let regions = (0..count).map(|index| Region {
            parent: self.again(),
            index,
        });
        Ok(regions.collect())
    }

    /// The blocks that it branches to.
    #[getter]
    fn successors(&self) -> PyResult<Vec<Block>> {
        let blocks = self.get()?.successor_blocks().into_iter();
        Ok(blocks.map(|block| Block::new(&self.scope, block)).collect())
    }

    /// It and all operations in it, those around others first; with a name, those of that name.
    #[pyo3(signature = (name=None))]
    fn walk(&self, name: Option<&str>) -> PyResult<Vec<Operation>> {
        let all = self.get()?.pre_order().into_iter();
        let wanted = all.filter(|one| name.is_none_or(|name| one.is(name)));
        Ok(wanted.map(|one| Self::new(&self.scope, one)).collect())
    }

    /// The attributes, by their names, in MLIR's notation.
    #[getter]
    fn attributes(&self) -> PyResult<BTreeMap<String, String>> {
        let operation = self.get()?;
        let attributes = OperationLike::attributes(&operation);
        let texts = attributes.map(|(name, value)| {
            let name = name.as_string_ref().as_str().unwrap_or_default();
            (name.to_owned(), value.to_string())
        });
        Ok(texts.collect())
    }

    /// Removes an attribute; whether the operation had it.
    fn remove_attribute(&self, name: &str) -> PyResult<bool> {
        self.scope.change();
        Ok(self.get()?.remove_attr(name))
    }

    /// An attribute in MLIR's notation; None where the operation hasn't it.
    fn attribute(&self, name: &str) -> PyResult<Option<String>> {
        Ok(self.get()?.attr(name).map(|value| value.to_string()))
    }

    /// Sets an attribute, given in MLIR's notation.
    fn set_attribute(&self, name: &str, text: &str) -> PyResult<()> {
        let operation = self.get()?;
        operation.set_attr(name, attribute(self.scope.context()?, text)?);
        self.scope.change();
        Ok(())
    }

    /// Replaces an operand.
    fn set_operand(&self, index: usize, value: &Value) -> PyResult<()> {
        let operation = self.get()?;
        if index >= operation.operand_values().len() {
            return Err(PyIndexError::new_err("the operation has fewer operands"));
        }
        operation.set_operand_value(index, value.get_in(&self.scope)?);
        self.scope.change();
        Ok(())
    }

    /// Replaces the operation by a value for each of its results, and erases it.
    fn replace(&self, values: Vec<PyRef<'_, Value>>) -> PyResult<()> {
        let operation = self.inside()?;
        let values = values
            .iter()
            .map(|value| value.get_in(&self.scope))
            .collect::<PyResult<Vec<_>>>()?;
        let expected = operation.result_values().len();
        if values.len() != expected {
            let message = format!("the operation has {expected} results, not {}", values.len());
            return Err(PyValueError::new_err(message));
        }
        operation.replace_results(&values);
        self.erase()
    }

    /// Erases the operation, whose results nothing may use.
    fn erase(&self) -> PyResult<()> {
        let operation = self.inside()?;
        if !operation.is_unused() {
            return Err(PyValueError::new_err(
                "a result of the operation is still used",
            ));
        }
        self.scope.erase(operation);
        Ok(())
    }

    /// Moves the operation before another one.
    fn move_before(&self, other: &Self) -> PyResult<()> {
        let operation = self.inside()?;
        let place = other.get_in(&self.scope)?;
        self.scope.check_inside(place)?;
        if place.is_within(operation) {
            return Err(PyValueError::new_err(
                "an operation can't be moved into itself",
            ));
        }
        operation.place_before(place);
        self.scope.change();
        Ok(())
    }

    /// File, line and column in the source; None where they aren't known.
    #[getter]
    fn location(&self) -> PyResult<Option<(String, usize, usize)>> {
        let position = SourcePosition::of(self.get()?.location());
        Ok(position.map(|position| (position.file, position.line, position.column)))
    }

    fn __str__(&self) -> PyResult<String> {
        Ok(self.get()?.to_string())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }

    fn __hash__(&self) -> u64 {
        hash(self.raw.ptr as usize)
    }
}
