//! The blocks of a lifted function and the analysis of their graph.

use crate::infra::{BlockExt, Builder, Identity, Key, OperationExt, RegionExt, ValueExt, ops::py};
use melior::ir::{BlockRef, RegionRef, Value, operation::OperationLike};
use pyopt_frontend::control_flow::{BlockIndex, FlowGraph};
use std::collections::HashMap;

/// The blocks of a function's body that its entry leads to, in the order of the text.
#[derive(Debug)]
pub(crate) struct Blocks<'c, 'a> {
    /// The blocks; the entry is the first one.
    pub blocks: Vec<BlockRef<'c, 'a>>,
    /// Their graph. Edges of exceptions are edges like others.
    pub graph: FlowGraph,
    positions: HashMap<Key, BlockIndex>,
}

impl<'c, 'a> Blocks<'c, 'a> {
    /// Analyses a function's body; `None` for a declaration.
    pub fn of(function: py::Func<'c, 'a>) -> Option<Self> {
        let entry = function.body().entry()?;
        let mut reached = HashMap::from([(entry.key(), 0)]);
        let mut open = vec![entry];
        while let Some(block) = open.pop() {
            for successor in block.successor_list() {
                if reached.insert(successor.key(), 0).is_none() {
                    open.push(successor);
                }
            }
        }
        let blocks: Vec<_> = function
            .body()
            .block_list()
            .into_iter()
            .filter(|block| reached.contains_key(&block.key()))
            .collect();
        let mut positions = reached;
        for (position, block) in blocks.iter().enumerate() {
            positions.insert(block.key(), position);
        }
        let successors = blocks.iter().map(|block| {
            let mut successors: Vec<BlockIndex> = Vec::new();
            for successor in block.successor_list() {
                let position = positions[&successor.key()];
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
        self.positions.get(&block.key()).copied()
    }
}

/// Removes the blocks of a function that its entry doesn't lead to.
pub(crate) fn erase_unreachable(function: py::Func) {
    let Some(flow) = Blocks::of(function) else {
        return;
    };
    let blocks = function.body().block_list();
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

/// Copies blocks to the end of a region, each behind those that dominate it. What leads from one of
/// them to another leads to its copy in the copy. The first of each pair of the mapping becomes the
/// second; values of the blocks are added to it.
pub(crate) fn copy_blocks<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    region: RegionRef<'c, 'a>,
    blocks: &[BlockRef<'c, 'a>],
    mapping: &mut Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
) -> Vec<BlockRef<'c, 'a>> {
    let mut copies = Vec::with_capacity(blocks.len());
    for block in blocks {
        let arguments = block.argument_values();
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
        let first = block.first().expect("a block has a terminator");
        builder.at(first.location());
        let copy = builder.append_block(region, &types);
        mapping.extend(arguments.into_iter().zip(copy.argument_values()));
        copies.push(copy);
    }
    for (block, copy) in blocks.iter().zip(&copies) {
        builder.at_end(*copy);
        for operation in block.operation_list() {
            let made = builder.clone_op(operation, mapping);
            mapping.extend(
                operation
                    .result_values()
                    .into_iter()
                    .zip(made.result_values()),
            );
            for (index, target) in operation.successor_blocks().into_iter().enumerate() {
                if let Some(position) = blocks.iter().position(|block| *block == target) {
                    made.set_successor_block(index, copies[position]);
                }
            }
        }
    }
    copies
}
