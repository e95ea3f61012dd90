//! Fuses parallel loops over the same space, and removes the arrays between them.
//!
//! Two loops are first brought together: what stands between them goes before the first or behind
//! the second, as dependences allow. Then the second body follows the first, iteration by
//! iteration. An element that the second loop reads from a fresh array of the first is the value
//! the first yields.

mod accesses;
mod legality;

use super::{
    diagnostics::described,
    emit::{Emit, mapped},
    nest::{Nest, NestBuilder},
    shape::drop_shapes,
};
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, OptionSpec, PassContext, PassResult,
    PassSpec, StatisticSpec, ValueExt,
};
use legality::{Plan, Refusal};
use melior::ir::{Attribute, BlockRef, Location, OperationRef, Value, operation::OperationLike};

/// The `parfor-fuse` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Merges `parfor.loop` operations of one block over equal spaces. A producer goes \
                  into the consumer that reads its fresh arrays at its own indices, and arrays \
                  that nobody else uses are gone; loops that have nothing to do with each other \
                  share one nest. Loops are merged only when it is proven that no load, store or \
                  error changes places with one it depends on. What `typed.with_shape` \
                  says has been used by then, and goes. `fused` tells what was merged.",
    anchor: "func.func",
    dialects: &["parfor", "typed"],
    options: &[
        OptionSpec::bool(
            "horizontal",
            "also merge loops that share nothing but the space",
            true,
        ),
        OptionSpec::bool(
            "remarks",
            "tell what is merged, and why producers aren't merged into consumers nor neighbours with each other",
            false,
        ),
    ],
    statistics: &[StatisticSpec::new("fused", "loops merged into another one")],
    ..PassSpec::new("parfor-fuse", "merge parallel loops", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    fold_dimensions(&builder, function);
    drop_shapes(function);
    // The bodies of loops are blocks too, and merging destroys them: from the outside in, each
    // time anew.
    let mut done = 0;
    loop {
        let blocks: Vec<_> = function
            .pre_order()
            .into_iter()
            .flat_map(|operation| operation.nested_blocks())
            .collect();
        let Some(block) = blocks.get(done) else {
            return Ok(());
        };
        while fuse_one(cx, &builder, *block) {
            cx.bump("fused", 1);
        }
        if cx.options().bool("remarks") {
            explain(cx, *block);
        }
        done += 1;
    }
}

/// Replaces the sizes of loops' results by the extents that the loops were given, so that asking
/// for a size doesn't keep an array alive.
fn fold_dimensions<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: OperationRef<'c, 'a>) {
    for operation in function.nested("typed.dim") {
        let Some(nest) = operation.operand_value(0).defining_op().and_then(Nest::of) else {
            continue;
        };
        let Some(extent) = operation
            .int_attr("dimension")
            .and_then(|dimension| nest.extents.get(dimension as usize))
        else {
            continue;
        };
        builder.before(operation);
        let size = builder.cast(*extent, operation.result_value(0).ty());
        builder.replace_op(operation, &[size]);
    }
}

fn loops<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Nest<'c, 'a>> {
    block
        .operation_list()
        .into_iter()
        .filter_map(Nest::of)
        .collect()
}

/// Merges two loops of a block, if there are two that may be.
fn fuse_one<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> bool {
    let loops = loops(block);
    for (position, second) in loops.iter().enumerate() {
        // The nearest first.
        for first in loops[..position].iter().rev() {
            if !cx.options().bool("horizontal") && !legality::feeds(first, second) {
                continue;
            }
            if let Ok(plan) = Plan::new(first, second) {
                if cx.options().bool("remarks") {
                    let message = format!("fused with {}", described(first));
                    cx.remark(second.operation.location(), message);
                }
                merge(builder, first, second, &plan);
                return true;
            }
        }
    }
    false
}

/// Reports the producers that stay apart from a consumer, and neighbours that do.
fn explain<'c: 'a, 'a>(cx: &PassContext<'c>, block: BlockRef<'c, 'a>) {
    let loops = loops(block);
    for (position, second) in loops.iter().enumerate() {
        for (at, first) in loops[..position].iter().enumerate() {
            let feeds = legality::feeds(first, second);
            let Err(Refusal(reason)) = Plan::new(first, second) else {
                continue;
            };
            let other = match feeds {
                true => "that computes its operand",
                false if at + 1 == position => "before it",
                false => continue,
            };
            let which = described(first);
            cx.remark(
                second.operation.location(),
                format!("not fused with the loop {other}: {reason} ({which})"),
            );
        }
    }
}

/// Replaces both loops by one.
fn merge<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
    plan: &Plan<'c, 'a>,
) {
    for operation in &plan.early {
        builder.move_before(*operation, first.operation);
    }

    let feeds = legality::feeds(first, second);
    // A fresh array stays when it has uses outside of the second loop.
    let kept: Vec<_> = first
        .fresh()
        .into_iter()
        .map(|array| {
            array
                .users()
                .iter()
                .any(|user| !user.is_within(second.operation))
        })
        .collect();
    let mut merged = NestBuilder::new(
        &first.extents,
        if feeds {
            &second.pattern
        } else {
            &first.pattern
        },
    );
    merged.fused = provenance(first, second, feeds);
    merged.serial = first.serial;
    merged.rare = first.rare && second.rare;
    merged.fresh.extend(
        first
            .fresh()
            .iter()
            .zip(&kept)
            .filter(|(_, kept)| **kept)
            .map(|(array, _)| array.ty()),
    );
    merged
        .fresh
        .extend(second.fresh().iter().map(|array| array.ty()));
    merged
        .reductions
        .extend(first.reductions.iter().chain(&second.reductions).cloned());

    // The loop whose pattern the merged one has comes first: diagnostics point there.
    let mut locations = [first.operation.location(), second.operation.location()];
    if feeds {
        locations.reverse();
    }
    // SAFETY: metadata may be null.
    let nothing = unsafe { Attribute::from_raw(mlir_sys::mlirAttributeGetNull()) };
    builder
        .before(first.operation)
        .at(Location::fused(builder.context(), &locations, nothing));
    let merged = merged.build(builder, |indices| {
        let ours = inline(builder, first, indices, &[]);
        let forwarded = forward(first, second, &ours);
        let theirs = inline(builder, second, indices, &forwarded);
        let (fresh, contributions) = ours.split_at(kept.len());
        let (their_fresh, their_contributions) = theirs.split_at(second.fresh().len());
        let kept_fresh = fresh
            .iter()
            .zip(&kept)
            .filter(|(_, kept)| **kept)
            .map(|(value, _)| value);
        kept_fresh
            .chain(their_fresh)
            .chain(contributions)
            .chain(their_contributions)
            .copied()
            .collect()
    });

    let before = first
        .fresh()
        .into_iter()
        .zip(&kept)
        .filter(|(_, kept)| **kept)
        .map(|(array, _)| array)
        .chain(second.fresh())
        .chain(first.reduced())
        .chain(second.reduced());
    for (before, after) in before.zip(merged.operation.result_values()) {
        before.replace_all_uses(after);
    }
    second.operation.erase();
    first.operation.erase();
}

/// Moves the body of a loop to the insertion point, which is the end of a block, and returns the
/// values it yields. `replaced` maps values to their replacements.
fn inline<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    indices: &[Value<'c, 'a>],
    replaced: &[(Value<'c, 'a>, Value<'c, 'a>)],
) -> Vec<Value<'c, 'a>> {
    let mut becomes: Vec<_> = nest
        .indices()
        .into_iter()
        .zip(indices.iter().copied())
        .collect();
    becomes.extend(replaced);
    let yielded = nest
        .yielded()
        .into_iter()
        .map(|value| mapped(&becomes, value))
        .collect();
    for (before, after) in replaced {
        before.replace_all_uses(*after);
        if let Some(load) = before.defining_op() {
            load.erase();
        }
    }
    builder.erase_op(nest.terminator());
    builder.merge_blocks(nest.body(), builder.block(), indices);
    yielded
}

/// The loads of the second loop from fresh arrays of the first, and what they give.
fn forward<'c: 'a, 'a>(
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
    yielded: &[Value<'c, 'a>],
) -> Vec<(Value<'c, 'a>, Value<'c, 'a>)> {
    let mut pairs = Vec::new();
    for (array, value) in first.fresh().into_iter().zip(yielded) {
        for user in array.users() {
            if user.is_within(second.operation) {
                pairs.push((user.result_value(0), *value));
            }
        }
    }
    pairs
}

/// What a merged loop was made of, besides its own pattern.
fn provenance<'c: 'a, 'a>(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>, feeds: bool) -> Vec<String> {
    let mut fused = first.fused.clone();
    if feeds {
        fused.push(first.pattern.clone());
    }
    fused.extend(second.fused.iter().cloned());
    if !feeds {
        fused.push(second.pattern.clone());
    }
    fused
}
