//! Edges of the control flow graph.

use crate::infra::{BlockExt, Builder, OperationExt, ValueExt};
use melior::ir::{
    BlockRef, OperationRef, RegionLike, RegionRef, Type, Value, attribute::DenseI32ArrayAttribute,
    block::BlockLike,
};
use mlir_sys::{MlirRegion, mlirBlockDetach, mlirRegionAppendOwnedBlock};

/// An edge from a terminator to a successor.
#[derive(Clone, Debug)]
pub(crate) struct Edge<'c, 'a> {
    /// The successor.
    pub target: BlockRef<'c, 'a>,
    /// The successor operands; block arguments that the terminator itself produces have none.
    pub operands: Vec<Value<'c, 'a>>,
}

/// Returns the edges of a terminator: `cf.br`, `cf.cond_br`, `cf.switch` or `typed.for_iter`.
///
/// The operands of each of these are the condition or flag, then those of one successor after the
/// other.
pub(crate) fn edges<'c: 'a, 'a>(terminator: OperationRef<'c, 'a>) -> Vec<Edge<'c, 'a>> {
    let operands = terminator.operand_values();
    let mut next = usize::from(!terminator.is("cf.br"));
    terminator
        .successor_blocks()
        .into_iter()
        .enumerate()
        .map(|(index, target)| {
            // The item of an iterator is produced by the terminator, not passed.
            let made = usize::from(index == 0 && terminator.is("typed.for_iter"));
            let count = target.argument_count() - made;
            let operands = operands[next..next + count].to_vec();
            next += count;
            Edge { target, operands }
        })
        .collect()
}

/// Makes a `cf.br`.
pub(crate) fn branch<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    target: BlockRef<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> OperationRef<'c, 'a> {
    builder.op_with("cf.br", operands, &[], &[], |operation| {
        operation.add_successors(&[&target])
    })
}

/// Makes a `cf.cond_br`.
pub(crate) fn conditional_branch<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    taken: &Edge<'c, 'a>,
    otherwise: &Edge<'c, 'a>,
) -> OperationRef<'c, 'a> {
    let operands = [&[condition], &taken.operands[..], &otherwise.operands[..]].concat();
    let sizes = DenseI32ArrayAttribute::new(
        builder.context(),
        &[
            1,
            taken.operands.len() as i32,
            otherwise.operands.len() as i32,
        ],
    );
    builder.op_with(
        "cf.cond_br",
        &operands,
        &[],
        &[("operandSegmentSizes", sizes.into())],
        |operation| operation.add_successors(&[&taken.target, &otherwise.target]),
    )
}

/// Makes a placeholder value for unreachable code.
pub(crate) fn poison<'c: 'a, 'a>(builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
    builder.value("ub.poison", &[], r#type, &[])
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
