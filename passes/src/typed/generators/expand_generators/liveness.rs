//! Values that are live across a `yield`.

use crate::{
    analysis::liveness::Liveness,
    infra::{
        BlockExt, Builder, Identity, Key, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, arith, typed, ub},
    },
};
use melior::ir::{BlockRef, OperationRef, RegionRef, Value, operation::OperationLike};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The values that are live into a block that a `yield` continues at; the function's used arguments
/// come first. Constants are rematerialised at their uses and aren't among them.
pub(crate) fn kept_values<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    region: RegionRef<'c, 'a>,
    continuations: &[BlockRef<'c, 'a>],
    arguments: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    copy_constants(builder, region);
    let blocks = region.block_list();
    let numbers: HashMap<Key, usize> = blocks.iter().map(Identity::key).zip(0..).collect();
    let number = |block: BlockRef<'c, 'a>| numbers.get(&block.key()).copied();

    // In the order of their first use in another block than their own.
    let mut seen = HashSet::new();
    let mut values: Vec<Value<'c, 'a>> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        for operation in block.operation_list() {
            for operand in operation
                .pre_order()
                .into_iter()
                .flat_map(OperationExt::operand_values)
            {
                let home = number(operand.defining_block());
                if home.is_some_and(|home| home != at) && seen.insert(operand.key()) {
                    values.push(operand);
                }
            }
        }
    }
    let liveness = Liveness::new(&blocks, values);
    let across: BTreeSet<_> = continuations
        .iter()
        .filter_map(|block| number(*block))
        .flat_map(|block| liveness.live_in(block))
        .collect();
    let used = arguments.iter().filter(|argument| {
        let users = argument.users();
        users
            .into_iter()
            .any(|user| block_in(region, user).is_some())
    });
    let mut kept: Vec<_> = used.copied().collect();
    for number in across {
        let value = liveness.value(*number);
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Clones constants into each block that uses them.
fn copy_constants<'c: 'a, 'a>(builder: &Builder<'c, 'a>, region: RegionRef<'c, 'a>) {
    let constants = region
        .block_list()
        .into_iter()
        .flat_map(BlockExt::operation_list)
        .filter(|operation| {
            matches!(
                AnyOp::of(*operation),
                AnyOp::Typed(typed::Op::Constant(_) | typed::Op::Singleton(_))
                    | AnyOp::Arith(arith::Op::Constant(_))
                    | AnyOp::Ub(ub::Op::Poison(_))
            )
        });
    for constant in constants.collect::<Vec<_>>() {
        let value = constant.result_value(0);
        let home = constant.parent_block();
        let mut copies: HashMap<Key, Value<'c, 'a>> = HashMap::new();
        for one in value.uses() {
            let Some(block) = block_in(region, one.user).filter(|block| Some(*block) != home)
            else {
                continue;
            };
            let copy = *copies.entry(block.key()).or_insert_with(|| {
                builder.at_start(block).at(constant.location());
                builder.clone_op(constant, &[]).result_value(0)
            });
            one.user.set_operand_value(one.operand, copy);
        }
    }
}

/// The ancestor block, directly in a region, of an operation.
pub(super) fn block_in<'c: 'a, 'a>(
    region: RegionRef<'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Option<BlockRef<'c, 'a>> {
    let mut block = operation.parent_block()?;
    while block.region()? != region {
        block = block.parent()?.parent_block()?;
    }
    Some(block)
}
