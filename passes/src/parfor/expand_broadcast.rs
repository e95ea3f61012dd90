//! Expands `typed.broadcast` into a test, checks and a copy.

use crate::{
    analysis::{
        effects::Footprint,
        nest::NestBuilder,
        sizes::{Derivation, Size},
    },
    infra::{
        BlockExt, Builder, CmpInt, Identity, Key, OperationExt, PassContext, PassResult, PassSpec,
        StatisticSpec, ValueExt,
        emit::Emit,
        ops::{arith, func, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Type, Value};
use pyopt_dialects::{
    enums::PatternKind,
    typed::{Layout, array_type},
};
use std::collections::HashMap;

/// The `parfor-expand-broadcast` pass.
pub static PASS: PassSpec = PassSpec {
    description: "`typed.broadcast` becomes a branch: the array itself where it has the sizes \
                  already; otherwise ValueError unless its other sizes are 1, and a copy with the \
                  dimensions of size 1 repeated. Loops that use the result stay free of tests.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "scf", "typed"],
    statistics: &[
        StatisticSpec::new("expanded", "broadcasts expanded"),
        StatisticSpec::new("merged", "broadcasts that gave what one before gave"),
    ],
    ..PassSpec::new(
        "parfor-expand-broadcast",
        "expand broadcasts into a test and a copy",
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
    }
    for operation in function.nested_ops::<typed::Broadcast>() {
        expand(&builder, operation);
        cx.bump("expanded", 1);
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

fn expand<'c: 'a, 'a>(builder: &Builder<'c, 'a>, operation: typed::Broadcast<'c, 'a>) {
    let array = operation.array();
    let r#type = operation.result().ty();
    let wanted = array_type(r#type).expect("a broadcast gives an array");
    let extents = operation.sizes();

    builder.before(*operation);
    let sizes: Vec<_> = (0..wanted.rank)
        .map(|dimension| builder.dim(array, dimension))
        .collect();
    let equal: Vec<_> = sizes
        .iter()
        .zip(&extents)
        .map(|(size, extent)| builder.cmpi(CmpInt::Eq, *size, *extent))
        .collect();
    let all = equal
        .iter()
        .copied()
        .reduce(|a, b| builder.and(a, b))
        .unwrap_or_else(|| builder.bool(true));

    let (branch, same, other) = builder.scf_if(all, &[r#type]);
    builder.at_end(same);
    builder.scf_yield(&[builder.as_array_type(array, r#type)]);

    builder.at_end(other);
    let one = builder.index(1);
    let repeated: Vec<_> = sizes
        .iter()
        .map(|size| builder.cmpi(CmpInt::Eq, *size, one))
        .collect();
    let fits = equal.iter().zip(&repeated);
    let fits = fits.map(|(equal, repeated)| builder.or(*equal, *repeated));
    if let Some(fits) = fits.reduce(|a, b| builder.and(a, b)) {
        builder.raise_for_shapes(builder.not(fits), &extents, &sizes);
    }
    let mut fresh = wanted;
    fresh.readonly = false;
    if !fresh.layout.is_contiguous() {
        fresh.layout = Layout::C;
    }
    let fresh = fresh.to_type(builder.context());
    let copy = match wanted.rank {
        // The runtime copies: a loop that hardly ever runs would take longer to compile than all else
        // of a short expression.
        1 | 2 => typed::Repeat::create(builder, array, &extents, &[], fresh).result(),
        _ => copied(builder, array, (&sizes, &extents), fresh),
    };
    builder.scf_yield(&[builder.as_array_type(copy, r#type)]);

    builder.after(branch);
    builder.replace_op(*operation, &branch.result_values());
}

/// A fresh array of some extents, in which the dimensions of size 1 of another are repeated.
fn copied<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    (sizes, extents): (&[Value<'c, 'a>], &[Value<'c, 'a>]),
    fresh: Type<'c>,
) -> Value<'c, 'a> {
    let mut nest = NestBuilder::new(extents, PatternKind::Broadcast).fresh(fresh);
    // The copy is rare, and part of another operation: not worth threads or vectors.
    nest.serial = true;
    nest.rare = true;
    // An index stays at 0 where the only element is repeated, and is never above the last one
    // elsewhere. A choice by the size instead would have LLVM make loops for every combination.
    let one = builder.index(1);
    let last: Vec<_> = sizes
        .iter()
        .map(|size| builder.bin(arith::SubI::NAME, *size, one))
        .collect();
    let copy = nest.build(builder, |indices| {
        let indices: Vec<Value> = indices
            .iter()
            .zip(&last)
            .map(|(index, last)| builder.bin(arith::MinSI::NAME, *index, *last))
            .collect();
        vec![builder.load(array, &indices)]
    });
    copy.fresh()[0]
}
