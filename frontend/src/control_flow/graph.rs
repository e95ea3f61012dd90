//! A control flow graph of numbered blocks, and what follows from it.
//!
//! The blocks of bytecode and those of a lifted function have the same analysis: both are lists of
//! successors here.

use super::{
    BlockIndex,
    loops::{self, Loop},
};
use petgraph::{
    algo::dominators::{self, Dominators},
    graph::{DiGraph, NodeIndex},
    visit::{DfsPostOrder, Reversed},
};
use std::{cell::OnceCell, collections::BTreeSet};

/// A control flow graph whose first block is the entry, from which all others can be reached.
///
/// What lifting doesn't need is found when it is first asked for.
#[derive(Clone, Debug)]
pub struct FlowGraph {
    /// The blocks in reverse post-order: each comes after its dominators.
    pub order: Vec<BlockIndex>,
    successors: Vec<Vec<BlockIndex>>,
    predecessors: Vec<Vec<BlockIndex>>,
    immediate_dominators: Vec<Option<BlockIndex>>,
    graph: DiGraph<(), ()>,
    immediate_post_dominators: OnceCell<Vec<Option<BlockIndex>>>,
    back_edges: OnceCell<Vec<(BlockIndex, BlockIndex)>>,
    loops: OnceCell<Vec<Loop>>,
}

impl FlowGraph {
    /// Analyses a graph that is given by the successors of each block, without repetitions.
    pub fn new(successors: Vec<Vec<BlockIndex>>) -> Self {
        let mut graph = DiGraph::<(), ()>::with_capacity(successors.len(), 2 * successors.len());
        for _ in &successors {
            graph.add_node(());
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (block, targets) in successors.iter().enumerate() {
            for &target in targets {
                graph.add_edge(node(block), node(target), ());
                predecessors[target].push(block);
            }
        }
        Self {
            order: reverse_post_order(&graph),
            immediate_dominators: immediate(
                &dominators::simple_fast(&graph, node(0)),
                successors.len(),
            ),
            successors,
            predecessors,
            graph,
            immediate_post_dominators: OnceCell::new(),
            back_edges: OnceCell::new(),
            loops: OnceCell::new(),
        }
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// The blocks that control can go to.
    pub fn successors(&self, block: BlockIndex) -> &[BlockIndex] {
        &self.successors[block]
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

    /// The blocks that every path from the entry to an exit passes.
    pub fn backbone(&self) -> BTreeSet<BlockIndex> {
        self.post_dominators(0).collect()
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
        let mut frontiers = vec![Vec::new(); self.len()];
        for block in 0..self.len() {
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
        let edges = (0..self.len()).flat_map(|block| {
            let edges = self.successors[block].iter();
            edges.map(move |&successor| (block, successor))
        });
        let mut edges: Vec<_> = edges
            .filter(|&(block, successor)| self.dominates(successor, block))
            .collect();
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
        ends.extend((0..self.len()).filter(|&block| self.successors[block].is_empty()));
        for end in ends {
            graph.update_edge(node(end), exit, ());
        }
        let dominators = dominators::simple_fast(Reversed(&graph), exit);
        immediate(&dominators, self.len())
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
