//! For how long Python may look at the program, and at which part of it.
//!
//! The objects that Python gets hold addresses in the IR. Every access asks first whether the lease is
//! still on, and whether what it is about has been erased.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use melior::Context;
use melior::ir::{Attribute, BlockLike, BlockRef, OperationRef, Type};
use mlir_sys::{MlirBlock, MlirOperation};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyopt_passes::infra::{BlockExt, OperationExt};

use super::{Block, Operation};

/// What all views of one call share.
pub(super) struct Scope {
    context: *const Context,
    /// The operation with all that may be changed.
    root: MlirOperation,
    on: Cell<bool>,
    changed: Cell<bool>,
    /// The addresses of operations and blocks that views have erased.
    erased: RefCell<HashSet<usize>>,
}

/// The time for which an operation may be looked at and changed. Its end is the end of all views.
pub(super) struct Lease(Rc<Scope>);

impl Lease {
    /// Begins.
    pub fn new(context: &Context, root: OperationRef) -> Self {
        Self(Rc::new(Scope {
            context,
            root: root.to_raw(),
            on: Cell::new(true),
            changed: Cell::new(false),
            erased: RefCell::default(),
        }))
    }

    /// The view of the operation.
    pub fn root(&self) -> Operation {
        Operation::of_raw(&self.0, self.0.root)
    }

    /// The view of a block in it.
    pub fn block(&self, block: BlockRef) -> Block {
        Block::new(&self.0, block)
    }

    /// Ends, and says whether anything was changed.
    pub fn end(self) -> bool {
        self.0.changed.get()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.0.on.set(false);
    }
}

impl Scope {
    pub(super) fn check(&self) -> PyResult<()> {
        match self.on.get() {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err(
                "a rewrite's view of the program ends with the call it was made for",
            )),
        }
    }

    pub(super) fn context(&self) -> PyResult<&Context> {
        self.check()?;
        // SAFETY: the lease is on, so the pass that made it is running with this context.
        Ok(unsafe { &*self.context })
    }

    pub(super) fn block(&self, raw: MlirBlock) -> PyResult<BlockRef<'_, '_>> {
        self.check()?;
        if self.erased.borrow().contains(&(raw.ptr as usize)) {
            return Err(PyRuntimeError::new_err("the block has been erased"));
        }
        // SAFETY: the lease is on and the block has not been erased by a view.
        Ok(unsafe { BlockRef::from_raw(raw) })
    }

    pub(super) fn operation(&self, raw: MlirOperation) -> PyResult<OperationRef<'_, '_>> {
        self.check()?;
        if self.erased.borrow().contains(&(raw.ptr as usize)) {
            return Err(PyRuntimeError::new_err("the operation has been erased"));
        }
        // SAFETY: the lease is on and the operation has not been erased by a view; nothing else
        // changes the program meanwhile.
        Ok(unsafe { OperationRef::from_raw(raw) })
    }

    /// Whether an operation is what the views are of: there is nothing around it.
    pub(super) fn is_root(&self, operation: OperationRef) -> bool {
        operation.to_raw().ptr == self.root.ptr
    }

    /// Fails for what must stay as it is: the root itself.
    pub(super) fn check_inside(&self, operation: OperationRef) -> PyResult<()> {
        match self.is_root(operation) {
            true => Err(PyValueError::new_err(format!(
                "'{}' is what the pass runs on: only what is in it can be changed",
                operation.full_name()
            ))),
            false => Ok(()),
        }
    }

    /// Fails for what a view of another call has.
    pub(super) fn check_same(self: &Rc<Self>, other: &Rc<Self>) -> PyResult<()> {
        match Rc::ptr_eq(self, other) {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err("the value is of another program")),
        }
    }

    /// Takes note of a change.
    pub(super) fn change(&self) {
        self.changed.set(true);
    }

    /// Takes note of new operations or blocks, which may be where others were.
    pub(super) fn made(&self, address: usize) {
        self.erased.borrow_mut().remove(&address);
        self.change();
    }

    /// Erases an operation, with all in it, that nothing uses.
    pub(super) fn erase(&self, operation: OperationRef) {
        self.forget(operation);
        operation.erase();
        self.change();
    }

    /// Erases a block, with all in it, that nothing else uses.
    pub(super) fn erase_block(&self, block: BlockRef) {
        for operation in block.operation_list() {
            self.forget(operation);
        }
        let mut erased = self.erased.borrow_mut();
        erased.insert(BlockLike::to_raw(&block).ptr as usize);
        BlockExt::erase(block);
        self.change();
    }

    /// Takes note that an operation and all in it goes.
    fn forget(&self, operation: OperationRef) {
        let mut erased = self.erased.borrow_mut();
        for inner in operation.pre_order() {
            erased.insert(inner.to_raw().ptr as usize);
            let blocks = inner.nested_blocks().into_iter();
            erased.extend(blocks.map(|block| BlockLike::to_raw(&block).ptr as usize));
        }
    }
}

/// Reads an attribute in MLIR's notation.
pub(super) fn attribute<'c>(context: &'c Context, text: &str) -> PyResult<Attribute<'c>> {
    Attribute::parse(context, text)
        .ok_or_else(|| PyValueError::new_err(format!("'{text}' is no attribute")))
}

/// Reads a type in MLIR's notation.
pub(super) fn parse_type<'c>(context: &'c Context, text: &str) -> PyResult<Type<'c>> {
    Type::parse(context, text).ok_or_else(|| PyValueError::new_err(format!("'{text}' is no type")))
}

/// The hash of something by its address.
pub(super) fn hash(address: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    address.hash(&mut hasher);
    hasher.finish()
}
