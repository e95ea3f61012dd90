//! Basic blocks, their graph, and what follows from it: dominators, post-dominators, back edges and
//! natural loops.
//!
//! The graph has the blocks that can be reached from the start. Exceptional flow is factored: a
//! block of a protected range has one edge to its handler, for all its instructions that may raise,
//! and blocks are cut where a variable changes that the handler sees. Blocks are named by the byte
//! offset of their first instruction, as in Numba's `NUMBA_DUMP_CFG`, whose form [`ControlFlow`]
//! prints in. The analysis itself is [`FlowGraph`]'s, which knows nothing of bytecode.

mod blocks;
mod graph;
mod loops;
mod print;

pub use graph::FlowGraph;
pub use loops::Loop;

use crate::{
    bytecode::{self, Instruction},
    code::CodeObject,
    diagnostic::Diagnostic,
    tables::Position,
};
pub(crate) use blocks::Factoring;
use blocks::Protection;
use std::ops::{Deref, Range};

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
    /// The block that control goes to when an instruction raises.
    pub unwind: Option<BlockIndex>,
    /// How control enters the block when it is a handler.
    pub handler: Option<Handler>,
}

/// How control enters an exception handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The depth to which the stack is cut.
    pub depth: usize,
    /// Whether the offset of the instruction that raised lies below the exception.
    pub pushes_offset: bool,
    /// The place of the `try` or `with`.
    pub position: Position,
}

impl Handler {
    /// The depth of the stack at the start of the handler, with the exception on top.
    pub fn entry_depth(&self) -> usize {
        self.depth
            .saturating_add(1 + usize::from(self.pushes_offset))
    }
}

impl BasicBlock {
    /// The blocks that control can go to: the next one first, the handler last, each once.
    pub fn successors(&self) -> impl Iterator<Item = BlockIndex> {
        let (next, jump) = (self.next, self.jump.filter(|_| self.jump != self.next));
        let unwind = self.unwind;
        let unwind = unwind.filter(|_| unwind != next && unwind != jump);
        [next, jump, unwind].into_iter().flatten()
    }
}

/// The control flow of a code object: its blocks, and through `Deref` the analysis of their graph.
#[derive(Debug)]
pub struct ControlFlow {
    /// All instructions, those of unreachable blocks too.
    pub instructions: Vec<Instruction>,
    /// The reachable blocks, ascending by offset; the first one is the entry.
    pub blocks: Vec<BasicBlock>,
    /// Whether blocks are cut where a variable changes that a handler sees.
    pub(crate) is_factored: bool,
    graph: FlowGraph,
}

impl ControlFlow {
    /// Decodes a code object and finds its blocks. Those of protected ranges aren't cut yet, where there
    /// are any: `is_factored` tells.
    pub(crate) fn coarse(code: &CodeObject) -> Result<Self, Diagnostic> {
        let instructions = bytecode::decode(code)?;
        let protection = Protection::new(code, &instructions)?;
        let blocks = blocks::reachable(code, &instructions, &protection, &Factoring::default())?;
        Ok(Self::of_blocks(instructions, blocks, protection.is_empty()))
    }

    /// Cuts the blocks of protected ranges.
    pub(crate) fn factored(
        self,
        code: &CodeObject,
        factoring: &Factoring,
    ) -> Result<Self, Diagnostic> {
        let protection = Protection::new(code, &self.instructions)?;
        let blocks = blocks::reachable(code, &self.instructions, &protection, factoring)?;
        Ok(Self::of_blocks(self.instructions, blocks, true))
    }

    /// Finds the control flow of a code object in which nothing raises: handlers are unreachable.
    pub fn without_exceptions(code: &CodeObject) -> Result<Self, Diagnostic> {
        let instructions = bytecode::decode(code)?;
        let protection = Protection::none(&instructions);
        let blocks = blocks::reachable(code, &instructions, &protection, &Factoring::default())?;
        Ok(Self::of_blocks(instructions, blocks, true))
    }

    fn of_blocks(
        instructions: Vec<Instruction>,
        blocks: Vec<BasicBlock>,
        is_factored: bool,
    ) -> Self {
        let successors = blocks.iter().map(|block| block.successors().collect());
        Self {
            graph: FlowGraph::new(successors.collect()),
            instructions,
            blocks,
            is_factored,
        }
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
