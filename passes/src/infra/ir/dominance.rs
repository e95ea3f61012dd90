//! Dominance.

use crate::infra::ffi::{
    pyoptDominanceCreate, pyoptDominanceDestroy, pyoptDominanceImmediate, pyoptDominatesBlock,
    pyoptDominatesOperation, pyoptDominatesValue,
};
use melior::ir::{BlockRef, OperationRef, Value, ValueLike, block::BlockLike};
use std::{ffi::c_void, marker::PhantomData};

/// Answers what dominates what, in all regions of an operation.
///
/// The trees are made when they are first needed. After the control flow graph has changed, make a
/// new one.
#[derive(Debug)]
pub struct Dominance<'c, 'a> {
    raw: *mut c_void,
    root: PhantomData<OperationRef<'c, 'a>>,
}

impl<'c, 'a> Dominance<'c, 'a> {
    /// Prepares dominance for an operation and all inside of it.
    pub fn new(root: OperationRef<'c, 'a>) -> Self {
        Self {
            // SAFETY: the operation is valid.
            raw: unsafe { pyoptDominanceCreate(root.to_raw()) },
            root: PhantomData,
        }
    }

    /// Whether every path to `b` goes through `a`; a block dominates itself.
    pub fn block(&self, a: BlockRef<'c, 'a>, b: BlockRef<'c, 'a>) -> bool {
        // SAFETY: all are valid.
        unsafe { pyoptDominatesBlock(self.raw, BlockLike::to_raw(&a), BlockLike::to_raw(&b)) }
    }

    /// The closest block that every path to `block` goes through; none for an entry, and for what can't
    /// be reached.
    pub fn immediate(&self, block: BlockRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
        // SAFETY: all are valid; the block is part of the IR, or null.
        unsafe {
            let found = pyoptDominanceImmediate(self.raw, BlockLike::to_raw(&block));
            BlockRef::from_option_raw(found)
        }
    }

    /// Whether `a` runs before `b` on every path; an operation dominates itself.
    pub fn operation(&self, a: OperationRef<'c, 'a>, b: OperationRef<'c, 'a>) -> bool {
        // SAFETY: all are valid.
        unsafe { pyoptDominatesOperation(self.raw, a.to_raw(), b.to_raw()) }
    }

    /// Whether `user` may use `value`.
    pub fn value(&self, value: Value<'c, 'a>, user: OperationRef<'c, 'a>) -> bool {
        // SAFETY: all are valid.
        unsafe { pyoptDominatesValue(self.raw, value.to_raw(), user.to_raw()) }
    }
}

impl Drop for Dominance<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: made by `pyoptDominanceCreate`, destroyed once.
        unsafe { pyoptDominanceDestroy(self.raw) }
    }
}
