//! Edges of the control flow graph.

use crate::infra::{
    BlockExt, Builder, OperationExt, ValueExt,
    ops::{AnyOp, cf, typed, ub},
};
use melior::ir::{BlockRef, OperationRef, RegionLike, RegionRef, Type, Value, block::BlockLike};
use mlir_sys::{MlirRegion, mlirBlockDetach, mlirRegionAppendOwnedBlock};

/// An edge from a terminator to a successor.
#[derive(Clone, Debug)]
pub(crate) struct Edge<'c, 'a> {
    /// The successor.
    pub target: BlockRef<'c, 'a>,
    /// The successor operands; block arguments that the terminator itself produces have none.
    pub operands: Vec<Value<'c, 'a>>,
}

/// Returns the edges of a terminator; none of one that isn't a branch.
pub(crate) fn edges<'c: 'a, 'a>(terminator: OperationRef<'c, 'a>) -> Vec<Edge<'c, 'a>> {
    let edge = |target, operands| Edge { target, operands };
    match AnyOp::of(terminator) {
        AnyOp::Cf(cf::Op::Branch(branch)) => vec![edge(branch.dest(), branch.dest_operands())],
        AnyOp::Cf(cf::Op::CondBranch(branch)) => vec![
            edge(branch.true_dest(), branch.true_dest_operands()),
            edge(branch.false_dest(), branch.false_dest_operands()),
        ],
        AnyOp::Cf(cf::Op::Switch(switch)) => {
            let mut operands = switch.case_operands().into_iter();
            let mut edges = vec![edge(
                switch.default_destination(),
                switch.default_operands(),
            )];
            edges.extend(switch.case_destinations().into_iter().map(|target| {
                let passed = operands.by_ref().take(target.argument_count());
                edge(target, passed.collect())
            }));
            edges
        }
        // The item of an iterator is produced by the terminator, not passed; so is an exception.
        AnyOp::Typed(typed::Op::ForIter(next)) => vec![
            edge(next.body(), next.body_operands()),
            edge(next.exit(), next.exit_operands()),
        ],
        AnyOp::Typed(typed::Op::TryBr(end)) => vec![
            edge(end.normal(), end.normal_operands()),
            edge(end.unwind(), Vec::new()),
        ],
        _ => Vec::new(),
    }
}

/// Makes a `cf.br`.
pub(crate) fn branch<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    target: BlockRef<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> cf::Branch<'c, 'a> {
    cf::Branch::create(builder, operands, target)
}

/// Makes a `cf.cond_br`.
pub(crate) fn conditional_branch<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    taken: &Edge<'c, 'a>,
    otherwise: &Edge<'c, 'a>,
) -> cf::CondBranch<'c, 'a> {
    cf::CondBranch::create(
        builder,
        condition,
        &taken.operands,
        &otherwise.operands,
        taken.target,
        otherwise.target,
    )
}

/// Makes a placeholder value for unreachable code.
pub(crate) fn poison<'c: 'a, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
    ub::Poison::create(builder, r#type).result()
}

/// Makes poison for every argument of a block.
pub(crate) fn poison_arguments<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Vec<Value<'c, 'a>> {
    block
        .argument_values()
        .into_iter()
        .map(|argument| poison(builder, argument.ty()))
        .collect()
}

/// Redirects the edges of a block from one successor to another.
pub(crate) fn redirect<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    from: BlockRef<'c, 'a>,
    to: BlockRef<'c, 'a>,
) {
    let Some(terminator) = block.terminator_op() else {
        return;
    };
    for (index, successor) in terminator.successor_blocks().into_iter().enumerate() {
        if successor == from {
            terminator.set_successor_block(index, to);
        }
    }
}

/// Moves a block to the end of a region.
pub(crate) fn move_block<'c: 'a, 'a>(block: BlockRef<'c, 'a>, region: RegionRef<'c, 'a>) {
    // SAFETY: both are valid; the block is detached before the region takes it over.
    unsafe {
        mlirBlockDetach(block.to_raw());
        mlirRegionAppendOwnedBlock(region.to_raw(), block.to_raw());
    }
}

// Structure.cpp
unsafe extern "C" {
    fn pyoptEraseUnreachableBlocks(region: MlirRegion);
}

/// Removes the unreachable blocks of a region and of its nested regions.
pub(crate) fn erase_unreachable<'c: 'a, 'a>(region: RegionRef<'c, 'a>) {
    // SAFETY: the region is valid.
    unsafe { pyoptEraseUnreachableBlocks(region.to_raw()) }
}
