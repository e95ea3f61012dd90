//! The blocks of a lifted function and the analysis of their graph.

use crate::infra::{BlockExt, OperationExt, RegionExt};
use melior::ir::{BlockRef, OperationRef, block::BlockLike};
use pyopt_frontend::control_flow::{BlockIndex, FlowGraph};
use std::collections::HashMap;

/// The blocks of a function's body that its entry leads to, in the order of the text.
#[derive(Debug)]
pub(crate) struct Blocks<'c, 'a> {
    /// The blocks; the entry is the first one.
    pub blocks: Vec<BlockRef<'c, 'a>>,
    /// Their graph. Edges of exceptions are edges like others.
    pub graph: FlowGraph,
    positions: HashMap<usize, BlockIndex>,
}

impl<'c, 'a> Blocks<'c, 'a> {
    /// Analyses a function's body; `None` for a declaration.
    pub fn of(function: OperationRef<'c, 'a>) -> Option<Self> {
        let entry = function.region_at(0).entry()?;
        let mut reached = HashMap::from([(key(entry), 0)]);
        let mut open = vec![entry];
        while let Some(block) = open.pop() {
            for successor in block.successor_list() {
                if reached.insert(key(successor), 0).is_none() {
                    open.push(successor);
                }
            }
        }
        let blocks: Vec<_> = function
            .region_at(0)
            .block_list()
            .into_iter()
            .filter(|block| reached.contains_key(&key(*block)))
            .collect();
        let mut positions = reached;
        for (position, block) in blocks.iter().enumerate() {
            positions.insert(key(*block), position);
        }
        let successors = blocks.iter().map(|block| {
            let mut successors: Vec<BlockIndex> = Vec::new();
            for successor in block.successor_list() {
                let position = positions[&key(successor)];
                if !successors.contains(&position) {
                    successors.push(position);
                }
            }
            successors
        });
        let graph = FlowGraph::new(successors.collect());
        Some(Self {
            blocks,
            graph,
            positions,
        })
    }

    /// The position of a block; `None` for one that can't be reached.
    pub fn position(&self, block: BlockRef<'c, 'a>) -> Option<BlockIndex> {
        self.positions.get(&key(block)).copied()
    }
}

/// Removes the blocks of a function that its entry doesn't lead to.
pub(crate) fn erase_unreachable(function: OperationRef) {
    let Some(flow) = Blocks::of(function) else {
        return;
    };
    let blocks = function.region_at(0).block_list();
    let dead: Vec<_> = blocks
        .into_iter()
        .filter(|block| flow.position(*block).is_none())
        .collect();
    // They may use each other's values, and lead to each other.
    for operation in dead.iter().flat_map(|block| block.operation_list()) {
        operation.set_operand_values(&[]);
    }
    for operation in dead.iter().flat_map(|block| block.operation_list()) {
        operation.erase();
    }
    dead.into_iter().for_each(BlockExt::erase);
}

fn key(block: BlockRef) -> usize {
    BlockLike::to_raw(&block).ptr as usize
}
