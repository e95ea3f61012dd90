//! Liveness: which values are needed where control enters a block.
//!
//! A value is live into a block if some path from its start leads to a use without passing the
//! block that defines the value. In SSA form each value is found by itself, by walking from its
//! uses back to its definition: the work is the sum of the values' live ranges, and there is no
//! iteration to a fixed point.

use crate::infra::{BlockExt, Identity, Key, OperationExt, ValueExt};
use melior::ir::{BlockRef, OperationRef, Value};
use std::collections::{BTreeSet, HashMap};

/// The number of a value: its place in the list, so that no result depends on addresses.
pub(crate) type Number = usize;

/// Which of some values are live into each of some blocks.
#[derive(Debug)]
pub(crate) struct Liveness<'c, 'a> {
    values: Vec<Value<'c, 'a>>,
    numbers: HashMap<Key, Number>,
    live_in: Vec<BTreeSet<Number>>,
}

impl<'c: 'a, 'a> Liveness<'c, 'a> {
    /// Follows values through the blocks of a region, or those of them that matter. A use inside of
    /// an operation's regions is one by the operation; an edge to a handler is an edge like others.
    pub fn new(blocks: &[BlockRef<'c, 'a>], values: Vec<Value<'c, 'a>>) -> Self {
        let positions: HashMap<Key, usize> = blocks.iter().map(Identity::key).zip(0..).collect();
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
        for (at, block) in blocks.iter().enumerate() {
            for successor in block.successor_list() {
                if let Some(next) = positions.get(&successor.key()) {
                    predecessors[*next].push(at);
                }
            }
        }
        let mut live_in = vec![BTreeSet::new(); blocks.len()];
        for (number, value) in values.iter().enumerate() {
            let home = positions.get(&value.defining_block().key()).copied();
            let users = value.users().into_iter();
            let mut open: Vec<usize> = users
                .filter_map(|user| position_of(user, &positions))
                .collect();
            while let Some(block) = open.pop() {
                if Some(block) != home && live_in[block].insert(number) {
                    open.extend(&predecessors[block]);
                }
            }
        }
        Self {
            numbers: values.iter().map(Identity::key).zip(0..).collect(),
            values,
            live_in,
        }
    }

    /// The number of a value, if it is one of those that are followed.
    pub fn number(&self, value: Value) -> Option<Number> {
        self.numbers.get(&value.key()).copied()
    }

    /// The value of a number.
    pub fn value(&self, number: Number) -> Value<'c, 'a> {
        self.values[number]
    }

    /// What is live at the start of a block, by its place in the list; its own arguments excepted.
    pub fn live_in(&self, block: usize) -> &BTreeSet<Number> {
        &self.live_in[block]
    }
}

/// The place of the block that an operation is in, directly or inside of another operation.
fn position_of(mut operation: OperationRef, positions: &HashMap<Key, usize>) -> Option<usize> {
    loop {
        let block = operation.parent_block()?;
        if let Some(position) = positions.get(&block.key()) {
            return Some(*position);
        }
        operation = block.parent()?;
    }
}
