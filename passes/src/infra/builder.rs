//! Making and rewriting operations.

mod arith;

pub use self::arith::{CmpFloat, CmpInt};

use super::{
    ffi::{
        pyoptRewriterAppendBlock, pyoptRewriterClone, pyoptRewriterCloneRegion,
        pyoptRewriterMoveRegion, pyoptRewriterSplitBlock,
    },
    ir::OperationExt,
};
use melior::{
    Context,
    ir::{
        Attribute, BlockRef, Identifier, Location, Operation, OperationRef, RegionLike, RegionRef,
        Type, TypeLike, Value, ValueLike,
        block::BlockLike,
        operation::{OperationBuilder, OperationLike},
    },
};
use mlir_sys::{
    MlirRewriterBase, mlirIRRewriterCreate, mlirIRRewriterDestroy, mlirRewriterBaseEraseBlock,
    mlirRewriterBaseEraseOp, mlirRewriterBaseFinalizeOpModification, mlirRewriterBaseGetBlock,
    mlirRewriterBaseInlineBlockBefore, mlirRewriterBaseInsert, mlirRewriterBaseMergeBlocks,
    mlirRewriterBaseMoveOpAfter, mlirRewriterBaseMoveOpBefore, mlirRewriterBaseReplaceOpWithValues,
    mlirRewriterBaseSetInsertionPointAfter, mlirRewriterBaseSetInsertionPointBefore,
    mlirRewriterBaseSetInsertionPointToEnd, mlirRewriterBaseSetInsertionPointToStart,
    mlirRewriterBaseStartOpModification,
};
use pyopt_dialects::view::OpBuilder;
use std::{cell::Cell, marker::PhantomData};

/// An insertion point, and the location that new operations get.
///
/// Passes that walk the IR make their own ([`Builder::new`]); conversion patterns get one, which
/// also notifies the driver of every change. All rewriting of a pattern must go through it.
#[derive(Debug)]
pub struct Builder<'c, 'a> {
    raw: MlirRewriterBase,
    owned: bool,
    context: &'c Context,
    location: Cell<Location<'c>>,
    ir: PhantomData<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// Makes a builder for the IR in `root`, without an insertion point and with the location of
    /// `root`.
    pub fn new(context: &'c Context, root: OperationRef<'c, 'a>) -> Self {
        Self {
            // SAFETY: the context is valid.
            raw: unsafe { mlirIRRewriterCreate(context.to_raw()) },
            owned: true,
            context,
            location: Cell::new(root.location()),
            ir: PhantomData,
        }
    }

    /// Wraps a rewriter that belongs to somebody else.
    ///
    /// # Safety
    ///
    /// `raw` must be a live `RewriterBase` and outlive the builder.
    pub(super) unsafe fn from_raw(
        raw: MlirRewriterBase,
        context: &'c Context,
        location: Location<'c>,
    ) -> Self {
        Self {
            raw,
            owned: false,
            context,
            location: Cell::new(location),
            ir: PhantomData,
        }
    }

    /// Returns the MLIR context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// Returns the location that operations get.
    pub fn location(&self) -> Location<'c> {
        self.location.get()
    }

    /// Sets the location that operations get from now on.
    pub fn at(&self, location: Location<'c>) -> &Self {
        self.location.set(location);
        self
    }

    /// Sets the insertion point before an operation and takes over its location.
    pub fn before(&self, operation: OperationRef<'c, 'a>) -> &Self {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseSetInsertionPointBefore(self.raw, operation.to_raw()) };
        self.at(operation.location())
    }

    /// Sets the insertion point after an operation and takes over its location.
    pub fn after(&self, operation: OperationRef<'c, 'a>) -> &Self {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseSetInsertionPointAfter(self.raw, operation.to_raw()) };
        self.at(operation.location())
    }

    /// Sets the insertion point to the start of a block.
    pub fn at_start(&self, block: BlockRef<'c, 'a>) -> &Self {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseSetInsertionPointToStart(self.raw, BlockLike::to_raw(&block)) };
        self
    }

    /// Goes to the end of a block.
    pub fn at_end(&self, block: BlockRef<'c, 'a>) -> &Self {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseSetInsertionPointToEnd(self.raw, BlockLike::to_raw(&block)) };
        self
    }

    /// Returns the block of the insertion point.
    pub fn block(&self) -> BlockRef<'c, 'a> {
        // SAFETY: the rewriter is valid; the block is part of the IR.
        unsafe { BlockRef::from_raw(mlirRewriterBaseGetBlock(self.raw)) }
    }

    /// Inserts an operation, such as one made by a generated builder.
    pub fn insert(&self, operation: impl Into<Operation<'c>>) -> OperationRef<'c, 'a> {
        // SAFETY: the IR takes the operation over.
        unsafe {
            OperationRef::from_raw(mlirRewriterBaseInsert(
                self.raw,
                operation.into().into_raw(),
            ))
        }
    }

    /// Makes an operation without regions and successors.
    ///
    /// # Panics
    ///
    /// When no loaded dialect has the operation: it isn't among the pass's dialects.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationRef<'c, 'a> {
        self.insert(self.detached(name, operands, results, attributes, |builder| builder))
    }

    /// Makes an operation with one result and returns that.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Value<'c, 'a> {
        self.op(name, operands, &[result], attributes)
            .result_value(0)
    }

    /// Makes an operation; `finish` adds regions and successors.
    ///
    /// # Panics
    ///
    /// As [`Builder::op`].
    pub fn op_with(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        finish: impl FnOnce(OperationBuilder<'c>) -> OperationBuilder<'c>,
    ) -> OperationRef<'c, 'a> {
        self.insert(self.detached(name, operands, results, attributes, finish))
    }

    fn detached(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        finish: impl FnOnce(OperationBuilder<'c>) -> OperationBuilder<'c>,
    ) -> Operation<'c> {
        // MLIR ends the process otherwise.
        assert!(
            self.context.is_registered_operation(name),
            "no loaded dialect has an operation '{name}'"
        );
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, attribute)| (Identifier::new(self.context, name), *attribute))
            .collect();
        let builder = OperationBuilder::new(name, self.location())
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes);
        finish(builder)
            .build()
            .expect("operations with given types can be made")
    }

    /// Clones an operation with its regions; a use of the first of a pair becomes one of the
    /// second.
    pub fn clone_op(
        &self,
        operation: OperationRef<'c, 'a>,
        mapping: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) -> OperationRef<'c, 'a> {
        let (from, to) = raw_mapping(mapping);
        // SAFETY: all are valid and the arrays have the given length.
        unsafe {
            OperationRef::from_raw(pyoptRewriterClone(
                self.raw,
                operation.to_raw(),
                mapping.len() as isize,
                from.as_ptr(),
                to.as_ptr(),
            ))
        }
    }

    /// Clones all blocks of a region to the end of another.
    pub fn clone_region(
        &self,
        source: RegionRef<'c, 'a>,
        target: RegionRef<'c, 'a>,
        mapping: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) {
        let (from, to) = raw_mapping(mapping);
        // SAFETY: all are valid and the arrays have the given length.
        unsafe {
            pyoptRewriterCloneRegion(
                self.raw,
                source.to_raw(),
                target.to_raw(),
                mapping.len() as isize,
                from.as_ptr(),
                to.as_ptr(),
            )
        }
    }

    /// Moves all blocks of a region to the end of another.
    pub fn move_region(&self, source: RegionRef<'c, 'a>, target: RegionRef<'c, 'a>) {
        // SAFETY: all are valid.
        unsafe { pyoptRewriterMoveRegion(self.raw, source.to_raw(), target.to_raw()) }
    }

    /// Makes a block at the end of a region and goes there. Its arguments get the current
    /// location.
    pub fn append_block(
        &self,
        region: RegionRef<'c, 'a>,
        arguments: &[Type<'c>],
    ) -> BlockRef<'c, 'a> {
        let types: Vec<_> = arguments.iter().map(Type::to_raw).collect();
        let locations = vec![self.location().to_raw(); arguments.len()];
        // SAFETY: all are valid and the arrays have the given length.
        unsafe {
            BlockRef::from_raw(pyoptRewriterAppendBlock(
                self.raw,
                region.to_raw(),
                arguments.len() as isize,
                types.as_ptr(),
                locations.as_ptr(),
            ))
        }
    }

    /// Moves an operation and what follows it to a new block behind its own.
    pub fn split_block(&self, before: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
        // SAFETY: the operation is in a block.
        unsafe { BlockRef::from_raw(pyoptRewriterSplitBlock(self.raw, before.to_raw())) }
    }

    /// Moves the operations of a block before another operation and erases the block. Values take
    /// its arguments' places.
    pub fn inline_block(
        &self,
        source: BlockRef<'c, 'a>,
        before: OperationRef<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) {
        // SAFETY: all are valid; a value is a transparent pointer.
        unsafe {
            mlirRewriterBaseInlineBlockBefore(
                self.raw,
                BlockLike::to_raw(&source),
                before.to_raw(),
                arguments.len() as isize,
                arguments.as_ptr().cast(),
            )
        }
    }

    /// Moves the operations of a block to the end of another and erases the block. Values take its
    /// arguments' places.
    pub fn merge_blocks(
        &self,
        source: BlockRef<'c, 'a>,
        target: BlockRef<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) {
        // SAFETY: all are valid; a value is a transparent pointer.
        unsafe {
            mlirRewriterBaseMergeBlocks(
                self.raw,
                BlockLike::to_raw(&source),
                BlockLike::to_raw(&target),
                arguments.len() as isize,
                arguments.as_ptr().cast(),
            )
        }
    }

    /// Replaces an operation by one value for each result.
    ///
    /// # Panics
    ///
    /// When there aren't as many values as results.
    pub fn replace_op(&self, operation: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) {
        assert_eq!(
            operation.result_count(),
            values.len(),
            "'{}' needs as many replacements as it has results",
            operation.full_name()
        );
        // SAFETY: all are valid; a value is a transparent pointer.
        unsafe {
            mlirRewriterBaseReplaceOpWithValues(
                self.raw,
                operation.to_raw(),
                values.len() as isize,
                values.as_ptr().cast(),
            )
        }
    }

    /// Erases an operation that nobody uses.
    pub fn erase_op(&self, operation: OperationRef<'c, 'a>) {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseEraseOp(self.raw, operation.to_raw()) }
    }

    /// Erases a block that nobody branches to.
    pub fn erase_block(&self, block: BlockRef<'c, 'a>) {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseEraseBlock(self.raw, BlockLike::to_raw(&block)) }
    }

    /// Moves an operation before another.
    pub fn move_before(&self, operation: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) {
        // SAFETY: all are valid.
        unsafe { mlirRewriterBaseMoveOpBefore(self.raw, operation.to_raw(), other.to_raw()) }
    }

    /// Moves an operation behind another.
    pub fn move_after(&self, operation: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) {
        // SAFETY: all are valid.
        unsafe { mlirRewriterBaseMoveOpAfter(self.raw, operation.to_raw(), other.to_raw()) }
    }

    /// Changes an operation's attributes or operands in place.
    pub fn modify(&self, operation: OperationRef<'c, 'a>, change: impl FnOnce()) {
        // SAFETY: both are valid.
        unsafe { mlirRewriterBaseStartOpModification(self.raw, operation.to_raw()) };
        change();
        // SAFETY: as above.
        unsafe { mlirRewriterBaseFinalizeOpModification(self.raw, operation.to_raw()) };
    }
}

impl<'c: 'a, 'a> OpBuilder<'c, 'a> for Builder<'c, 'a> {
    fn context(&self) -> &'c Context {
        self.context
    }

    fn location(&self) -> Location<'c> {
        self.location.get()
    }

    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        Builder::insert(self, operation)
    }
}

impl Drop for Builder<'_, '_> {
    fn drop(&mut self) {
        if self.owned {
            // SAFETY: `new` created it.
            unsafe { mlirIRRewriterDestroy(self.raw) }
        }
    }
}

fn raw_mapping(mapping: &[(Value, Value)]) -> (Vec<mlir_sys::MlirValue>, Vec<mlir_sys::MlirValue>) {
    mapping
        .iter()
        .map(|(from, to)| (from.to_raw(), to.to_raw()))
        .unzip()
}
