//! Lowers parallel loops to nests of `scf.for` on the calling thread.

use crate::{
    analysis::{
        nest::Nest,
        reduction::{Combination, Combiner, combine},
    },
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
        ValueExt,
        emit::{Emit, mapped},
        loop_annotations::{self, annotate_loop},
        ops::{AnyOp, func, parfor, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::{
    enums::PatternKind,
    typed::{Layout, array_type},
};

/// The `parfor-to-scf` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Every `parfor.loop` becomes a nest of `scf.for`, the reductions carried through \
                  it; combiners are called. Fresh arrays must have been allocated by `parfor-materialize`. The additions \
                  of NumPy's reductions are marked `pyopt.reassoc`: they may be done in any order. \
                  Loops marked `pyopt.rare` are neither vectorised nor unrolled.",
    anchor: func::Func::NAME,
    dialects: &["arith", "llvm", "scf", "typed"],
    statistics: &[StatisticSpec::new("lowered", "loops lowered")],
    ..PassSpec::new("parfor-to-scf", "lower parallel loops to serial ones", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for operation in function.post_order() {
        let Some(nest) = Nest::of(operation) else {
            continue;
        };
        if !nest.fresh().is_empty() {
            return Err(cx.error(
                operation.location(),
                "'parfor.loop' op still yields fresh arrays: run parfor-materialize first",
            ));
        }
        builder.before(operation);
        let zero = builder.index(0);
        let lower = vec![zero; nest.extents.len()];
        let results = lower_nest(&builder, &nest, &lower, &nest.extents, &starts(&nest));
        builder.replace_op(operation, &results);
        cx.bump("lowered", 1);
    }
    Ok(())
}

/// The initial values of a loop's reductions.
fn starts<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Vec<Value<'c, 'a>> {
    nest.reductions
        .iter()
        .map(|reduction| reduction.init)
        .collect()
}

/// Moves the body of a loop into a nest of `scf.for` between bounds, made at the insertion point,
/// and returns the reductions' results. The loop is left without a body.
pub(crate) fn lower_nest<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    lower: &[Value<'c, 'a>],
    upper: &[Value<'c, 'a>],
    starts: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let mut loops: Vec<(OperationRef, BlockRef)> = Vec::new();
    let mut indices = vec![None; lower.len()];
    let mut carried = starts.to_vec();
    for dimension in order(nest) {
        let (operation, block) = builder.scf_for(lower[dimension], upper[dimension], &carried);
        if nest.rare {
            annotate_loop(builder, operation, loop_annotations::PLAIN);
        }
        let mut arguments = block.argument_values();
        indices[dimension] = Some(arguments.remove(0));
        carried = arguments;
        loops.push((operation, block));
    }
    let indices: Vec<_> = indices.into_iter().flatten().collect();

    // What the innermost block yields depends on the body, which moves in front of it.
    let terminator = nest.terminator();
    let contributions = terminator.operand_values();
    let first_fresh = contributions.len() - nest.reductions.len();
    let (_, innermost) = *loops.last().expect("a loop has dimensions");
    let combined: Vec<_> = {
        builder.at_end(innermost);
        let placeholder = scf::Yield::create(builder, &[]).operation();
        let parameters: Vec<_> = nest
            .indices()
            .into_iter()
            .zip(indices.iter().copied())
            .collect();
        let contributions: Vec<_> = contributions[first_fresh..]
            .iter()
            .map(|value| mapped(&parameters, *value))
            .collect();
        builder.erase_op(terminator);
        builder.inline_block(nest.body(), placeholder, &indices);
        builder.before(placeholder);
        let combined = nest
            .reductions
            .iter()
            .zip(&carried)
            .zip(contributions)
            .map(|((reduction, before), value)| match &reduction.kind {
                Combination::Operator(kind) => {
                    combine(builder, *kind, reduction.reassociate, *before, value)
                }
                Combination::Combiner(name) => {
                    let combiner = Combiner::find(nest.operation, name)
                        .expect("a verified loop names combiners");
                    builder
                        .typed_call(combiner.combine, &[*before, value], &[value.ty()])
                        .result_value(0)
                }
            })
            .collect();
        builder.erase_op(placeholder);
        combined
    };
    builder.at_end(innermost);
    builder.scf_yield(&combined);
    for pair in loops.windows(2) {
        builder.at_end(pair[0].1);
        builder.scf_yield(&pair[1].0.result_values());
    }
    builder.after(loops[0].0);
    loops[0].0.result_values()
}

/// The order in which the dimensions nest, the outermost first: the arrays' last dimension is the
/// fastest unless more of them have columns in a row, and nothing but elements depends on it.
pub(super) fn order<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Vec<usize> {
    let dimensions = 0..nest.extents.len();
    let (mut rows, mut columns) = (0, 0);
    for operation in nest.operation.pre_order() {
        let array = match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::Load(load)) => load.array(),
            AnyOp::Typed(typed::Op::Store(store)) => store.array(),
            AnyOp::Parfor(parfor::Op::Loop(_)) => continue,
            _ if operation.is_pure() || operation.is_terminator() => continue,
            _ => return dimensions.collect(),
        };
        let array = array_type(array.ty()).filter(|array| array.rank == nest.extents.len());
        match array.map(|array| array.layout) {
            Some(Layout::C) => rows += 1,
            Some(Layout::F) => columns += 1,
            _ => {}
        }
    }
    if columns > rows && nest.pattern.kind != PatternKind::Prange {
        dimensions.rev().collect()
    } else {
        dimensions.collect()
    }
}
