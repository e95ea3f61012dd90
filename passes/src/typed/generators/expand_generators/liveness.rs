//! Values that are live across a `yield`.

use super::block_in;
use crate::infra::{
    BlockExt, Builder, OperationExt, RegionExt, ValueExt,
    ops::{AnyOp, arith, typed, ub},
};
use melior::ir::{
    BlockRef, RegionRef, Value, ValueLike, block::BlockLike, operation::OperationLike,
};
use std::collections::{BTreeMap, HashMap};

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
    let numbers: HashMap<usize, usize> = blocks.iter().map(|block| key(*block)).zip(0..).collect();
    let number = |block: BlockRef<'c, 'a>| numbers.get(&key(block)).copied();

    // Ordered by first use, so that the order doesn't depend on addresses.
    let mut values: Vec<Value<'c, 'a>> = Vec::new();
    let mut ids: HashMap<usize, usize> = HashMap::new();
    let mut needed: Vec<BTreeMap<usize, ()>> = vec![BTreeMap::new(); blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        for operation in block.operation_list() {
            for operand in operation
                .pre_order()
                .into_iter()
                .flat_map(OperationExt::operand_values)
            {
                let home = number(operand.defining_block());
                if home.is_some_and(|home| home != at) {
                    let id = *ids.entry(operand.to_raw().ptr.addr()).or_insert_with(|| {
                        values.push(operand);
                        values.len() - 1
                    });
                    needed[at].insert(id, ());
                }
            }
        }
    }
    loop {
        let mut changed = false;
        for (at, block) in blocks.iter().enumerate().rev() {
            let behind: Vec<_> = block
                .successor_list()
                .into_iter()
                .filter_map(number)
                .flat_map(|next| needed[next].keys().copied().collect::<Vec<_>>())
                .filter(|id| number(values[*id].defining_block()) != Some(at))
                .collect();
            for id in behind {
                changed |= needed[at].insert(id, ()).is_none();
            }
        }
        if !changed {
            break;
        }
    }
    let used = arguments.iter().filter(|argument| {
        let users = argument.users();
        users
            .into_iter()
            .any(|user| block_in(region, user).is_some())
    });
    let mut kept: Vec<_> = used.copied().collect();
    for (id, value) in values.iter().enumerate() {
        let across = continuations
            .iter()
            .filter_map(|block| number(*block))
            .any(|block| needed[block].contains_key(&id));
        if across && !kept.contains(value) {
            kept.push(*value);
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
        let mut copies: HashMap<usize, Value<'c, 'a>> = HashMap::new();
        for one in value.uses() {
            let Some(block) = block_in(region, one.user).filter(|block| Some(*block) != home)
            else {
                continue;
            };
            let copy = *copies.entry(key(block)).or_insert_with(|| {
                builder.at_start(block).at(constant.location());
                builder.clone_op(constant, &[]).result_value(0)
            });
            one.user.set_operand_value(one.operand, copy);
        }
    }
}

fn key(block: BlockRef) -> usize {
    BlockLike::to_raw(&block).ptr.addr()
}
