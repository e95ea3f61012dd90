//! Where variables become block arguments: pruned minimal SSA by liveness and dominance frontiers.

use crate::{
    control_flow::{BlockIndex, ControlFlow},
    data_flow::{DataFlow, Variable},
    opcodes::Op,
};
use std::collections::BTreeSet;

/// The variables that are arguments of each block.
///
/// A variable that is not among a block's arguments has the value it has at the end of the block's
/// immediate dominator. The item that a `for` loop takes is the first argument of the loop's body.
pub fn block_arguments(flow: &ControlFlow, data: &DataFlow) -> Vec<Vec<Variable>> {
    let live = live_at_start(flow, data);
    let frontiers = flow.dominance_frontiers();
    let mut arguments = vec![BTreeSet::new(); flow.blocks.len()];

    let variables: BTreeSet<Variable> = data
        .blocks
        .iter()
        .flat_map(|block| block.writes.iter().copied())
        .collect();
    for variable in variables {
        let mut open: Vec<BlockIndex> = (0..flow.blocks.len())
            .filter(|&block| data.blocks[block].writes.contains(&variable))
            .collect();
        while let Some(block) = open.pop() {
            for &join in &frontiers[block] {
                if live[join].contains(&variable) && arguments[join].insert(variable) {
                    open.push(join);
                }
            }
        }
    }

    let mut arguments: Vec<Vec<Variable>> = arguments
        .into_iter()
        .map(|set| set.into_iter().collect())
        .collect();
    for block in &flow.blocks {
        let takes_item = flow.instructions[block.instructions.end - 1].op() == Op::ForIter;
        if let Some(body) = block.next.filter(|_| takes_item) {
            let item = Variable::Slot(data.blocks[body].depth - 1);
            arguments[body].retain(|&variable| variable != item);
            arguments[body].insert(0, item);
        }
    }
    arguments
}

/// The variables whose value at the start of each block is read later.
fn live_at_start(flow: &ControlFlow, data: &DataFlow) -> Vec<BTreeSet<Variable>> {
    let mut live: Vec<BTreeSet<Variable>> = data
        .blocks
        .iter()
        .map(|block| block.reads.clone())
        .collect();
    let mut open: BTreeSet<BlockIndex> = (0..flow.blocks.len()).collect();
    while let Some(block) = open.pop_last() {
        let after: BTreeSet<Variable> = flow.blocks[block]
            .successors()
            .flat_map(|successor| live[successor].iter().copied())
            .collect();
        let before = live[block].len();
        live[block].extend(after.difference(&data.blocks[block].writes));
        if live[block].len() != before {
            open.extend(flow.predecessors(block));
        }
    }
    live
}
