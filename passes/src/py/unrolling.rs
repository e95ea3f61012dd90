//! Loops over items whose number is known become their turns, each of which is typed by itself.
//!
//! The blocks of the loop are copied for each item; what is used behind the loop goes through
//! cells, which `py-promote-cells` makes values again.

use super::{
    blocks::{Blocks, copy_blocks},
    edges::Edge,
    inlining::jump,
};
use crate::infra::{BlockExt, Builder, OperationExt, ValueExt, ops::py};
use melior::{
    Context,
    ir::{BlockRef, Location, OperationRef, RegionRef, Value, operation::OperationLike},
};
use pyopt_dialects::py::object_type;
use std::collections::BTreeSet;

/// A loop that can be unrolled.
pub(super) struct Loop<'c, 'a> {
    iterator: py::GetIter<'c, 'a>,
    region: RegionRef<'c, 'a>,
    head: BlockRef<'c, 'a>,
    /// The blocks, the head too, each behind those that dominate it.
    blocks: Vec<BlockRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Loop<'c, 'a> {
    /// The loop that an iterator was made for: nothing else takes items of it, and it isn't protected.
    pub fn of(function: py::Func<'c, 'a>, iterator: py::GetIter<'c, 'a>) -> Option<Self> {
        let flow = Blocks::of(function)?;
        let head = head_of(&flow, iterator)?;
        let loops = flow.graph.loops();
        let natural = loops.iter().find(|natural| natural.header == head);
        // A body that always leaves the loop is no cycle: the head alone is repeated then.
        let body = natural.map_or_else(|| BTreeSet::from([head]), |natural| natural.body.clone());
        let in_order = flow.graph.order.iter().filter(|block| body.contains(block));
        Some(Self {
            iterator,
            region: function.body(),
            head: flow.blocks[head],
            blocks: in_order.map(|&block| flow.blocks[block]).collect(),
        })
    }

    /// Makes a copy of the loop for each item. Nothing uses the iterator any more.
    pub fn unroll(self, context: &'c Context, builder: &Builder<'c, 'a>, items: &[Value<'c, 'a>]) {
        let turn = Turn {
            context,
            builder,
            region: self.region,
            head: self.head,
            blocks: self.blocks,
        };
        turn.carry_out(*self.iterator);
        turn.unroll(items);
    }
}

/// The block that does nothing but take the next item.
fn head_of(flow: &Blocks, iterator: py::GetIter) -> Option<usize> {
    let users = iterator.result().users();
    let &[next] = users.as_slice() else {
        return None;
    };
    let next = py::ForIter::of(next).filter(|next| next.unwind().is_empty())?;
    let block = next
        .parent_block()
        .filter(|block| block.first() == Some(*next))?;
    flow.position(block)
}

/// The blocks of a loop that is unrolled, with what makes others.
struct Turn<'p, 'c, 'a> {
    context: &'c Context,
    builder: &'p Builder<'c, 'a>,
    region: RegionRef<'c, 'a>,
    head: BlockRef<'c, 'a>,
    /// The blocks, the head too, each behind those that dominate it.
    blocks: Vec<BlockRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Turn<'_, 'c, 'a> {
    /// Puts values of the loop that are used behind it into cells, so that it doesn't matter which
    /// copy of the loop they come from.
    fn carry_out(&self, iterator: OperationRef<'c, 'a>) {
        let object = object_type(self.context);
        for block in &self.blocks {
            let results = block.operation_list().into_iter();
            let results = results.flat_map(OperationExt::result_values);
            for value in block.argument_values().into_iter().chain(results) {
                let outside = value.uses().into_iter().filter(|r#use| {
                    let home = r#use.user.parent_block();
                    home.is_some_and(|home| !self.blocks.contains(&home))
                });
                let outside: Vec<_> = outside.collect();
                if outside.is_empty() || value.ty() != object {
                    continue;
                }
                let cell = py::MakeCell::create(self.builder.before(iterator), None).result();
                match value.defining_op() {
                    Some(operation) => self.builder.after(operation),
                    None => self
                        .builder
                        .before(block.first().expect("a block has a terminator")),
                };
                py::StoreCell::create(self.builder, cell, value);
                for r#use in outside {
                    let builder = self.builder.before(r#use.user);
                    let read = py::LoadCell::create(builder, cell, "the loop's variable");
                    r#use.user.set_operand_value(r#use.operand, read.result());
                }
            }
        }
    }

    /// Makes a copy of the loop for each item, and of its head for the end.
    fn unroll(&self, items: &[Value<'c, 'a>]) {
        let mut turns = vec![self.blocks.clone()];
        for _ in 1..items.len() {
            turns.push(self.copy(&self.blocks));
        }
        if items.is_empty() {
            self.leave(self.head);
            return;
        }
        let end = self.copy(&[self.head])[0];
        let position = self.blocks.iter().position(|block| *block == self.head);
        let position = position.expect("the head is one of the blocks");
        for (number, (turn, &item)) in turns.iter().zip(items).enumerate() {
            let next = turns.get(number + 1).map_or(end, |next| next[position]);
            for block in turn.iter().filter_map(|block| block.terminator_op()) {
                for (index, target) in block.successor_blocks().into_iter().enumerate() {
                    if target == turn[position] {
                        block.set_successor_block(index, next);
                    }
                }
            }
            self.take(turn[position], item);
        }
        self.leave(end);
    }

    fn copy(&self, blocks: &[BlockRef<'c, 'a>]) -> Vec<BlockRef<'c, 'a>> {
        copy_blocks(self.builder, self.region, blocks, &mut Vec::new())
    }

    /// Has a head go to the body with an item.
    fn take(&self, head: BlockRef<'c, 'a>, item: Value<'c, 'a>) {
        self.end_with(head, 0, Some(item));
    }

    /// Has a head leave the loop.
    fn leave(&self, head: BlockRef<'c, 'a>) {
        self.end_with(head, 1, None);
    }

    fn end_with(&self, head: BlockRef<'c, 'a>, way: usize, first: Option<Value<'c, 'a>>) {
        let next = head
            .terminator_op()
            .expect("the head ends with py.for_iter");
        let edge = Edge::of(next).swap_remove(way);
        let values: Vec<_> = first.into_iter().chain(edge.passed(next)).collect();
        let location: Location = next.location();
        self.builder.before(next).at(location);
        jump(self.builder, edge.target, &values);
        next.erase();
    }
}
