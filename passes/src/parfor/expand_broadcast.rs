//! Expands `typed.broadcast` into a test and a call of the runtime.

use crate::{
    analysis::{
        effects::Footprint,
        sizes::{Derivation, Size},
    },
    infra::{
        BlockExt, Builder, CmpInt, Identity, Key, OperationExt, PassContext, PassResult, PassSpec,
        StatisticSpec, ValueExt,
        emit::Emit,
        ops::{func, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value};
use std::collections::HashMap;

/// The `parfor-expand-broadcast` pass.
pub static PASS: PassSpec = PassSpec {
    description: "The `typed.broadcast`s of an expression become one branch: the arrays themselves where all \
                  have the sizes already; otherwise `typed.repeat`, which leaves errors and copies to the \
                  runtime. Loops that use the results stay free of tests.",
    anchor: func::Func::NAME,
    dialects: &["arith", "scf", "typed"],
    statistics: &[
        StatisticSpec::new("expanded", "broadcasts expanded"),
        StatisticSpec::new("merged", "broadcasts that gave what one before gave"),
    ],
    ..PassSpec::new(
        "parfor-expand-broadcast",
        "expand broadcasts into a test and a call of the runtime",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // Found before the first one is merged: merged operations are erased.
    let operations = function.pre_order().into_iter();
    let blocks: Vec<_> = operations.flat_map(|one| one.nested_blocks()).collect();
    for block in blocks {
        merge_equal(cx, &builder, block);
        for group in groups(block) {
            expand(&builder, &group);
            cx.bump("expanded", group.broadcasts.len() as u64);
        }
    }
    Ok(())
}

/// Uses a broadcast in the place of equal ones further down its block. Up to the next write it would be the
/// same copy, if it is one; and who has seen its error doesn't come to the next one.
fn merge_equal<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
) {
    let mut sizes = Derivation::default();
    let mut known: HashMap<Key, Vec<(Vec<Size>, Value)>> = HashMap::new();
    for operation in block.operation_list() {
        let Some(broadcast) = typed::Broadcast::of(operation) else {
            if !known.is_empty() && Footprint::of(operation).writes_anything() {
                known.clear();
            }
            continue;
        };
        let result = broadcast.result();
        let extents: Vec<_> = broadcast.sizes();
        let extents: Vec<_> = extents.into_iter().map(|size| sizes.value(size)).collect();
        let same = known.entry(broadcast.array().key()).or_default();
        let before = same
            .iter()
            .find(|(sizes, before)| *sizes == extents && before.ty() == result.ty());
        match before {
            Some((_, before)) => {
                builder.replace_op(operation, &[*before]);
                cx.bump("merged", 1);
            }
            None => same.push((extents, result)),
        }
    }
}

/// Broadcasts of a block that can be decided at the last one.
struct Group<'c, 'a> {
    broadcasts: Vec<typed::Broadcast<'c, 'a>>,
    /// The sizes of the one with the most dimensions; the others have the last ones of them.
    sizes: Vec<Value<'c, 'a>>,
    derived: Vec<Size>,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// Whether a broadcast is to the sizes of the group, or to more of which the group's are the last ones.
    fn takes(&self, derived: &[Size]) -> bool {
        derived.ends_with(&self.derived) || self.derived.ends_with(derived)
    }

    fn push(&mut self, broadcast: typed::Broadcast<'c, 'a>, derived: Vec<Size>) {
        if derived.len() > self.derived.len() {
            self.sizes = broadcast.sizes();
            self.derived = derived;
        }
        self.broadcasts.push(broadcast);
    }

    /// Whether an operation can come before all of the group: nothing that it does can be told from outside, and it
    /// needs no result of the group.
    fn is_passed_by(&self, operation: OperationRef<'c, 'a>) -> bool {
        operation.region_list().is_empty() && operation.is_pure() && !self.is_used_by(operation)
    }

    fn is_used_by(&self, operation: OperationRef<'c, 'a>) -> bool {
        let operands = operation.operand_values();
        let mut results = self.broadcasts.iter().map(|broadcast| broadcast.result());
        results.any(|result| operands.contains(&result))
    }
}

/// The broadcasts of a block: those to the same sizes with nothing but arithmetic in between are one group.
fn groups<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Group<'c, 'a>> {
    let mut derivation = Derivation::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut is_open = false;
    for operation in block.operation_list() {
        let Some(broadcast) = typed::Broadcast::of(operation) else {
            let last = groups.last();
            is_open &= last.is_some_and(|group| group.is_passed_by(operation));
            continue;
        };
        let sizes = broadcast.sizes();
        let derived: Vec<_> = sizes.iter().map(|size| derivation.value(*size)).collect();
        match groups.last_mut() {
            Some(group) if is_open && group.takes(&derived) && !group.is_used_by(operation) => {
                group.push(broadcast, derived);
            }
            _ => groups.push(Group {
                broadcasts: vec![broadcast],
                sizes,
                derived,
            }),
        }
        is_open = true;
    }
    groups
}

fn expand<'c: 'a, 'a>(builder: &Builder<'c, 'a>, group: &Group<'c, 'a>) {
    let arrays: Vec<_> = group.broadcasts.iter().map(|one| one.array()).collect();
    let types: Vec<_> = arrays.iter().map(|array| array.ty()).collect();
    let last = group.broadcasts.last().expect("a group has a broadcast");

    builder.before(**last);
    let mut all = None;
    for broadcast in &group.broadcasts {
        for (dimension, size) in broadcast.sizes().into_iter().enumerate() {
            let own = builder.dim(broadcast.array(), dimension);
            let is_equal = builder.cmpi(CmpInt::Eq, own, size);
            all = Some(all.map_or(is_equal, |others| builder.and(others, is_equal)));
        }
    }
    let all = all.unwrap_or_else(|| builder.bool(true));
    let (branch, same, other) = builder.scf_if(all, &types);
    builder.at_end(same);
    builder.scf_yield(&arrays);
    builder.at_end(other);
    let repeated = typed::Repeat::create(builder, &arrays, &group.sizes, &[], &types);
    builder.scf_yield(&repeated.repeated());

    for (broadcast, result) in group.broadcasts.iter().zip(branch.result_values()) {
        builder.replace_op(**broadcast, &[result]);
    }
}
