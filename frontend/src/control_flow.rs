//! Basic blocks, their graph, and what follows from it: dominators, post-dominators, back edges and
//! natural loops.
//!
//! The graph has the blocks that can be reached from the start. Exceptional flow is factored: a
//! block of a protected range has one edge to its handler, for all its instructions that may raise,
//! and blocks are cut where a variable changes that the handler sees. Blocks are named by the byte
//! offset of their first instruction, as in Numba's `NUMBA_DUMP_CFG`, whose form [`ControlFlow`]
//! prints in.

mod blocks;
mod factor;
mod loops;
mod print;

pub use loops::Loop;

use crate::{
    bytecode::{self, Instruction},
    code::CodeObject,
    data_flow::DataFlow,
    diagnostic::Diagnostic,
    tables::Position,
};
use blocks::Protection;
use factor::Factoring;
use petgraph::{
    Direction,
    algo::dominators::{self, Dominators},
    graph::{DiGraph, NodeIndex},
    visit::{DfsPostOrder, Reversed},
};
use std::{cell::OnceCell, ops::Range};

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

/// The control flow of a code object.
#[derive(Debug)]
pub struct ControlFlow {
    /// All instructions, those of unreachable blocks too.
    pub instructions: Vec<Instruction>,
    /// The reachable blocks, ascending by offset; the first one is the entry.
    pub blocks: Vec<BasicBlock>,
    /// The blocks in reverse post-order: each comes after its dominators.
    pub order: Vec<BlockIndex>,
    /// Whether blocks are cut where a variable changes that a handler sees.
    pub(crate) is_factored: bool,
    graph: DiGraph<(), ()>,
    predecessors: Vec<Vec<BlockIndex>>,
    immediate_dominators: Vec<Option<BlockIndex>>,
    immediate_post_dominators: OnceCell<Vec<Option<BlockIndex>>>,
    back_edges: OnceCell<Vec<(BlockIndex, BlockIndex)>>,
    loops: OnceCell<Vec<Loop>>,
}

impl ControlFlow {
    /// Decodes a code object and finds its control flow.
    pub fn new(code: &CodeObject) -> Result<Self, Diagnostic> {
        let instructions = bytecode::decode(code)?;
        let protection = Protection::new(code, &instructions)?;
        let coarse = blocks::reachable(code, &instructions, &protection, &Factoring::default())?;
        if protection.is_empty() {
            return Ok(Self::of_blocks(instructions, coarse, true));
        }
        let coarse = Self::of_blocks(instructions, coarse, false);
        let factoring = factor::factor(&coarse, &DataFlow::new(code, &coarse)?);
        let instructions = coarse.instructions;
        let blocks = blocks::reachable(code, &instructions, &protection, &factoring)?;
        Ok(Self::of_blocks(instructions, blocks, true))
    }

    fn of_blocks(
        instructions: Vec<Instruction>,
        blocks: Vec<BasicBlock>,
        is_factored: bool,
    ) -> Self {
        let mut graph = DiGraph::<(), ()>::with_capacity(blocks.len(), 2 * blocks.len());
        for _ in &blocks {
            graph.add_node(());
        }
        for (index, block) in blocks.iter().enumerate() {
            for successor in block.successors() {
                graph.add_edge(node(index), node(successor), ());
            }
        }
        let dominators = dominators::simple_fast(&graph, node(0));
        let immediate_dominators = immediate(&dominators, blocks.len());
        let predecessors = (0..blocks.len())
            .map(|block| {
                let mut predecessors: Vec<_> = graph
                    .neighbors_directed(node(block), Direction::Incoming)
                    .map(NodeIndex::index)
                    .collect();
                predecessors.sort_unstable();
                predecessors
            })
            .collect();
        Self {
            order: reverse_post_order(&graph),
            instructions,
            blocks,
            is_factored,
            graph,
            predecessors,
            immediate_dominators,
            immediate_post_dominators: OnceCell::new(),
            back_edges: OnceCell::new(),
            loops: OnceCell::new(),
        }
    }

    /// The instructions of a block.
    pub fn block_instructions(&self, block: BlockIndex) -> &[Instruction] {
        &self.instructions[self.blocks[block].instructions.clone()]
    }

    /// The blocks that control can come from, ascending.
    pub fn predecessors(&self, block: BlockIndex) -> &[BlockIndex] {
        &self.predecessors[block]
    }

    /// The closest block that every path from the entry passes before this one; the entry has none.
    pub fn immediate_dominator(&self, block: BlockIndex) -> Option<BlockIndex> {
        self.immediate_dominators[block]
    }

    /// The blocks that every path from the entry to this one passes, this one first.
    pub fn dominators(&self, block: BlockIndex) -> impl Iterator<Item = BlockIndex> {
        chain(&self.immediate_dominators, block)
    }

    /// Whether every path from the entry to `block` passes `dominator`.
    pub fn dominates(&self, dominator: BlockIndex, block: BlockIndex) -> bool {
        self.dominators(block).any(|other| other == dominator)
    }

    /// The blocks that every path from this one to an exit passes, this one first.
    ///
    /// Where a loop has no exit, any of its blocks counts as one.
    pub fn post_dominators(&self, block: BlockIndex) -> impl Iterator<Item = BlockIndex> {
        let immediate = self
            .immediate_post_dominators
            .get_or_init(|| self.find_post_dominators());
        chain(immediate, block)
    }

    /// The edges whose end dominates their start, ascending.
    pub fn back_edges(&self) -> &[(BlockIndex, BlockIndex)] {
        self.back_edges.get_or_init(|| self.find_back_edges())
    }

    /// The natural loops, ascending by header; loops with the same header are one.
    pub fn loops(&self) -> &[Loop] {
        self.loops.get_or_init(|| loops::find(self))
    }

    /// The headers of the loops that a block is in, innermost first.
    pub fn loops_of(&self, block: BlockIndex) -> Vec<BlockIndex> {
        let mut around: Vec<_> = self
            .loops()
            .iter()
            .filter(|natural| natural.body.contains(&block))
            .collect();
        around.sort_by_key(|natural| natural.body.len());
        around.iter().map(|natural| natural.header).collect()
    }

    /// For each block the blocks where its dominance ends: a value set there may meet another one
    /// in those.
    pub fn dominance_frontiers(&self) -> Vec<Vec<BlockIndex>> {
        let mut frontiers = vec![Vec::new(); self.blocks.len()];
        for block in 0..self.blocks.len() {
            let end = self.immediate_dominators[block];
            for &predecessor in &self.predecessors[block] {
                for runner in self
                    .dominators(predecessor)
                    .take_while(|&runner| Some(runner) != end)
                {
                    if !frontiers[runner].contains(&block) {
                        frontiers[runner].push(block);
                    }
                }
            }
        }
        frontiers
    }

    fn find_back_edges(&self) -> Vec<(BlockIndex, BlockIndex)> {
        let edges = (0..self.blocks.len()).flat_map(|block| {
            let edges = self.blocks[block]
                .successors()
                .map(move |successor| (block, successor));
            edges.filter(|&(block, successor)| self.dominates(successor, block))
        });
        let mut edges: Vec<_> = edges.collect();
        edges.sort_unstable();
        edges
    }

    fn find_post_dominators(&self) -> Vec<Option<BlockIndex>> {
        let mut graph = self.graph.clone();
        let exit = graph.add_node(());
        let endless = self
            .loops()
            .iter()
            .filter(|natural| natural.exits.is_empty());
        let mut ends: Vec<_> = endless
            .flat_map(|natural| natural.body.iter().copied())
            .collect();
        ends.extend(
            (0..self.blocks.len())
                .filter(|&block| self.blocks[block].successors().next().is_none()),
        );
        for end in ends {
            graph.update_edge(node(end), exit, ());
        }
        let dominators = dominators::simple_fast(Reversed(&graph), exit);
        immediate(&dominators, self.blocks.len())
    }
}

fn node(block: BlockIndex) -> NodeIndex {
    NodeIndex::new(block)
}

fn chain(immediate: &[Option<BlockIndex>], block: BlockIndex) -> impl Iterator<Item = BlockIndex> {
    std::iter::successors(Some(block), move |&block| immediate[block])
}

/// The immediate dominators among the first `count` nodes.
fn immediate(dominators: &Dominators<NodeIndex>, count: usize) -> Vec<Option<BlockIndex>> {
    let parent = |block| {
        dominators
            .immediate_dominator(node(block))
            .map(NodeIndex::index)
    };
    (0..count)
        .map(|block| parent(block).filter(|&parent| parent < count))
        .collect()
}

fn reverse_post_order(graph: &DiGraph<(), ()>) -> Vec<BlockIndex> {
    let mut walk = DfsPostOrder::new(graph, node(0));
    let mut order: Vec<_> = std::iter::from_fn(|| walk.next(graph))
        .map(NodeIndex::index)
        .collect();
    order.reverse();
    order
}
