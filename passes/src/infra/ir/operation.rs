//! Operations.

use super::{BlockExt, RegionExt, ValueExt};
use crate::infra::ffi::{
    pyoptGepSetWithinBounds, pyoptLookupSymbol, pyoptOperationIsPure, pyoptOperationIsTerminator,
    pyoptOperationIsTriviallyDead, raw_str,
};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, BlockRef, Location, Operation, OperationRef, RegionRef, Type,
        Value, ValueLike, block::BlockLike, operation::OperationLike,
    },
};
use mlir_sys::{
    mlirBlockAppendOwnedOperation, mlirBlockInsertOwnedOperation, mlirIdentifierStr,
    mlirOperationCreateParse, mlirOperationDestroy, mlirOperationGetName,
    mlirOperationIsBeforeInBlock, mlirOperationMoveAfter, mlirOperationMoveBefore,
    mlirOperationRemoveAttributeByName, mlirOperationRemoveFromParent,
    mlirOperationSetAttributeByName, mlirOperationSetLocation, mlirOperationSetOperand,
    mlirOperationSetOperands, mlirOperationSetSuccessor,
};
use pyopt_dialects::view::OpView;
use std::slice;

/// Reading and changing an operation.
pub trait OperationExt<'c: 'a, 'a>: Sized + Copy {
    /// The reference itself.
    fn as_ref(self) -> OperationRef<'c, 'a>;

    /// Returns the full name, such as `arith.addi`.
    fn full_name(self) -> &'c str {
        // SAFETY: identifiers live as long as their context, hold UTF-8 and are never empty.
        unsafe {
            let name = mlirIdentifierStr(mlirOperationGetName(self.as_ref().to_raw()));
            std::str::from_utf8_unchecked(slice::from_raw_parts(name.data.cast(), name.length))
        }
    }

    /// Returns the name of the operation's dialect.
    fn dialect(self) -> &'c str {
        self.full_name()
            .split_once('.')
            .map_or("builtin", |(dialect, _)| dialect)
    }

    /// Whether the operation has a name.
    fn is(self, name: &str) -> bool {
        self.full_name() == name
    }

    /// Whether the operation is of a kind.
    fn isa<T: OpView<'c, 'a>>(self) -> bool {
        T::is(self.as_ref())
    }

    /// Returns all operations of a kind inside, each before what it holds.
    fn nested_ops<T: OpView<'c, 'a>>(self) -> Vec<T> {
        self.pre_order().into_iter().filter_map(T::of).collect()
    }

    /// Returns the nearest operation of a kind around this one.
    fn ancestor<T: OpView<'c, 'a>>(self) -> Option<T> {
        let mut next = self.parent();
        while let Some(operation) = next {
            if let Some(found) = T::of(operation) {
                return Some(found);
            }
            next = operation.parent();
        }
        None
    }

    /// Returns all operands.
    fn operand_values(self) -> Vec<Value<'c, 'a>> {
        OperationLike::operands(&self.as_ref()).collect()
    }

    /// Returns all results.
    fn result_values(self) -> Vec<Value<'c, 'a>> {
        OperationLike::results(&self.as_ref())
            .map(Into::into)
            .collect()
    }

    /// Returns the types of all results.
    fn result_types(self) -> Vec<Type<'c>> {
        OperationLike::results(&self.as_ref())
            .map(|result| result.r#type())
            .collect()
    }

    /// Returns an operand.
    ///
    /// # Panics
    ///
    /// When there is none at `index`.
    fn operand_value(self, index: usize) -> Value<'c, 'a> {
        OperationLike::operand(&self.as_ref(), index)
            .unwrap_or_else(|_| panic!("'{}' has no operand {index}", self.full_name()))
    }

    /// Returns a result.
    ///
    /// # Panics
    ///
    /// When there is none at `index`.
    fn result_value(self, index: usize) -> Value<'c, 'a> {
        OperationLike::result(&self.as_ref(), index)
            .unwrap_or_else(|_| panic!("'{}' has no result {index}", self.full_name()))
            .into()
    }

    /// Returns a region.
    ///
    /// # Panics
    ///
    /// When there is none at `index`.
    fn region_at(self, index: usize) -> RegionRef<'c, 'a> {
        OperationLike::region(&self.as_ref(), index)
            .unwrap_or_else(|_| panic!("'{}' has no region {index}", self.full_name()))
    }

    /// Returns all regions.
    fn region_list(self) -> Vec<RegionRef<'c, 'a>> {
        OperationLike::regions(&self.as_ref()).collect()
    }

    /// Returns all successors.
    fn successor_blocks(self) -> Vec<BlockRef<'c, 'a>> {
        OperationLike::successors(&self.as_ref()).collect()
    }

    /// Returns the block the operation is in.
    fn parent_block(self) -> Option<BlockRef<'c, 'a>> {
        OperationLike::block(&self.as_ref())
    }

    /// Returns the operation around this one.
    fn parent(self) -> Option<OperationRef<'c, 'a>> {
        OperationLike::parent_operation(&self.as_ref())
    }

    /// Returns the nearest operation of a name around this one.
    fn parent_named(self, name: &str) -> Option<OperationRef<'c, 'a>> {
        let mut next = self.parent();
        while let Some(operation) = next {
            if operation.is(name) {
                return Some(operation);
            }
            next = operation.parent();
        }
        None
    }

    /// Whether the operation stands before another one of its block.
    fn is_before(self, other: OperationRef<'c, 'a>) -> bool {
        assert!(
            self.parent_block() == other.parent_block(),
            "only operations of one block have an order"
        );
        // SAFETY: both are valid and in one block.
        unsafe { mlirOperationIsBeforeInBlock(self.as_ref().to_raw(), other.to_raw()) }
    }

    /// Whether the operation is `ancestor` or anywhere inside of it.
    fn is_within(self, ancestor: OperationRef<'c, 'a>) -> bool {
        let mut next = Some(self.as_ref());
        while let Some(operation) = next {
            if operation == ancestor {
                return true;
            }
            next = operation.parent();
        }
        false
    }

    /// Returns the operation and all inside of it, each before what it holds.
    fn pre_order(self) -> Vec<OperationRef<'c, 'a>> {
        fn visit<'c: 'a, 'a>(
            operation: OperationRef<'c, 'a>,
            found: &mut Vec<OperationRef<'c, 'a>>,
        ) {
            found.push(operation);
            for block in operation.nested_blocks() {
                for operation in block.operation_list() {
                    visit(operation, found);
                }
            }
        }
        let mut found = Vec::new();
        visit(self.as_ref(), &mut found);
        found
    }

    /// Returns the operation and all inside of it, each after what it holds.
    fn post_order(self) -> Vec<OperationRef<'c, 'a>> {
        fn visit<'c: 'a, 'a>(
            operation: OperationRef<'c, 'a>,
            found: &mut Vec<OperationRef<'c, 'a>>,
        ) {
            for block in operation.nested_blocks() {
                for operation in block.operation_list() {
                    visit(operation, found);
                }
            }
            found.push(operation);
        }
        let mut found = Vec::new();
        visit(self.as_ref(), &mut found);
        found
    }

    /// Returns all regions, those of operations inside before the ones around them.
    fn nested_regions(self) -> Vec<RegionRef<'c, 'a>> {
        let operations = self.post_order().into_iter();
        operations.flat_map(OperationExt::region_list).collect()
    }

    /// Returns all operations of a name inside, each before what it holds.
    fn nested(self, name: &str) -> Vec<OperationRef<'c, 'a>> {
        let mut found = self.pre_order();
        found.retain(|operation| operation.is(name));
        found
    }

    /// Returns the blocks of all regions, not those further inside.
    fn nested_blocks(self) -> Vec<BlockRef<'c, 'a>> {
        OperationLike::regions(&self.as_ref())
            .flat_map(|region| region.block_list())
            .collect()
    }

    /// Whether nobody uses a result.
    fn is_unused(self) -> bool {
        self.result_values().iter().all(|result| !result.has_uses())
    }

    /// Whether the operation does nothing but compute results that nobody uses.
    fn is_trivially_dead(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { pyoptOperationIsTriviallyDead(self.as_ref().to_raw()) }
    }

    /// Whether the operation has no effects and may be executed speculatively.
    fn is_pure(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { pyoptOperationIsPure(self.as_ref().to_raw()) }
    }

    /// Says of an `llvm.getelementptr` that it stays within what its base points to and doesn't go
    /// below it.
    ///
    /// # Panics
    ///
    /// When it is another operation.
    fn set_within_bounds(self) {
        assert!(self.is("llvm.getelementptr"), "only addresses have bounds");
        // SAFETY: the operation is valid, and of the kind that is asked for.
        unsafe { pyoptGepSetWithinBounds(self.as_ref().to_raw()) }
    }

    /// Whether the operation ends blocks.
    fn is_terminator(self) -> bool {
        // SAFETY: the operation is valid.
        unsafe { pyoptOperationIsTerminator(self.as_ref().to_raw()) }
    }

    /// Finds the symbol `name`, in the nearest symbol table around.
    fn lookup_symbol(self, name: &str) -> Option<OperationRef<'c, 'a>> {
        // SAFETY: the operation is valid; the result is in the same IR or null.
        unsafe {
            OperationRef::from_option_raw(pyoptLookupSymbol(self.as_ref().to_raw(), raw_str(name)))
        }
    }

    /// Sets an attribute, inherent or not.
    fn set_attr(self, name: &str, attribute: impl AttributeLike<'c>) {
        // SAFETY: operation and attribute are valid.
        unsafe {
            mlirOperationSetAttributeByName(
                self.as_ref().to_raw(),
                raw_str(name),
                attribute.to_raw(),
            )
        }
    }

    /// Removes an attribute; whether there was one.
    fn remove_attr(self, name: &str) -> bool {
        // SAFETY: the operation is valid.
        unsafe { mlirOperationRemoveAttributeByName(self.as_ref().to_raw(), raw_str(name)) }
    }

    /// Returns an attribute that may be missing.
    fn attr(self, name: &str) -> Option<Attribute<'c>> {
        OperationLike::attribute(&self.as_ref(), name).ok()
    }

    /// Replaces an operand.
    fn set_operand_value(self, index: usize, value: Value<'c, '_>) {
        assert!(
            index < OperationLike::operand_count(&self.as_ref()),
            "'{}' has no operand {index}",
            self.full_name()
        );
        // SAFETY: operation and value are valid and the index exists.
        unsafe { mlirOperationSetOperand(self.as_ref().to_raw(), index as isize, value.to_raw()) }
    }

    /// Replaces all operands.
    fn set_operand_values(self, values: &[Value<'c, '_>]) {
        // SAFETY: operation and values are valid; a value is a transparent pointer.
        unsafe {
            mlirOperationSetOperands(
                self.as_ref().to_raw(),
                values.len() as isize,
                values.as_ptr().cast(),
            )
        }
    }

    /// Replaces a successor, keeping its operands.
    fn set_successor_block(self, index: usize, block: BlockRef<'c, 'a>) {
        // SAFETY: operation and block are valid.
        unsafe {
            mlirOperationSetSuccessor(
                self.as_ref().to_raw(),
                index as isize,
                BlockLike::to_raw(&block),
            )
        }
    }

    /// Replaces the location.
    fn relocate(self, location: Location<'c>) {
        // SAFETY: operation and location are valid.
        unsafe { mlirOperationSetLocation(self.as_ref().to_raw(), location.to_raw()) }
    }

    /// Moves the operation before another.
    fn place_before(self, other: OperationRef<'c, 'a>) {
        // SAFETY: both are valid.
        unsafe { mlirOperationMoveBefore(self.as_ref().to_raw(), other.to_raw()) }
    }

    /// Moves the operation behind another.
    fn place_after(self, other: OperationRef<'c, 'a>) {
        // SAFETY: both are valid.
        unsafe { mlirOperationMoveAfter(self.as_ref().to_raw(), other.to_raw()) }
    }

    /// Moves the operation to the end of a block.
    fn place_at_end(self, block: BlockRef<'c, 'a>) {
        // SAFETY: both are valid and the operation is detached before it is appended.
        unsafe {
            mlirOperationRemoveFromParent(self.as_ref().to_raw());
            mlirBlockAppendOwnedOperation(BlockLike::to_raw(&block), self.as_ref().to_raw());
        }
    }

    /// Moves the operation to the start of a block.
    fn place_at_start(self, block: BlockRef<'c, 'a>) {
        // SAFETY: both are valid and the operation is detached before it is inserted.
        unsafe {
            mlirOperationRemoveFromParent(self.as_ref().to_raw());
            mlirBlockInsertOwnedOperation(BlockLike::to_raw(&block), 0, self.as_ref().to_raw());
        }
    }

    /// Replaces the uses of every result.
    ///
    /// # Panics
    ///
    /// When there aren't as many values as results.
    fn replace_results(self, values: &[Value<'c, 'a>]) {
        let results = self.result_values();
        assert_eq!(
            results.len(),
            values.len(),
            "'{}' needs as many replacements as it has results",
            self.full_name()
        );
        for (result, value) in results.into_iter().zip(values) {
            result.replace_all_uses(*value);
        }
    }

    /// Removes and destroys the operation. Nothing may use its results, or refer to it later.
    ///
    /// # Panics
    ///
    /// When something uses a result.
    fn erase(self) {
        assert!(
            self.is_unused(),
            "'{}' is erased but its results are used",
            self.full_name()
        );
        // SAFETY: nothing uses the results, so nothing refers to freed memory afterwards.
        unsafe { mlirOperationDestroy(self.as_ref().to_raw()) }
    }
}

impl<'c: 'a, 'a> OperationExt<'c, 'a> for OperationRef<'c, 'a> {
    fn as_ref(self) -> OperationRef<'c, 'a> {
        self
    }
}

/// Parses one operation, in assembly or bytecode. `name` is the file of its locations. None, and
/// diagnostics, when it isn't well-formed.
pub fn parse_operation<'c>(
    context: &'c Context,
    source: &str,
    name: &str,
) -> Option<Operation<'c>> {
    // SAFETY: context and texts live through the call; the operation is ours, and verified.
    unsafe {
        let raw = mlirOperationCreateParse(context.to_raw(), raw_str(source), raw_str(name));
        (!raw.ptr.is_null()).then(|| Operation::from_raw(raw))
    }
}
