//! Values as Python sees them.

use std::rc::Rc;

use melior::ir::{BlockLike, Value as IrValue, ValueLike};
use mlir_sys::{MlirBlock, MlirOperation, MlirValue};
use pyo3::prelude::*;
use pyopt_passes::infra::ValueExt;

use super::scope::{Scope, hash};
use super::{Block, Operation};

/// A value: a result of an operation or an argument of a block.
#[pyclass(unsendable, frozen, module = "pyopt.ir")]
pub struct Value {
    scope: Rc<Scope>,
    raw: MlirValue,
    owner: Owner,
}

/// What defines a value.
#[derive(Clone, Copy)]
enum Owner {
    /// It is a result of an operation.
    Operation(MlirOperation),
    /// It is an argument of a block.
    Block(MlirBlock),
}

impl Value {
    pub(super) fn new(scope: &Rc<Scope>, value: IrValue) -> Self {
        Self {
            scope: Rc::clone(scope),
            raw: value.to_raw(),
            owner: match value.defining_op() {
                Some(operation) => Owner::Operation(operation.to_raw()),
                None => Owner::Block(BlockLike::to_raw(&value.defining_block())),
            },
        }
    }

    fn get(&self) -> PyResult<IrValue<'_, '_>> {
        match self.owner {
            Owner::Operation(owner) => drop(self.scope.operation(owner)?),
            Owner::Block(owner) => drop(self.scope.block(owner)?),
        }
        // SAFETY: the lease is on, and what defines the value is there; arguments of blocks are
        // never removed by a view.
        Ok(unsafe { IrValue::from_raw(self.raw) })
    }

    /// The value, for a view of the same call.
    pub(super) fn get_in(&self, scope: &Rc<Scope>) -> PyResult<IrValue<'_, '_>> {
        scope.check_same(&self.scope)?;
        self.get()
    }
}

#[pymethods]
impl Value {
    /// The type in MLIR's notation: `!py.object` before inference.
    #[getter]
    fn r#type(&self) -> PyResult<String> {
        Ok(self.get()?.ty().to_string())
    }

    /// The operation whose result it is; None for an argument of a block.
    #[getter]
    fn definition(&self) -> PyResult<Option<Operation>> {
        let operation = self.get()?.defining_op();
        Ok(operation.map(|operation| Operation::new(&self.scope, operation)))
    }

    /// How many operands it is.
    #[getter]
    fn use_count(&self) -> PyResult<usize> {
        Ok(self.get()?.uses().len())
    }

    /// The operations that use it, each as often as it does.
    #[getter]
    fn users(&self) -> PyResult<Vec<Operation>> {
        let users = self.get()?.users().into_iter();
        Ok(users
            .map(|user| Operation::new(&self.scope, user))
            .collect())
    }

    /// The block that it is an argument of, or that its definition is in.
    #[getter]
    fn block(&self) -> PyResult<Block> {
        Ok(Block::new(&self.scope, self.get()?.defining_block()))
    }

    /// Has another value used in its place.
    fn replace_all_uses(&self, with: &Self) -> PyResult<()> {
        self.get()?.replace_all_uses(with.get_in(&self.scope)?);
        self.scope.change();
        Ok(())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }

    fn __hash__(&self) -> u64 {
        hash(self.raw.ptr as usize)
    }
}
