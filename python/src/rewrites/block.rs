//! Blocks and regions as Python sees them.

use std::collections::HashMap;
use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, Region as IrRegion};
use mlir_sys::MlirBlock;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyopt_passes::infra::{BlockExt, Builder, Collector, OperationExt, RegionExt, ValueExt};

use super::scope::{Scope, attribute, hash, parse_type};
use super::{Operation, Value};

/// A block: its operations in order.
#[pyclass(unsendable, frozen, module = "pyopt.ir")]
pub struct Block {
    scope: Rc<Scope>,
    raw: MlirBlock,
}

impl Block {
    pub(super) fn new(scope: &Rc<Scope>, block: BlockRef) -> Self {
        Self {
            scope: Rc::clone(scope),
            raw: BlockLike::to_raw(&block),
        }
    }

    fn get(&self) -> PyResult<BlockRef<'_, '_>> {
        self.scope.block(self.raw)
    }
}

#[pymethods]
impl Block {
    /// The operations, in order.
    #[getter]
    fn operations(&self) -> PyResult<Vec<Operation>> {
        let operations = self.get()?.operation_list().into_iter();
        Ok(operations
            .map(|operation| Operation::new(&self.scope, operation))
            .collect())
    }

    /// The arguments.
    #[getter]
    fn arguments(&self) -> PyResult<Vec<Value>> {
        let arguments = self.get()?.argument_values().into_iter();
        Ok(arguments
            .map(|argument| Value::new(&self.scope, argument))
            .collect())
    }

    /// The operation around it.
    #[getter]
    fn parent(&self) -> PyResult<Option<Operation>> {
        let parent = BlockExt::parent(self.get()?);
        Ok(parent.map(|operation| Operation::new(&self.scope, operation)))
    }

    /// The blocks that its last operation branches to.
    #[getter]
    fn successors(&self) -> PyResult<Vec<Block>> {
        let blocks = self.get()?.successor_list().into_iter();
        Ok(blocks.map(|block| Self::new(&self.scope, block)).collect())
    }

    /// The blocks that branch here.
    #[getter]
    fn predecessors(&self) -> PyResult<Vec<Block>> {
        let blocks = self.get()?.predecessor_blocks().into_iter();
        Ok(blocks.map(|block| Self::new(&self.scope, block)).collect())
    }

    /// The operations of a name, in order.
    fn find(&self, name: &str) -> PyResult<Vec<Operation>> {
        let operations = self.get()?.operation_list().into_iter();
        let found = operations.filter(|operation| operation.is(name));
        Ok(found
            .map(|operation| Operation::new(&self.scope, operation))
            .collect())
    }

    /// Adds an argument of a type in MLIR's notation, which whatever branches here must pass.
    fn add_argument(&self, r#type: &str) -> PyResult<Value> {
        let context = self.scope.context()?;
        let block = self.get()?;
        let r#type = parse_type(context, r#type)?;
        let parent = BlockExt::parent(block).expect("blocks of a program are in operations");
        let argument = block.push_argument(r#type, parent.location());
        self.scope.change();
        Ok(Value::new(&self.scope, argument))
    }

    /// Erases the block with all in it, where nothing branches to it or uses a value of it.
    fn erase(&self) -> PyResult<()> {
        let block = self.get()?;
        if !block.predecessor_blocks().is_empty() {
            return Err(PyValueError::new_err("a block still branches here"));
        }
        let operations = block.operation_list().into_iter();
        let values = operations.flat_map(|operation| operation.result_values());
        let mut values = values.chain(block.argument_values());
        if values.any(|value| value.users().into_iter().any(|user| !is_in(user, block))) {
            return Err(PyValueError::new_err("a value of the block is still used"));
        }
        self.scope.erase_block(block);
        Ok(())
    }

    /// Makes an operation before another one, or at the end for None, with types and attributes in
    /// MLIR's notation, regions without blocks, and blocks that it branches to.
    #[pyo3(signature = (
        before, name, operands=Vec::new(), types=Vec::new(), attributes=HashMap::new(), regions=0,
        successors=Vec::new()
    ))]
    #[expect(
        clippy::too_many_arguments,
        reason = "Python passes them by their names"
    )]
    fn insert(
        &self,
        before: Option<&Operation>,
        name: &str,
        operands: Vec<PyRef<'_, Value>>,
        types: Vec<String>,
        attributes: HashMap<String, String>,
        regions: usize,
        successors: Vec<PyRef<'_, Block>>,
    ) -> PyResult<Operation> {
        let context = self.scope.context()?;
        let block = self.get()?;
        let place = before.map(|place| place.get_in(&self.scope)).transpose()?;
        if place.is_some_and(|place| place.parent_block() != Some(block)) {
            return Err(PyValueError::new_err("the operation isn't in this block"));
        }
        if !context.is_registered_operation(name) {
            return Err(PyValueError::new_err(format!(
                "there is no operation '{name}' here"
            )));
        }
        let operands = operands
            .iter()
            .map(|operand| operand.get_in(&self.scope))
            .collect::<PyResult<Vec<_>>>()?;
        let types = types
            .iter()
            .map(|text| parse_type(context, text))
            .collect::<PyResult<Vec<_>>>()?;
        let successors = successors
            .iter()
            .map(|block| {
                self.scope.check_same(&block.scope)?;
                block.get()
            })
            .collect::<PyResult<Vec<_>>>()?;
        let mut attributes = attributes
            .iter()
            .map(|(name, text)| Ok((name.as_str(), attribute(context, text)?)))
            .collect::<PyResult<Vec<_>>>()?;
        attributes.sort_by_key(|(name, _)| *name);
        let parent = BlockExt::parent(block).expect("blocks of a program are in operations");
        let builder = Builder::new(context, place.unwrap_or(parent));
        match place {
            Some(place) => builder.before(place),
            None => builder.at_end(block),
        };
        let bodies = (0..regions).map(|_| IrRegion::new()).collect::<Vec<_>>();
        let collector = Collector::new(context);
        let made = builder.op_with(name, &operands, &types, &attributes, |builder| {
            let mut builder = builder.add_regions_vec(bodies);
            for block in &successors {
                builder = builder.add_successors(&[block]);
            }
            builder
        });
        self.scope.made(made.to_raw().ptr as usize);
        // What has regions isn't whole yet, and a terminator isn't the last one.
        let is_valid = regions > 0 || made.is_terminator() || made.verify();
        let told = collector.finish();
        if !is_valid {
            let why = told.first().map_or("", |diagnostic| &diagnostic.message);
            self.scope.erase(made);
            return Err(PyValueError::new_err(why.to_owned()));
        }
        Ok(Operation::new(&self.scope, made))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let operations = self.operations()?.into_pyobject(py)?;
        Ok(operations.try_iter()?.into_any().unbind())
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

/// Whether an operation is in a block, at whatever depth.
fn is_in(operation: OperationRef, block: BlockRef) -> bool {
    let mut around = Some(operation);
    while let Some(one) = around {
        if one.parent_block() == Some(block) {
            return true;
        }
        around = OperationExt::parent(one);
    }
    false
}

/// A region of an operation: its blocks in order.
#[pyclass(unsendable, frozen, module = "pyopt.ir")]
pub struct Region {
    pub(super) parent: Operation,
    pub(super) index: usize,
}

#[pymethods]
impl Region {
    /// The operation that it is of.
    #[getter]
    fn parent(&self) -> Operation {
        self.parent.again()
    }

    /// The blocks, in order.
    #[getter]
    fn blocks(&self) -> PyResult<Vec<Block>> {
        let blocks = self.parent.get()?.region_at(self.index).block_list();
        let blocks = blocks.into_iter();
        Ok(blocks
            .map(|block| Block::new(self.parent.scope(), block))
            .collect())
    }

    /// Makes a block at the end, with arguments of types in MLIR's notation.
    #[pyo3(signature = (types=Vec::new()))]
    fn add_block(&self, types: Vec<String>) -> PyResult<Block> {
        let scope = self.parent.scope();
        let context = scope.context()?;
        let operation = self.parent.get()?;
        let types = types
            .iter()
            .map(|text| parse_type(context, text))
            .collect::<PyResult<Vec<_>>>()?;
        let builder = Builder::new(context, operation);
        let block = builder.append_block(operation.region_at(self.index), &types);
        scope.made(BlockLike::to_raw(&block).ptr as usize);
        Ok(Block::new(scope, block))
    }
}
