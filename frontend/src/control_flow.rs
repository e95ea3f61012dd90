//! Basic blocks, their graph, and what follows from it: dominators, post-dominators, back edges and
//! natural loops.
//!
//! The graph has the blocks that can be reached from the start without an exception. Blocks are
//! named by the byte offset of their first instruction, as in Numba's `NUMBA_DUMP_CFG`, whose form
//! [`ControlFlow`] prints in. The analysis itself is [`FlowGraph`]'s, which knows nothing of bytecode.

mod graph;
mod loops;
mod print;

pub use graph::FlowGraph;
pub use loops::Loop;

use crate::{
    bytecode::{self, Instruction},
    code::CodeObject,
    diagnostic::Diagnostic,
    opcodes::Flow,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::{Deref, Range},
};

/// The index of a block in [`ControlFlow::blocks`].
pub type BlockIndex = usize;

/// A basic block: control enters at its first instruction and leaves at its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasicBlock {
    /// The byte offset of the first instruction.
    pub offset: u32,
    /// The block's instructions in [`ControlFlow::instructions`].
    pub instructions: Range<usize>,
    /// The block that follows when the last instruction doesn't jump.
    pub next: Option<BlockIndex>,
    /// The block that the last instruction jumps to.
    pub jump: Option<BlockIndex>,
}

impl BasicBlock {
    /// The blocks that control can go to: the next one first. A branch to the next block counts
    /// once.
    pub fn successors(&self) -> impl Iterator<Item = BlockIndex> {
        self.next
            .into_iter()
            .chain(self.jump.filter(|&jump| self.next != Some(jump)))
    }
}

/// The control flow of a code object: its blocks, and through `Deref` the analysis of their graph.
#[derive(Debug)]
pub struct ControlFlow {
    /// All instructions, those of unreachable blocks too.
    pub instructions: Vec<Instruction>,
    /// The reachable blocks, ascending by offset; the first one is the entry.
    pub blocks: Vec<BasicBlock>,
    graph: FlowGraph,
}

impl ControlFlow {
    /// Decodes a code object and finds its control flow.
    pub fn new(code: &CodeObject) -> Result<Self, Diagnostic> {
        let instructions = bytecode::decode(code)?;
        let blocks = reachable_blocks(code, &instructions)?;
        let successors = blocks.iter().map(|block| block.successors().collect());
        Ok(Self {
            graph: FlowGraph::new(successors.collect()),
            instructions,
            blocks,
        })
    }

    /// The instructions of a block.
    pub fn block_instructions(&self, block: BlockIndex) -> &[Instruction] {
        &self.instructions[self.blocks[block].instructions.clone()]
    }
}

impl Deref for ControlFlow {
    type Target = FlowGraph;

    fn deref(&self) -> &FlowGraph {
        &self.graph
    }
}

/// Cuts instructions into blocks and keeps those that can be reached.
fn reachable_blocks(
    code: &CodeObject,
    instructions: &[Instruction],
) -> Result<Vec<BasicBlock>, Diagnostic> {
    let starts: Vec<_> = leaders(instructions)
        .into_iter()
        .chain([instructions.len()])
        .collect();
    let ranges: BTreeMap<u32, Range<usize>> = starts
        .windows(2)
        .filter(|bounds| bounds[0] < bounds[1])
        .map(|bounds| (instructions[bounds[0]].offset, bounds[0]..bounds[1]))
        .collect();

    let mut reached: BTreeMap<u32, (Option<u32>, Option<u32>)> = BTreeMap::new();
    let mut open = vec![0];
    while let Some(offset) = open.pop() {
        if reached.contains_key(&offset) {
            continue;
        }
        let Some(last) = ranges
            .get(&offset)
            .map(|range| &instructions[range.end - 1])
        else {
            return Err(Diagnostic::at_start(
                code,
                format!("'{}' has no instructions", code.qualified_name),
            ));
        };
        let next = match last.info.flow {
            Flow::Jump(_) | Flow::Leave => None,
            Flow::Next | Flow::Branch(..) => match ranges.range(offset + 1..).next() {
                Some((&next, _)) => Some(next),
                None => {
                    let message = format!("control runs past the end of '{}'", code.qualified_name);
                    return Err(Diagnostic::new(code, last.position, message));
                }
            },
        };
        open.extend(next.into_iter().chain(last.target));
        reached.insert(offset, (next, last.target));
    }

    let offsets: Vec<u32> = reached.keys().copied().collect();
    let index = |offset: Option<u32>| offset.and_then(|offset| offsets.binary_search(&offset).ok());
    let blocks = reached.iter().map(|(&offset, &(next, jump))| BasicBlock {
        offset,
        instructions: ranges[&offset].clone(),
        next: index(next),
        jump: index(jump),
    });
    Ok(blocks.collect())
}

/// The indices of the instructions that begin a block.
fn leaders(instructions: &[Instruction]) -> BTreeSet<usize> {
    let mut starts = BTreeSet::from([0]);
    for (index, instruction) in instructions.iter().enumerate() {
        if !matches!(instruction.info.flow, Flow::Next) {
            starts.insert(index + 1);
        }
        let target = |target| instructions.partition_point(|other| other.offset < target);
        starts.extend(instruction.target.map(target));
    }
    starts
}
