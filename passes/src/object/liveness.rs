//! Which references a function owns where: liveness of `!py.object` values.
//!
//! A value is live from its definition to its last use on each path. An unwind edge may be taken
//! from anywhere in its block, so the handler's live-ins are live throughout the block.

use crate::{
    analysis::liveness,
    infra::{
        BlockExt, Identity, Key, OperationExt,
        ops::{AnyOp, cf, py},
    },
};
use melior::ir::{BlockRef, OperationRef, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The number of a value: in the order of definition. What is deeper on CPython's stack has a lower
/// number.
pub(super) type Id = usize;

/// The numbers of owned values and where they are live.
pub(super) struct Liveness<'c, 'a> {
    values: liveness::Liveness<'c, 'a>,
    blocks: HashMap<Key, usize>,
    live_out: Vec<BTreeSet<Id>>,
}

impl<'c: 'a, 'a> Liveness<'c, 'a> {
    /// Follows the values that `owned` takes through the blocks.
    pub(super) fn new(blocks: &[BlockRef<'c, 'a>], owned: impl Fn(Value<'c, 'a>) -> bool) -> Self {
        let topped = topped(blocks);
        let values = blocks
            .iter()
            .flat_map(|block| definitions(*block, topped.contains(&block.key())))
            .filter(|value| owned(*value));
        let values = liveness::Liveness::new(blocks, values.collect());
        let places: HashMap<_, _> = blocks.iter().map(Identity::key).zip(0..).collect();
        let live_out = blocks.iter().map(|block| {
            let successors = block.successor_list().into_iter();
            successors
                .flat_map(|successor| values.live_in(places[&successor.key()]))
                .copied()
                .collect()
        });
        Self {
            live_out: live_out.collect(),
            blocks: places,
            values,
        }
    }

    /// The number of a value, if it is an owned one.
    pub(super) fn id(&self, value: Value) -> Option<Id> {
        self.values.number(value)
    }

    /// The value of a number.
    pub(super) fn value(&self, id: Id) -> Value<'c, 'a> {
        self.values.value(id)
    }

    /// The place of a block in the list.
    pub(super) fn block(&self, block: BlockRef) -> usize {
        self.blocks[&block.key()]
    }

    /// What is live at the start of a block, its arguments excepted.
    pub(super) fn live_in(&self, block: usize) -> &BTreeSet<Id> {
        self.values.live_in(block)
    }

    /// The owned values among an operation's operands, each as often as it is there.
    pub(super) fn operands(&self, operation: OperationRef) -> Vec<Id> {
        let operands = operation.operand_values();
        operands
            .into_iter()
            .filter_map(|value| self.id(value))
            .collect()
    }

    /// What is live behind each operation of a block.
    pub(super) fn live_after(
        &self,
        block: usize,
        operations: &[OperationRef],
    ) -> Vec<BTreeSet<Id>> {
        let mut live = self.live_out[block].clone();
        // The operands of the terminator are needed until control has left: unwind operands too.
        let mut after = vec![BTreeSet::new(); operations.len()];
        for (at, operation) in operations.iter().enumerate().rev() {
            after[at] = live.clone();
            for result in operation.result_values() {
                if let Some(id) = self.id(result) {
                    live.remove(&id);
                }
            }
            live.extend(self.operands(*operation));
        }
        after
    }
}

/// The blocks whose first argument is what is pushed on the way there, on top of the others: the
/// item of a loop, the exception of a handler, what a delegate returned.
fn topped(blocks: &[BlockRef]) -> HashSet<Key> {
    let mut topped = HashSet::new();
    for block in blocks {
        let operations = block.operation_list();
        let Some(last) = operations.last() else {
            continue;
        };
        match AnyOp::of(*last) {
            AnyOp::Py(py::Op::ForIter(iterate)) => {
                topped.insert(iterate.body().key());
            }
            AnyOp::Cf(cf::Op::CondBranch(branch))
                if py::Send::defining(branch.condition()).is_some() =>
            {
                topped.insert(branch.true_dest().key());
            }
            _ => {}
        }
        topped.extend(super::flow::unwind(*last).map(|(handler, _)| handler.key()));
    }
    topped
}

/// The values that a block defines, in the order of CPython's stack.
fn definitions<'c: 'a, 'a>(block: BlockRef<'c, 'a>, is_topped: bool) -> Vec<Value<'c, 'a>> {
    let mut values = block.argument_values();
    if is_topped && !values.is_empty() {
        values.rotate_left(1);
    }
    for operation in block.operation_list() {
        let mut results = operation.result_values();
        // The first item is on top.
        if operation.isa::<py::Unpack>() || operation.isa::<py::UnpackEx>() {
            results.reverse();
        }
        values.extend(results);
    }
    values
}
