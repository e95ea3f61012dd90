//! Which references a function owns where: liveness of `!py.object` values.
//!
//! A value is live from its definition to its last use on each path. An unwind edge may be taken
//! from anywhere in its block, so the handler's live-ins are live throughout the block.

use crate::infra::{
    BlockExt, OperationExt,
    ops::{AnyOp, cf, py},
};
use melior::ir::{BlockRef, OperationRef, Value, ValueLike, block::BlockLike};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The number of a value: in the order of definition, so that results don't depend on addresses.
/// What is deeper on CPython's stack has a lower number.
pub(super) type Id = usize;

/// The numbers of values and where they are live.
pub(super) struct Liveness<'c, 'a> {
    ids: HashMap<usize, Id>,
    values: Vec<Value<'c, 'a>>,
    blocks: HashMap<usize, usize>,
    live_in: Vec<BTreeSet<Id>>,
    live_out: Vec<BTreeSet<Id>>,
}

impl<'c: 'a, 'a> Liveness<'c, 'a> {
    /// Follows the values that `owned` takes through the blocks.
    pub(super) fn new(blocks: &[BlockRef<'c, 'a>], owned: impl Fn(Value<'c, 'a>) -> bool) -> Self {
        let mut ids = HashMap::new();
        let mut values = Vec::new();
        let mut defined = Vec::new();
        let topped = topped(blocks);
        for block in blocks {
            let mut here = BTreeSet::new();
            for value in definitions(*block, topped.contains(&block_key(*block))) {
                if owned(value) {
                    ids.insert(key(value), values.len());
                    here.insert(values.len());
                    values.push(value);
                }
            }
            defined.push(here);
        }
        let positions = blocks.iter().enumerate();
        let mut liveness = Self {
            ids,
            values,
            blocks: positions
                .map(|(at, block)| (block_key(*block), at))
                .collect(),
            live_in: vec![BTreeSet::new(); blocks.len()],
            live_out: vec![BTreeSet::new(); blocks.len()],
        };
        let uses: Vec<BTreeSet<Id>> = blocks
            .iter()
            .map(|block| {
                let operations = block.operation_list().into_iter();
                operations
                    .flat_map(|operation| liveness.operands(operation))
                    .collect()
            })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (at, block) in blocks.iter().enumerate().rev() {
                let mut out = BTreeSet::new();
                for successor in block.successor_list() {
                    out.extend(&liveness.live_in[liveness.block(successor)]);
                }
                let mut live: BTreeSet<Id> = out.union(&uses[at]).copied().collect();
                live.retain(|id| !defined[at].contains(id));
                changed |= live.len() != liveness.live_in[at].len();
                liveness.live_in[at] = live;
                liveness.live_out[at] = out;
            }
        }
        liveness
    }

    /// The number of a value, if it is an owned one.
    pub(super) fn id(&self, value: Value) -> Option<Id> {
        self.ids.get(&key(value)).copied()
    }

    /// The value of a number.
    pub(super) fn value(&self, id: Id) -> Value<'c, 'a> {
        self.values[id]
    }

    /// The place of a block in the list.
    pub(super) fn block(&self, block: BlockRef) -> usize {
        self.blocks[&block_key(block)]
    }

    /// What is live at the start of a block, its arguments excepted.
    pub(super) fn live_in(&self, block: usize) -> &BTreeSet<Id> {
        &self.live_in[block]
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
fn topped(blocks: &[BlockRef]) -> HashSet<usize> {
    let mut topped = HashSet::new();
    for block in blocks {
        let operations = block.operation_list();
        let Some(last) = operations.last() else {
            continue;
        };
        match AnyOp::of(*last) {
            AnyOp::Py(py::Op::ForIter(iterate)) => {
                topped.insert(block_key(iterate.body()));
            }
            AnyOp::Cf(cf::Op::CondBranch(branch))
                if py::Send::defining(branch.condition()).is_some() =>
            {
                topped.insert(block_key(branch.true_dest()));
            }
            _ => {}
        }
        topped.extend(super::flow::unwind(*last).map(|(handler, _)| block_key(handler)));
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

/// A key for a value of the IR while that doesn't change.
pub(super) fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

/// A key for a block, as [`key`].
pub(super) fn block_key(block: BlockRef) -> usize {
    BlockLike::to_raw(&block).ptr as usize
}
