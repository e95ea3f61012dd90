//! Where variables become block arguments: pruned minimal SSA by liveness and dominance frontiers.

use crate::{
    control_flow::{BlockIndex, ControlFlow},
    data_flow::{DataFlow, Variable},
    opcodes::Op,
};

/// The variables that are arguments of each block.
///
/// A variable that is not among a block's arguments has the value it has at the end of the block's
/// immediate dominator. The item that a `for` loop takes is the first argument of the loop's body,
/// the exception that of a handler; what a delegate returned is the argument where `SEND` jumps to.
pub fn block_arguments(flow: &ControlFlow, data: &DataFlow) -> Vec<Vec<Variable>> {
    let live = data.live_at_start(flow);
    let frontiers = flow.dominance_frontiers();
    let mut definitions: Vec<Vec<BlockIndex>> = Vec::new();
    for (block, summary) in data.blocks.iter().enumerate() {
        // A block without a frontier has nobody to disagree with.
        let writes = summary
            .writes
            .iter()
            .filter(|_| !frontiers[block].is_empty());
        for number in writes {
            if definitions.len() <= number {
                definitions.resize(number + 1, Vec::new());
            }
            definitions[number].push(block);
        }
    }
    let mut arguments = vec![Vec::new(); flow.blocks.len()];
    for (number, mut open) in definitions.into_iter().enumerate() {
        let variable = data.variable(number);
        while let Some(block) = open.pop() {
            for &join in &frontiers[block] {
                // Variables come one after the other, so the last one shows whether this one is in.
                if live[join].contains(number) && arguments[join].last() != Some(&variable) {
                    arguments[join].push(variable);
                    open.push(join);
                }
            }
        }
    }
    for (index, block) in flow.blocks.iter().enumerate() {
        let made = match flow.instructions[block.instructions.end - 1].op() {
            Op::ForIter | Op::ForIterIndexed => block.next,
            Op::Send | Op::SendIndexed => block.jump,
            _ => None,
        };
        for taker in made.into_iter().chain(block.handler.map(|_| index)) {
            let top = Variable::Slot(data.blocks[taker].depth - 1);
            arguments[taker].retain(|&variable| variable != top);
            arguments[taker].insert(0, top);
        }
    }
    arguments
}
