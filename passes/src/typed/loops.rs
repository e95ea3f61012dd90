//! Natural loops over iterators, with a `typed.for_iter` in the header.

use crate::infra::{BlockExt, Dominance, OperationExt, RegionExt, ValueExt};
use melior::ir::{BlockRef, OperationRef, RegionRef, block::BlockLike};
use std::collections::HashSet;

/// A loop over an iterator, in a control flow graph.
pub(crate) struct IteratorLoop<'c, 'a> {
    /// The block that ends with the `typed.for_iter`.
    pub header: BlockRef<'c, 'a>,
    /// The `typed.for_iter`.
    pub for_iter: OperationRef<'c, 'a>,
    /// The other blocks of the loop, in the region's order. Empty when there is no back edge, or
    /// only one to the block that makes the iterator, which begins a new execution of the loop.
    pub body: Vec<BlockRef<'c, 'a>>,
    /// The predecessors of the header outside of the loop.
    pub entries: Vec<BlockRef<'c, 'a>>,
    /// The predecessors of the header inside of the loop: the sources of back edges.
    pub latches: Vec<BlockRef<'c, 'a>>,
}

impl<'c: 'a, 'a> IteratorLoop<'c, 'a> {
    /// Finds an outermost loop over an iterator among the blocks of a region: one that isn't nested
    /// in another such loop.
    pub fn find_outermost(
        region: RegionRef<'c, 'a>,
        dominance: &Dominance<'c, 'a>,
    ) -> Option<Self> {
        let loops = Self::all(region, dominance);
        // Of nested loops the outer one has more blocks, so the first of the largest is outermost.
        loops.into_iter().reduce(|found, next| {
            if next.body.len() > found.body.len() {
                next
            } else {
                found
            }
        })
    }

    /// Finds all loops over iterators among the blocks of a region.
    pub fn all(region: RegionRef<'c, 'a>, dominance: &Dominance<'c, 'a>) -> Vec<Self> {
        let blocks = region.block_list();
        let loops = blocks.iter().filter_map(|header| {
            let for_iter = header
                .terminator_op()
                .filter(|terminator| terminator.is("typed.for_iter"))?;
            Some(Self::new(*header, for_iter, &blocks, dominance))
        });
        loops.collect()
    }

    fn new(
        header: BlockRef<'c, 'a>,
        for_iter: OperationRef<'c, 'a>,
        blocks: &[BlockRef<'c, 'a>],
        dominance: &Dominance<'c, 'a>,
    ) -> Self {
        let (mut latches, entries): (Vec<_>, Vec<_>) = distinct(header.predecessor_blocks())
            .into_iter()
            .partition(|predecessor| dominance.block(header, *predecessor));
        // An edge back to where the iterator is made isn't a back edge of this loop: it starts with
        // a new iterator.
        if for_iter.operand_value(0).defining_block() == header {
            latches.clear();
        }

        let mut inside = HashSet::new();
        let mut waiting = latches.clone();
        while let Some(block) = waiting.pop() {
            if block != header && inside.insert(key(block)) {
                waiting.extend(block.predecessor_blocks());
            }
        }
        Self {
            header,
            for_iter,
            body: blocks
                .iter()
                .copied()
                .filter(|block| inside.contains(&key(*block)))
                .collect(),
            entries,
            latches,
        }
    }

    /// The first operation that leaves the loop other than by exhaustion of the iterator.
    pub fn early_exit(&self) -> Option<OperationRef<'c, 'a>> {
        if self.latches.is_empty() {
            return self.for_iter.successor_blocks()[0].terminator_op();
        }
        let stays = |block| block == self.header || self.body.contains(&block);
        let leaves = |block: &BlockRef<'c, 'a>| {
            block
                .successor_list()
                .into_iter()
                .any(|successor| !stays(successor))
        };
        if !stays(self.for_iter.successor_blocks()[0]) {
            return Some(self.for_iter);
        }
        self.body
            .iter()
            .find(|block| leaves(block))
            .and_then(|block| block.terminator_op())
    }

    /// An operation in the loop that suspends the function.
    pub fn suspension(&self) -> Option<OperationRef<'c, 'a>> {
        let blocks = [self.header].into_iter().chain(self.body.iter().copied());
        blocks
            .flat_map(BlockExt::operation_list)
            .find(|operation| operation.is("typed.yield_value"))
    }

    /// Whether `block` is executed exactly once per execution of the loop: it dominates the header,
    /// and the loop can't be entered again without passing it.
    pub fn starts_at(&self, block: BlockRef<'c, 'a>, dominance: &Dominance<'c, 'a>) -> bool {
        if block == self.header {
            return true;
        }
        let inside = |block| block == self.header || self.body.contains(&block);
        // The block that follows the loop isn't part of it.
        let end = self.for_iter.successor_blocks()[1];
        if block.parent_region() != self.header.parent_region()
            || self.body.contains(&block)
            || inside(end)
            || !dominance.block(block, self.header)
        {
            return false;
        }
        // From the loop's exits the header must not be reachable but through `block`.
        let mut seen = HashSet::from([key(block)]);
        let mut waiting: Vec<_> = self
            .body
            .iter()
            .chain([&self.header])
            .flat_map(|block| block.successor_list())
            .filter(|successor| !inside(*successor))
            .collect();
        while let Some(next) = waiting.pop() {
            if next == self.header {
                return false;
            }
            if seen.insert(key(next)) {
                waiting.extend(next.successor_list());
            }
        }
        true
    }
}

/// Each block once; a terminator may have the same successor twice.
fn distinct<'c: 'a, 'a>(blocks: Vec<BlockRef<'c, 'a>>) -> Vec<BlockRef<'c, 'a>> {
    let mut seen = HashSet::new();
    blocks
        .into_iter()
        .filter(|block| seen.insert(key(*block)))
        .collect()
}

fn key(block: BlockRef) -> *const std::ffi::c_void {
    block.to_raw().ptr
}
