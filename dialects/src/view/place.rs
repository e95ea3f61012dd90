//! Where operations are made that no rewriter knows of.

use super::OpBuilder;
use melior::{
    Context,
    ir::{BlockLike, BlockRef, Location, Operation, OperationRef, operation::OperationLike},
};
use std::cell::OnceCell;

/// The start or the end of a block.
#[derive(Clone, Copy)]
pub struct Place<'c, 'a> {
    context: &'c Context,
    block: BlockRef<'c, 'a>,
    location: Location<'c>,
    is_start: bool,
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    /// The start of a block: a later operation stands before an earlier one.
    pub fn start(
        context: &'c Context,
        block: &impl BlockLike<'c, 'a>,
        location: Location<'c>,
    ) -> Self {
        Self {
            is_start: true,
            ..Self::end(context, block, location)
        }
    }

    /// The end of a block.
    pub fn end(
        context: &'c Context,
        block: &impl BlockLike<'c, 'a>,
        location: Location<'c>,
    ) -> Self {
        Self {
            context,
            // SAFETY: the block is valid.
            block: unsafe { BlockRef::from_raw(block.to_raw()) },
            location,
            is_start: false,
        }
    }
}

impl<'c: 'a, 'a> OpBuilder<'c, 'a> for Place<'c, 'a> {
    fn context(&self) -> &'c Context {
        self.context
    }

    fn location(&self) -> Location<'c> {
        self.location
    }

    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        match self.is_start {
            true => self.block.insert_operation(0, operation),
            false => self.block.append_operation(operation),
        }
    }
}

/// Holds one operation that stands in no block yet.
pub struct Detached<'c> {
    context: &'c Context,
    location: Location<'c>,
    operation: OnceCell<Operation<'c>>,
}

impl<'c> Detached<'c> {
    /// Holds none yet.
    pub fn new(context: &'c Context, location: Location<'c>) -> Self {
        Self {
            context,
            location,
            operation: OnceCell::new(),
        }
    }

    /// Gives the operation up.
    ///
    /// # Panics
    ///
    /// When none was made.
    pub fn into_operation(self) -> Operation<'c> {
        self.operation.into_inner().expect("an operation was made")
    }
}

/// Makes the one operation.
impl<'c: 'a, 'a> OpBuilder<'c, 'a> for &'a Detached<'c> {
    fn context(&self) -> &'c Context {
        self.context
    }

    fn location(&self) -> Location<'c> {
        self.location
    }

    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        assert!(self.operation.get().is_none(), "one operation is made");
        let operation = self.operation.get_or_init(|| operation);
        // SAFETY: the operation lives as long as the reference to its holder.
        unsafe { OperationRef::from_raw(operation.to_raw()) }
    }
}
