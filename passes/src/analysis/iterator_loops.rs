//! Natural loops over iterators, with a `typed.for_iter` in the header.
//!
//! A back edge is an edge to the header from a block that the header dominates; the body is what
//! reaches a back edge without passing the header. A loop whose header makes its iterator itself
//! has no back edge here: going around starts a new iteration over the same iterable.

use crate::infra::{
    BlockExt, Dominance, Identity, Key, OperationExt, RegionExt, ValueExt, ops::typed,
};
use melior::ir::{BlockRef, OperationRef, RegionRef, block::BlockLike};
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

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
    /// Finds all loops over iterators directly in a region, those that hold others before these.
    pub fn outermost_first(region: RegionRef<'c, 'a>, dominance: &Dominance<'c, 'a>) -> Vec<Self> {
        let mut loops = Self::all(region, dominance);
        // Of loops that hold one another the outer one has more blocks.
        loops.sort_by_key(|found| Reverse(found.body.len()));
        loops
    }

    /// Finds all loops over iterators among the blocks of a region.
    pub fn all(region: RegionRef<'c, 'a>, dominance: &Dominance<'c, 'a>) -> Vec<Self> {
        let blocks = region.block_list();
        let order: HashMap<_, _> = blocks
            .iter()
            .enumerate()
            .map(|(at, block)| (block.key(), at))
            .collect();
        let loops = blocks.iter().filter_map(|header| {
            let for_iter = typed::ForIter::of(header.terminator_op()?)?;
            Some(Self::new(*header, for_iter, &order, dominance))
        });
        loops.collect()
    }

    fn new(
        header: BlockRef<'c, 'a>,
        for_iter: typed::ForIter<'c, 'a>,
        order: &HashMap<Key, usize>,
        dominance: &Dominance<'c, 'a>,
    ) -> Self {
        let (mut latches, entries): (Vec<_>, Vec<_>) = distinct(header.predecessor_blocks())
            .into_iter()
            .partition(|predecessor| dominance.block(header, *predecessor));
        // An edge back to where the iterator is made isn't a back edge of this loop: it starts with
        // a new iterator.
        if for_iter.iterator().defining_block() == header {
            latches.clear();
        }

        let mut inside = HashSet::new();
        let mut body = Vec::new();
        let mut waiting = latches.clone();
        while let Some(block) = waiting.pop() {
            if block != header && inside.insert(block.key()) {
                body.push(block);
                waiting.extend(block.predecessor_blocks());
            }
        }
        body.sort_by_key(|block| order.get(&block.key()));
        Self {
            header,
            for_iter: *for_iter,
            body,
            entries,
            latches,
        }
    }

    fn next(&self) -> typed::ForIter<'c, 'a> {
        typed::ForIter::of(self.for_iter).expect("a header ends with one")
    }

    /// The first operation that leaves the loop other than by exhaustion of the iterator.
    pub fn early_exit(&self) -> Option<OperationRef<'c, 'a>> {
        if self.latches.is_empty() {
            return self.next().body().terminator_op();
        }
        let stays = |block| block == self.header || self.body.contains(&block);
        let leaves = |block: &BlockRef<'c, 'a>| {
            block
                .successor_list()
                .into_iter()
                .any(|successor| !stays(successor))
        };
        if !stays(self.next().body()) {
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
            .find(|operation| operation.isa::<typed::YieldValue>())
    }

    /// Whether `block` is executed exactly once per execution of the loop: it dominates the header,
    /// and the loop can't be entered again without passing it.
    pub fn starts_at(&self, block: BlockRef<'c, 'a>, dominance: &Dominance<'c, 'a>) -> bool {
        if block == self.header {
            return true;
        }
        let inside = |block| block == self.header || self.body.contains(&block);
        // The block that follows the loop isn't part of it.
        let end = self.next().exit();
        if block.parent_region() != self.header.parent_region()
            || self.body.contains(&block)
            || inside(end)
            || !dominance.block(block, self.header)
        {
            return false;
        }
        // From behind the loop nothing may come back but through `block`: of what leads to the loop
        // from there, nothing is what the loop is left for. Found from the loop on backwards, as
        // what is behind it may be the rest of a long function.
        let mut leads_here = HashSet::new();
        let mut waiting = self.entries.clone();
        while let Some(next) = waiting.pop() {
            if next != block && next != self.header && leads_here.insert(next.key()) {
                waiting.extend(next.predecessor_blocks());
            }
        }
        self.body
            .iter()
            .chain([&self.header])
            .flat_map(|block| block.successor_list())
            .filter(|successor| !inside(*successor))
            .all(|successor| !leads_here.contains(&successor.key()))
    }
}

/// Each block once; a terminator may have the same successor twice.
fn distinct<'c: 'a, 'a>(blocks: Vec<BlockRef<'c, 'a>>) -> Vec<BlockRef<'c, 'a>> {
    let mut seen = HashSet::new();
    blocks
        .into_iter()
        .filter(|block| seen.insert(block.key()))
        .collect()
}
