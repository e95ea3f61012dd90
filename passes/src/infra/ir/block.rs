//! Blocks and regions.

use super::OperationExt;
use melior::ir::{
    BlockRef, Location, OperationRef, RegionLike, RegionRef, Type, Value, block::BlockLike,
};
use mlir_sys::{
    mlirBlockAddArgument, mlirBlockDestroy, mlirBlockDetach, mlirBlockEraseArgument,
    mlirRegionTakeBody,
};

/// Reading and changing a block.
pub trait BlockExt<'c: 'a, 'a>: Sized + Copy {
    /// The reference itself.
    fn as_ref(self) -> BlockRef<'c, 'a>;

    /// Returns all operations.
    fn operation_list(self) -> Vec<OperationRef<'c, 'a>> {
        let mut list = Vec::new();
        let mut next = BlockLike::first_operation(&self.as_ref());
        while let Some(operation) = next {
            list.push(operation);
            next = melior::ir::operation::OperationLike::next_in_block(&operation);
        }
        list
    }

    /// Returns the first operation.
    fn first(self) -> Option<OperationRef<'c, 'a>> {
        BlockLike::first_operation(&self.as_ref())
    }

    /// Returns the terminator, if the block ends with one.
    fn terminator_op(self) -> Option<OperationRef<'c, 'a>> {
        BlockLike::terminator(&self.as_ref())
    }

    /// Returns all arguments.
    fn argument_values(self) -> Vec<Value<'c, 'a>> {
        let block = self.as_ref();
        (0..BlockLike::argument_count(&block))
            .map(|index| self.argument_value(index))
            .collect()
    }

    /// Returns an argument.
    ///
    /// # Panics
    ///
    /// When there is none at `index`.
    fn argument_value(self, index: usize) -> Value<'c, 'a> {
        BlockLike::argument(&self.as_ref(), index)
            .unwrap_or_else(|_| panic!("the block has no argument {index}"))
            .into()
    }

    /// Adds an argument at the end.
    fn push_argument(self, r#type: Type<'c>, location: Location<'c>) -> Value<'c, 'a> {
        use melior::ir::TypeLike;
        // SAFETY: all are valid.
        unsafe {
            Value::from_raw(mlirBlockAddArgument(
                BlockLike::to_raw(&self.as_ref()),
                r#type.to_raw(),
                location.to_raw(),
            ))
        }
    }

    /// Removes an argument that nobody uses. The operands of branches stay as they are.
    fn remove_argument(self, index: usize) {
        // SAFETY: the block is valid; MLIR checks the index.
        unsafe { mlirBlockEraseArgument(BlockLike::to_raw(&self.as_ref()), index as u32) }
    }

    /// Returns the blocks that branch here, one entry for each terminator that does.
    fn predecessor_blocks(self) -> Vec<BlockRef<'c, 'a>> {
        let block = self.as_ref();
        (0..BlockLike::predecessor_count(&block))
            .filter_map(|index| BlockLike::predecessor(&block, index).ok())
            .collect()
    }

    /// Returns the blocks the terminator may go to.
    fn successor_list(self) -> Vec<BlockRef<'c, 'a>> {
        self.terminator_op()
            .map(OperationExt::successor_blocks)
            .unwrap_or_default()
    }

    /// Returns the region the block is in.
    fn region(self) -> Option<RegionRef<'c, 'a>> {
        BlockLike::parent_region(&self.as_ref())
    }

    /// Returns the operation around the block.
    fn parent(self) -> Option<OperationRef<'c, 'a>> {
        BlockLike::parent_operation(&self.as_ref())
    }

    /// Removes and destroys the block with all operations. Nothing outside may use what they
    /// define or branch here.
    fn erase(self) {
        // SAFETY: the block is valid; uses inside of it are gone before what they use is, because
        // operations are erased from the end.
        unsafe {
            for operation in self.operation_list().into_iter().rev() {
                mlir_sys::mlirOperationDestroy(operation.to_raw());
            }
            let block = BlockLike::to_raw(&self.as_ref());
            mlirBlockDetach(block);
            mlirBlockDestroy(block);
        }
    }
}

impl<'c: 'a, 'a> BlockExt<'c, 'a> for BlockRef<'c, 'a> {
    fn as_ref(self) -> BlockRef<'c, 'a> {
        self
    }
}

/// Reading and changing a region.
pub trait RegionExt<'c: 'a, 'a>: Sized + Copy {
    /// The reference itself.
    fn as_ref(self) -> RegionRef<'c, 'a>;

    /// Returns all blocks.
    fn block_list(self) -> Vec<BlockRef<'c, 'a>> {
        let mut list = Vec::new();
        let mut next = self.entry();
        while let Some(block) = next {
            list.push(block);
            next = BlockLike::next_in_region(&block);
        }
        list
    }

    /// Returns the first block.
    fn entry(self) -> Option<BlockRef<'c, 'a>> {
        RegionLike::first_block(&self.as_ref())
    }

    /// Whether the region has no blocks.
    fn is_empty(self) -> bool {
        self.entry().is_none()
    }

    /// Drops all blocks and takes over those of another region.
    fn take_body(self, other: RegionRef<'c, 'a>) {
        // SAFETY: both regions are valid.
        unsafe {
            mlirRegionTakeBody(
                RegionLike::to_raw(&self.as_ref()),
                RegionLike::to_raw(&other),
            )
        }
    }
}

impl<'c: 'a, 'a> RegionExt<'c, 'a> for RegionRef<'c, 'a> {
    fn as_ref(self) -> RegionRef<'c, 'a> {
        self
    }
}
