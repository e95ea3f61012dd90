//! Natural loops.

use super::{BlockIndex, FlowGraph};
use std::collections::{BTreeMap, BTreeSet};

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block through which control enters.
    pub header: BlockIndex,
    /// The blocks outside that go to the header.
    pub entries: BTreeSet<BlockIndex>,
    /// The blocks outside that blocks of the loop go to.
    pub exits: BTreeSet<BlockIndex>,
    /// The blocks of the loop, with the header.
    pub body: BTreeSet<BlockIndex>,
}

/// Finds the loops of the back edges, ascending by header.
pub(super) fn find(flow: &FlowGraph) -> Vec<Loop> {
    let mut bodies: BTreeMap<BlockIndex, BTreeSet<BlockIndex>> = BTreeMap::new();
    for &(latch, header) in flow.back_edges() {
        let body = bodies.entry(header).or_insert_with(|| [header].into());
        let mut open = vec![latch];
        while let Some(block) = open.pop() {
            if body.insert(block) {
                open.extend(flow.predecessors(block));
            }
        }
    }
    let outside = |body: &BTreeSet<_>, block: &BlockIndex| !body.contains(block);
    bodies
        .into_iter()
        .map(|(header, body)| Loop {
            header,
            entries: flow
                .predecessors(header)
                .iter()
                .copied()
                .filter(|block| outside(&body, block))
                .collect(),
            exits: body
                .iter()
                .flat_map(|&block| flow.successors(block).iter().copied())
                .filter(|block| outside(&body, block))
                .collect(),
            body,
        })
        .collect()
}
