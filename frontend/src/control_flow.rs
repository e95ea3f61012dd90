//! Basic blocks, their graph, and what follows from it: dominators, post-dominators, back edges and
//! natural loops.
//!
//! The graph has the blocks that can be reached from the start without an exception. Blocks are
//! named by the byte offset of their first instruction, as in Numba's `NUMBA_DUMP_CFG`, whose form
//! [`ControlFlow`] prints in.

mod loops;
mod print;

pub use loops::Loop;

use crate::{
    bytecode::{self, Instruction},
    code::CodeObject,
    diagnostic::Diagnostic,
    opcodes::Flow,
};
use petgraph::{
    Direction,
    algo::dominators::{self, Dominators},
    graph::{DiGraph, NodeIndex},
    visit::{DfsPostOrder, Reversed},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
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

/// The control flow of a code object.
#[derive(Debug)]
pub struct ControlFlow {
    /// All instructions, those of unreachable blocks too.
    pub instructions: Vec<Instruction>,
    /// The reachable blocks, ascending by offset; the first one is the entry.
    pub blocks: Vec<BasicBlock>,
    /// The blocks in reverse post-order: each comes after its dominators.
    pub order: Vec<BlockIndex>,
    predecessors: Vec<Vec<BlockIndex>>,
    immediate_dominators: Vec<Option<BlockIndex>>,
    immediate_post_dominators: Vec<Option<BlockIndex>>,
    back_edges: Vec<(BlockIndex, BlockIndex)>,
    loops: Vec<Loop>,
}

impl ControlFlow {
    /// Decodes a code object and finds its control flow.
    pub fn new(code: &CodeObject) -> Result<Self, Diagnostic> {
        let instructions = bytecode::decode(code)?;
        let blocks = reachable_blocks(code, &instructions)?;
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
        let mut flow = Self {
            order: reverse_post_order(&graph),
            instructions,
            blocks,
            predecessors,
            immediate_dominators,
            immediate_post_dominators: Vec::new(),
            back_edges: Vec::new(),
            loops: Vec::new(),
        };
        flow.back_edges = flow.find_back_edges();
        flow.loops = loops::find(&flow);
        flow.immediate_post_dominators = flow.find_post_dominators(graph);
        Ok(flow)
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
        chain(&self.immediate_post_dominators, block)
    }

    /// The edges whose end dominates their start, ascending.
    pub fn back_edges(&self) -> &[(BlockIndex, BlockIndex)] {
        &self.back_edges
    }

    /// The natural loops, ascending by header; loops with the same header are one.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// The headers of the loops that a block is in, innermost first.
    pub fn loops_of(&self, block: BlockIndex) -> Vec<BlockIndex> {
        let mut around: Vec<_> = self
            .loops
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

    fn find_post_dominators(&self, mut graph: DiGraph<(), ()>) -> Vec<Option<BlockIndex>> {
        let exit = graph.add_node(());
        let endless = self.loops.iter().filter(|natural| natural.exits.is_empty());
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
