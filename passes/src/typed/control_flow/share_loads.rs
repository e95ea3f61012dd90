//! Shares loads of one element between blocks.
//!
//! In `if s[i] < 48 or s[i] > 57` each comparison has a block of its own, and both load. `cse` shares what reads
//! memory within a block only; LLVM does so everywhere, but not before the second term is a branch for good, since
//! a load is nothing that `typed-merge-conditions` does in vain.

use crate::{
    analysis::effects::Footprint,
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
        StatisticSpec, ValueExt,
        ops::{func, typed},
    },
};
use melior::ir::{BlockRef, OperationRef};

/// Shares loads.
pub static PASS: PassSpec = PassSpec {
    description: "A load gets the result of an earlier one of the same element, where each block between both has one \
        predecessor and nothing in between writes. A bounded number of operations is looked back at.",
    anchor: func::Func::NAME,
    statistics: &[StatisticSpec::new(
        "shared",
        "loads that were there already",
    )],
    ..PassSpec::new(
        "typed-share-loads",
        "share loads of one element between blocks",
        run,
    )
};

/// How many operations before a load are looked at.
const BUDGET: usize = 32;

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), root);
    for region in root.nested_regions() {
        for block in region.block_list() {
            let mut before = last_before(block);
            for operation in block.operation_list() {
                let load = typed::Load::of(operation);
                let earlier = load.and_then(|load| earlier(load, &before));
                match earlier {
                    Some(earlier) => {
                        builder.replace_op(operation, &[earlier.result()]);
                        cx.bump("shared", 1);
                    }
                    None => before.push(operation),
                }
            }
        }
    }
    Ok(())
}

/// The last operations that certainly run before a block, in their order.
fn last_before<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    let mut block = block;
    while let [only] = block.predecessor_blocks()[..]
        && found.len() < BUDGET
    {
        let operations = only.operation_list().into_iter().rev();
        found.extend(operations.take(BUDGET - found.len()));
        block = only;
    }
    found.reverse();
    found
}

/// A load of the same element among what runs before a load, with nothing behind it that writes.
fn earlier<'c: 'a, 'a>(
    load: typed::Load<'c, 'a>,
    before: &[OperationRef<'c, 'a>],
) -> Option<typed::Load<'c, 'a>> {
    for &operation in before.iter().rev().take(BUDGET) {
        match typed::Load::of(operation) {
            Some(other) if is_same(other, load) => return Some(other),
            Some(_) => {}
            None if Footprint::of(operation).writes_anything() => return None,
            None => {}
        }
    }
    None
}

fn is_same<'c: 'a, 'a>(one: typed::Load<'c, 'a>, other: typed::Load<'c, 'a>) -> bool {
    one.operand_values() == other.operand_values()
        && one.wraparound() == other.wraparound()
        && one.result().ty() == other.result().ty()
}
