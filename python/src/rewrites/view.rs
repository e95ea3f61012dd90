//! A block of the program as Python sees it: a thin view that ends with the call it was made for.
//!
//! The objects hold addresses in the IR. Every access asks first whether the lease is still on, and
//! whether the operation has been erased.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use melior::Context;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, BlockLike, BlockRef, OperationRef, Type, Value as IrValue, ValueLike};
use mlir_sys::{MlirBlock, MlirOperation, MlirValue};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyopt_passes::infra::{BlockExt, Builder, OperationExt, SourcePosition, ValueExt};

/// What all views of one call share.
struct Scope {
    context: *const Context,
    block: MlirBlock,
    on: Cell<bool>,
    erased: RefCell<HashSet<usize>>,
}

/// The time for which a block may be looked at and changed. Its end is the end of all views.
pub(super) struct Lease(Rc<Scope>);

impl Lease {
    /// Begins.
    pub fn new(context: &Context, block: BlockRef) -> Self {
        Self(Rc::new(Scope {
            context,
            block: BlockLike::to_raw(&block),
            on: Cell::new(true),
            erased: RefCell::default(),
        }))
    }

    /// The view of the block.
    pub fn block(&self) -> Block {
        Block(Rc::clone(&self.0))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.on.set(false);
    }
}

impl Scope {
    fn check(&self) -> PyResult<()> {
        match self.on.get() {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err(
                "a rewrite's view of the program ends with the call it was made for",
            )),
        }
    }

    fn context(&self) -> PyResult<&Context> {
        self.check()?;
        // SAFETY: the lease is on, so the pass that made it is running with this context.
        Ok(unsafe { &*self.context })
    }

    fn block(&self) -> PyResult<BlockRef<'_, '_>> {
        self.check()?;
        // SAFETY: the lease is on, and views erase no blocks.
        Ok(unsafe { BlockRef::from_raw(self.block) })
    }

    fn operation(&self, raw: MlirOperation) -> PyResult<OperationRef<'_, '_>> {
        self.check()?;
        if self.erased.borrow().contains(&(raw.ptr as usize)) {
            return Err(PyRuntimeError::new_err("the operation has been erased"));
        }
        // SAFETY: the lease is on and the operation has not been erased by a view; nothing else
        // changes the program meanwhile.
        Ok(unsafe { OperationRef::from_raw(raw) })
    }
}

/// A block: its operations in order.
#[pyclass(unsendable, frozen, module = "pyopt.rewrites")]
pub struct Block(Rc<Scope>);

#[pymethods]
impl Block {
    /// The operations, in order.
    #[getter]
    fn operations(&self) -> PyResult<Vec<Operation>> {
        let operations = self.0.block()?.operation_list().into_iter();
        Ok(operations
            .map(|operation| Operation::new(&self.0, operation))
            .collect())
    }

    /// The arguments.
    #[getter]
    fn arguments(&self) -> PyResult<Vec<Value>> {
        let arguments = self.0.block()?.argument_values().into_iter();
        Ok(arguments
            .map(|argument| Value::new(&self.0, argument))
            .collect())
    }

    /// The operations of a name, in order.
    fn find(&self, name: &str) -> PyResult<Vec<Operation>> {
        let operations = self.0.block()?.operation_list().into_iter();
        let found = operations.filter(|operation| operation.is(name));
        Ok(found
            .map(|operation| Operation::new(&self.0, operation))
            .collect())
    }

    /// Makes an operation before another one, with types and attributes in MLIR's notation.
    #[pyo3(signature = (before, name, operands=Vec::new(), types=Vec::new(), attributes=HashMap::new()))]
    fn insert(
        &self,
        before: &Operation,
        name: &str,
        operands: Vec<PyRef<'_, Value>>,
        types: Vec<String>,
        attributes: HashMap<String, String>,
    ) -> PyResult<Operation> {
        let context = self.0.context()?;
        let place = before.get()?;
        if !context.is_registered_operation(name) {
            return Err(PyValueError::new_err(format!(
                "there is no operation '{name}' here"
            )));
        }
        let operands = operands
            .iter()
            .map(|operand| operand.get())
            .collect::<PyResult<Vec<_>>>()?;
        let types = types
            .iter()
            .map(|text| {
                Type::parse(context, text)
                    .ok_or_else(|| PyValueError::new_err(format!("'{text}' is no type")))
            })
            .collect::<PyResult<Vec<_>>>()?;
        let mut attributes = attributes
            .iter()
            .map(|(name, text)| Ok((name.as_str(), attribute(context, text)?)))
            .collect::<PyResult<Vec<_>>>()?;
        attributes.sort_by_key(|(name, _)| *name);
        let builder = Builder::new(context, place);
        let made = builder
            .before(place)
            .op(name, &operands, &types, &attributes);
        Ok(Operation::new(&self.0, made))
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let operations = self.operations()?.into_pyobject(py)?;
        Ok(operations.try_iter()?.into_any().unbind())
    }

    fn __str__(&self) -> PyResult<String> {
        Ok(self.0.block()?.to_string())
    }
}

fn attribute<'c>(context: &'c Context, text: &str) -> PyResult<Attribute<'c>> {
    Attribute::parse(context, text)
        .ok_or_else(|| PyValueError::new_err(format!("'{text}' is no attribute")))
}

/// An operation.
#[pyclass(unsendable, frozen, module = "pyopt.rewrites")]
pub struct Operation {
    scope: Rc<Scope>,
    raw: MlirOperation,
}

impl Operation {
    fn new(scope: &Rc<Scope>, operation: OperationRef) -> Self {
        Self {
            scope: Rc::clone(scope),
            raw: operation.to_raw(),
        }
    }

    fn get(&self) -> PyResult<OperationRef<'_, '_>> {
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

    /// An attribute in MLIR's notation; None where the operation hasn't it.
    fn attribute(&self, name: &str) -> PyResult<Option<String>> {
        Ok(self.get()?.attr(name).map(|value| value.to_string()))
    }

    /// Sets an attribute, given in MLIR's notation.
    fn set_attribute(&self, name: &str, text: &str) -> PyResult<()> {
        let operation = self.get()?;
        operation.set_attr(name, attribute(self.scope.context()?, text)?);
        Ok(())
    }

    /// Replaces an operand.
    fn set_operand(&self, index: usize, value: &Value) -> PyResult<()> {
        let operation = self.get()?;
        if index >= operation.operand_values().len() {
            return Err(PyIndexError::new_err("the operation has fewer operands"));
        }
        operation.set_operand_value(index, value.get()?);
        Ok(())
    }

    /// Replaces the operation by a value for each of its results, and erases it.
    fn replace(&self, values: Vec<PyRef<'_, Value>>) -> PyResult<()> {
        let operation = self.get()?;
        let values = values
            .iter()
            .map(|value| value.get())
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
        let operation = self.get()?;
        if !operation.is_unused() {
            return Err(PyValueError::new_err(
                "a result of the operation is still used",
            ));
        }
        let mut erased = self.scope.erased.borrow_mut();
        erased.extend(
            operation
                .pre_order()
                .iter()
                .map(|inner| inner.to_raw().ptr as usize),
        );
        operation.erase();
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

/// A value: a result of an operation or an argument of a block.
#[pyclass(unsendable, frozen, module = "pyopt.rewrites")]
pub struct Value {
    scope: Rc<Scope>,
    raw: MlirValue,
    /// The operation whose result it is.
    owner: Option<MlirOperation>,
}

impl Value {
    fn new(scope: &Rc<Scope>, value: IrValue) -> Self {
        Self {
            scope: Rc::clone(scope),
            raw: value.to_raw(),
            owner: value.defining_op().map(|operation| operation.to_raw()),
        }
    }

    fn get(&self) -> PyResult<IrValue<'_, '_>> {
        match self.owner {
            Some(owner) => drop(self.scope.operation(owner)?),
            None => self.scope.check()?,
        }
        // SAFETY: the lease is on, and the operation that defines the value is there; arguments of
        // blocks are never removed by a view.
        Ok(unsafe { IrValue::from_raw(self.raw) })
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

    fn __eq__(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }

    fn __hash__(&self) -> u64 {
        hash(self.raw.ptr as usize)
    }
}

fn hash(address: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    address.hash(&mut hasher);
    hasher.finish()
}
