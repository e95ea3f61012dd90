//! Arguments of blocks that are passed one value on every way, and so are that value.
//!
//! Trivial phis, as they are called where phis are operations. They arise where branches go, and where
//! an inlined comprehension (Python 3.12 and later) keeps what a local of its variable's name holds, and
//! gives it back: in a loop the local is carried, and never changed.

use super::edges::Edge;
use crate::infra::{BlockExt, OperationExt, RegionExt, ValueExt, ops::py};
use melior::ir::{BlockRef, OperationRef};

/// Gives cells that are carried through loops and branches, and stay what they are, one name: who
/// captures, reads and writes a cell is found among its uses.
pub(super) fn settle_cells<'c: 'a, 'a>(function: py::Func<'c, 'a>) {
    let makers = function.nested_ops::<py::MakeCell>();
    let is_passed = |maker: &py::MakeCell<'c, 'a>| {
        let mut users = maker.result().users().into_iter();
        users.any(|user| !user.successor_blocks().is_empty())
    };
    if makers.iter().any(is_passed) {
        remove_single_valued_arguments(function);
    }
}

/// Removes arguments of blocks that are passed the same value on every way.
pub(super) fn remove_single_valued_arguments<'c: 'a, 'a>(function: py::Func<'c, 'a>) {
    let mut changed = true;
    while changed {
        changed = false;
        for block in function.body().block_list().into_iter().skip(1) {
            for index in (0..block.argument_values().len()).rev() {
                changed |= remove_if_single_valued(block, index);
            }
        }
    }
}

fn remove_if_single_valued<'c: 'a, 'a>(block: BlockRef<'c, 'a>, index: usize) -> bool {
    let argument = block.argument_value(index);
    let edges = edges_into(block);
    let mut single = None;
    for (terminator, edge) in &edges {
        if index < edge.produced {
            return false;
        }
        let value = edge.passed(*terminator)[index - edge.produced];
        if value != argument && *single.get_or_insert(value) != value {
            return false;
        }
    }
    let Some(value) = single else {
        return false;
    };
    argument.replace_all_uses(value);
    for (terminator, edge) in &edges {
        let mut passed = edge.passed(*terminator);
        passed.remove(index - edge.produced);
        edge.pass(*terminator, &passed);
    }
    block.remove_argument(index);
    true
}

/// The edges that lead to a block, with their terminators; of one terminator the last one first.
fn edges_into<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, Edge<'c, 'a>)> {
    let mut terminators: Vec<OperationRef> = Vec::new();
    for predecessor in block.predecessor_blocks() {
        if let Some(terminator) = predecessor.terminator_op()
            && !terminators.contains(&terminator)
        {
            terminators.push(terminator);
        }
    }
    let edges = terminators.into_iter().flat_map(|terminator| {
        let edges = Edge::of(terminator).into_iter().rev();
        edges.map(move |edge| (terminator, edge))
    });
    edges.filter(|(_, edge)| edge.target == block).collect()
}
