//! Fuses parallel loops over the same space, and removes the arrays between them.
//!
//! Two loops are first brought together: what stands between them goes before the first or behind
//! the second, as dependences allow. Then the second body follows the first, iteration by
//! iteration. An element that the second loop reads from a fresh array of the first is the value
//! the first yields.

mod accesses;
pub(super) mod legality;
mod summaries;

use super::diagnostics::described;
use crate::{
    analysis::{
        nest::{Nest, NestBuilder},
        shape::drop_shapes,
    },
    infra::{
        BlockExt, Builder, Identity, Key, OperationExt, OptionSpec, PassContext, PassResult,
        PassSpec, StatisticSpec, ValueExt,
        emit::{Emit, mapped},
        ops::{func, typed},
    },
};
use legality::{Plan, Refusal};
use melior::ir::{Attribute, BlockRef, Location, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::parfor::Pattern;
use std::collections::HashSet;
use summaries::Summaries;

/// The `parfor-fuse` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Merges `parfor.loop` operations of one block over equal spaces. A producer goes \
                  into the consumer that reads its fresh arrays at its own indices, and arrays \
                  that nobody else uses are gone; loops that have nothing to do with each other \
                  share one nest. Loops are merged only when it is proven that no load, store or \
                  error changes places with one it depends on. What `typed.with_shape` \
                  and `typed.apart` say has been used by then, and goes. `fused` tells what was merged.",
    anchor: func::Func::NAME,
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
    statistics: &[
        StatisticSpec::new("fused", "loops merged into another one"),
        StatisticSpec::new("compared", "pairs of loops whose effects were compared"),
        StatisticSpec::new("blocks", "blocks gone through"),
    ],
    ..PassSpec::new("parfor-fuse", "merge parallel loops", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    settle_sizes(&builder, function);
    // The bodies of loops are blocks too, and merging destroys them: from the outside in.
    let mut waiting = vec![function];
    while let Some(operation) = waiting.pop() {
        for block in operation.nested_blocks() {
            fuse_block(cx, &builder, block);
            cx.bump("blocks", 1);
        }
        let blocks = operation.nested_blocks().into_iter();
        let inner: Vec<_> = blocks.flat_map(BlockExt::operation_list).collect();
        waiting.extend(inner.into_iter().rev());
    }
    drop_apart(function);
    Ok(())
}

/// Removes all `typed.apart`: one array is one value again.
fn drop_apart<'c: 'a, 'a>(function: OperationRef<'c, 'a>) {
    for apart in function.nested_ops::<typed::Apart>() {
        apart.result().replace_all_uses(apart.array());
        apart.erase();
    }
}

/// Leaves no operation that only says sizes of loops' results.
pub(super) fn settle_sizes<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: OperationRef<'c, 'a>) {
    fold_dimensions(builder, function);
    drop_shapes(function);
}

/// Replaces the sizes of loops' results by the extents that the loops were given, so that asking
/// for a size doesn't keep an array alive.
fn fold_dimensions<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: OperationRef<'c, 'a>) {
    for dim in function.nested_ops::<typed::Dim>() {
        let Some(nest) = dim.array().defining_op().and_then(Nest::of) else {
            continue;
        };
        let Some(extent) = nest.extents.get(dim.dimension() as usize) else {
            continue;
        };
        builder.before(dim.operation());
        let size = builder.cast(*extent, dim.result().ty());
        builder.replace_op(dim.operation(), &[size]);
    }
}

fn loops<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Nest<'c, 'a>> {
    block
        .operation_list()
        .into_iter()
        .filter_map(Nest::of)
        .collect()
}

/// Merges the loops of a block that may be.
fn fuse_block<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
) {
    let mut summaries = Summaries::default();
    let mut loops = loops(block);
    let mut position = 1;
    while let Some(second) = loops.get(position) {
        // The nearest first.
        let mut earlier = loops[..position].iter().enumerate().rev();
        let found = earlier.find_map(|(at, first)| {
            if !cx.options().bool("horizontal") && !summaries.feeds(first, second) {
                return None;
            }
            let plan = Plan::new(cx, first, second, &mut summaries).ok()?;
            Some((at, plan))
        });
        let Some((at, plan)) = found else {
            position += 1;
            continue;
        };
        if cx.options().bool("remarks") {
            let message = format!("fused with {}", described(&loops[at]));
            cx.remark_on("fused", second.operation.location(), message);
        }
        let (merged, changed) = merge(builder, &loops[at], second, &plan, &mut summaries);
        loops[at] = merged;
        loops.remove(position);
        for other in &mut loops {
            if changed.contains(&other.operation.key()) {
                *other = Nest::of(other.operation).expect("it is still a loop");
            }
        }
        cx.bump("fused", 1);
        // What stood between the two may be merged now, and the merged loop with one before it.
        position = at.max(1);
    }
    if cx.options().bool("remarks") {
        explain(cx, &loops, &mut summaries);
    }
}

/// Reports the producers that stay apart from a consumer, and neighbours that do.
fn explain<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    loops: &[Nest<'c, 'a>],
    summaries: &mut Summaries<'c, 'a>,
) {
    for (position, second) in loops.iter().enumerate() {
        for (at, first) in loops[..position].iter().enumerate() {
            let other = match summaries.feeds(first, second) {
                true => "that computes its operand",
                false if at + 1 == position => "before it",
                false => continue,
            };
            let Err(Refusal(reason)) = Plan::new(cx, first, second, summaries) else {
                continue;
            };
            let which = described(first);
            cx.remark_on(
                "not-fused",
                second.operation.location(),
                format!("not fused with the loop {other}: {reason} ({which})"),
            );
        }
    }
}

/// Replaces both loops by one. Returns it, and which operations of the block use other values now.
fn merge<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
    plan: &Plan<'c, 'a>,
    summaries: &mut Summaries<'c, 'a>,
) -> (Nest<'c, 'a>, HashSet<Key>) {
    for operation in &plan.early {
        builder.move_before(*operation, first.operation);
    }

    let feeds = summaries.feeds(first, second);
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
        if feeds { second.pattern } else { first.pattern },
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
    let changed = users(first, second);
    for operation in changed.iter().chain([&first.operation, &second.operation]) {
        summaries.forget(*operation);
    }
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
    (
        merged,
        changed
            .into_iter()
            .map(|operation| operation.key())
            .collect(),
    )
}

/// The operations of the block that use results of one of two loops, other than the second.
fn users<'c: 'a, 'a>(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let block = first.operation.parent_block();
    let results = [first, second].map(|nest| nest.operation.result_values());
    let users = results.into_iter().flatten().flat_map(ValueExt::users);
    let in_block = users.filter_map(|user| {
        let mut next = Some(user);
        while let Some(operation) = next {
            if operation.parent_block() == block {
                return Some(operation);
            }
            next = operation.parent();
        }
        None
    });
    in_block.filter(|user| *user != second.operation).collect()
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
        for load in array.users().into_iter().filter_map(typed::Load::of) {
            if load.is_within(second.operation) {
                pairs.push((load.result(), *value));
            }
        }
    }
    pairs
}

/// What a merged loop was made of, besides its own pattern.
fn provenance<'c: 'a, 'a>(
    first: &Nest<'c, 'a>,
    second: &Nest<'c, 'a>,
    feeds: bool,
) -> Vec<Pattern<'c>> {
    let mut fused = first.fused.clone();
    if feeds {
        fused.push(first.pattern);
    }
    fused.extend(&second.fused);
    if !feeds {
        fused.push(second.pattern);
    }
    fused
}
