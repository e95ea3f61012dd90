//! Allocates the fresh arrays of parallel loops.

use crate::{
    analysis::{
        nest::{Nest, NestBuilder},
        shape::drop_shapes,
    },
    infra::{
        Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
        emit::Emit, ops::func,
    },
};
use melior::ir::OperationRef;

/// The `parfor-materialize` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A fresh array that a `parfor.loop` yields is allocated before it, and the body \
                  stores its elements: what is left after fusion is what has to be in memory. A \
                  fresh array that nobody uses isn't allocated. Any `typed.with_shape` goes.",
    anchor: func::Func::NAME,
    dialects: &["parfor", "typed"],
    statistics: &[StatisticSpec::new("arrays", "arrays allocated")],
    ..PassSpec::new(
        "parfor-materialize",
        "allocate the fresh arrays of parallel loops",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    drop_shapes(function);
    for operation in function.post_order() {
        let Some(nest) = Nest::of(operation) else {
            continue;
        };
        let fresh = nest.fresh();
        if !fresh.is_empty() {
            cx.bump(
                "arrays",
                fresh.iter().filter(|array| array.has_uses()).count() as u64,
            );
            materialize(&builder, &nest);
        }
    }
    Ok(())
}

fn materialize<'c: 'a, 'a>(builder: &Builder<'c, 'a>, nest: &Nest<'c, 'a>) {
    let fresh = nest.fresh();
    builder.before(nest.operation);
    let arrays: Vec<_> = fresh
        .iter()
        .map(|array| {
            array
                .has_uses()
                .then(|| builder.empty(&nest.extents, array.ty()))
        })
        .collect();

    let terminator = nest.terminator();
    builder.before(terminator);
    for (array, value) in arrays.iter().zip(nest.yielded()) {
        if let Some(array) = array {
            builder.store(value, *array, &nest.indices());
        }
    }

    builder.before(nest.operation);
    let replacement = NestBuilder {
        extents: nest.extents.clone(),
        fresh: Vec::new(),
        reductions: nest.reductions.clone(),
        pattern: nest.pattern,
        fused: nest.fused.clone(),
        serial: nest.serial,
        rare: nest.rare,
    };
    let contributions = nest.yielded()[fresh.len()..].to_vec();
    let old = nest.body();
    let replacement = replacement.build(builder, |_| contributions);
    // The body moves, indices and all.
    builder.erase_op(terminator);
    builder.inline_block(old, replacement.terminator(), &replacement.indices());
    for (array, storage) in fresh.iter().zip(&arrays) {
        if let Some(storage) = storage {
            array.replace_all_uses(*storage);
        }
    }
    for (before, after) in nest.reduced().iter().zip(replacement.reduced()) {
        before.replace_all_uses(after);
    }
    nest.operation.erase();
}
