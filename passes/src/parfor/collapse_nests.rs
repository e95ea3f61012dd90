//! Makes one parallel loop of a parallel loop and the loop that is all of its body.

mod independence;
mod steps;

use self::{
    independence::{disjoint_arrays, stores_differ},
    steps::{Step, steps},
};
use super::to_threads::outermost;
use crate::{
    analysis::{
        affine::constant_of,
        effects::{Footprint, Raises},
        nest::{Nest, NestBuilder},
        work::{Known, of_simple},
    },
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
        RegionExt, StatisticSpec, ValueExt,
        disjoint::Disjoint,
        emit::{Emit, mapped},
        ops::{AnyOp, func, marks, parfor, scf},
    },
};
use melior::{
    Context,
    ir::{BlockRef, OperationRef, Value, operation::OperationLike},
};

/// The `parfor-collapse-nests` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `parfor.loop` whose body ends with a loop that is parallel, too, becomes one over \
                  the dimensions of both: a device has a thread for each iteration of the nest. The \
                  inner loop is a `parfor.loop`, a `prange` that has stayed serial since it is \
                  inside of another one, or an `scf.for` whose iterations are independent: each element that is \
                  stored to is accessed in one of them alone. Where that is so if arrays are \
                  disjoint, they are compared, and there is a version of the nest for either case. The inner \
                  loop counts from 0 by one; its extents come from outside of the nest. It carries \
                  nothing, or is a prange that reduces what the outer loop reduces by the same operator. What stands \
                  before it is done in every iteration then: it is pure, or reads what the inner \
                  loop doesn't write, and is cheap.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "scf", "typed"],
    statistics: &[StatisticSpec::new(
        "collapsed",
        "loops merged into the one around",
    )],
    ..PassSpec::new(
        "parfor-collapse-nests",
        "make one parallel loop of a nest",
        run,
    )
};

/// How long what stands before the inner loop may take, in simple operations.
const CHEAP: i64 = 16;

/// Inner loops of fewer iterations stay: most threads of a group would have none.
const FEW: i128 = 8;

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let loops = func::Func::of(function).map(outermost).unwrap_or_default();
    for operation in loops {
        let mut nest = Nest::of(operation).expect("only parallel loops are outermost ones");
        while let Some(inner) = Inner::of(cx.context(), &nest) {
            builder.before(nest.operation).at(nest.operation.location());
            if let Some(overlap) = inner.disjoint.overlap(&builder) {
                keep_version(&builder, &nest, overlap);
            }
            nest = collapse(&builder, &nest, &inner);
            cx.bump("collapsed", 1);
        }
    }
    Ok(())
}

/// The loop that a body ends with.
struct Inner<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    extents: Vec<Value<'c, 'a>>,
    body: BlockRef<'c, 'a>,
    /// The iterations are independent if these share no memory.
    disjoint: Disjoint<'c, 'a>,
    /// What an iteration contributes to the reductions of the outer loop.
    steps: Vec<Step<'c, 'a>>,
}

impl<'c: 'a, 'a> Inner<'c, 'a> {
    /// That of a loop, if both may become one.
    fn of(context: &'c Context, nest: &Nest<'c, 'a>) -> Option<Self> {
        let mut before = nest.body().operation_list();
        before.pop();
        let inner = Self::parallel(context, nest, before.pop()?)?;
        let fits = |extent: &Value<'c, 'a>| {
            let few = constant_of(*extent).is_some_and(|extent| extent < FEW);
            !few && !extent.is_inside(nest.operation)
        };
        let may_collapse = nest.fresh().is_empty()
            && inner.extents.iter().all(fits)
            && are_repeatable(&before, inner.operation);
        may_collapse.then_some(inner)
    }

    /// A loop in a nest whose iterations may run at the same time.
    fn parallel(
        context: &'c Context,
        nest: &Nest<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Option<Self> {
        match AnyOp::of(operation) {
            AnyOp::Parfor(parfor::Op::Loop(each)) => Some(Self {
                operation,
                extents: each.extents(),
                body: each.body().entry()?,
                disjoint: Disjoint::default(),
                steps: steps(context, nest, operation)?,
            }),
            AnyOp::Scf(scf::Op::For(each)) => {
                let body = each.region().entry()?;
                let position = body.argument_value(0);
                let is_prange = operation.flag_attr(marks::SERIAL_PRANGE);
                let counts = constant_of(each.lower_bound()) == Some(0)
                    && constant_of(each.step()) == Some(1);
                if !counts || !(is_prange || each.results().is_empty()) {
                    return None;
                }
                let disjoint = match is_prange {
                    true => stores_differ(operation, position).then(Disjoint::default),
                    false => disjoint_arrays(nest.operation, each, position),
                };
                Some(Self {
                    operation,
                    extents: vec![each.upper_bound()],
                    body,
                    disjoint: disjoint?,
                    steps: steps(context, nest, operation)?,
                })
            }
            _ => None,
        }
    }
}

/// Keeps the nest as it is for where arrays overlap: copies it to the other branch of a condition.
fn keep_version<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    overlap: Value<'c, 'a>,
) {
    let (_, yes, no) = builder.scf_if(overlap, &[]);
    builder.at_end(yes);
    builder.clone_op(nest.operation, &[]);
    builder.scf_yield(&[]);
    builder.at_end(no);
    let end = scf::Yield::create(builder, &[]);
    builder.move_before(nest.operation, *end);
}

/// Whether operations may be done once for each iteration of a loop behind them, or not at all if it has
/// none.
fn are_repeatable<'c: 'a, 'a>(
    operations: &[OperationRef<'c, 'a>],
    inner: OperationRef<'c, 'a>,
) -> bool {
    let mut footprint = Footprint::default();
    let mut cost = 0;
    for operation in operations {
        footprint.add(*operation);
        match of_simple(*operation) {
            Known::Simple(simple) if operation.region_list().is_empty() => cost += simple,
            _ => return false,
        }
    }
    !footprint.writes_anything()
        && footprint.raises == Raises::Nothing
        && !footprint.conflicts(&Footprint {
            raises: Raises::Nothing,
            ..Footprint::of(inner)
        })
        && cost <= CHEAP
}

/// Replaces a nest by one loop.
fn collapse<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    inner: &Inner<'c, 'a>,
) -> Nest<'c, 'a> {
    builder.before(nest.operation).at(nest.operation.location());
    let extents = [&nest.extents[..], &inner.extents].concat();
    let mut made = NestBuilder::new(&extents, nest.pattern);
    made.fused.clone_from(&nest.fused);
    made.rare = nest.rare;
    made.reductions.clone_from(&nest.reductions);
    let inits = nest.reductions.iter().map(|one| one.init).collect();
    let made = made.build(builder, |_| inits);
    let indices = made.indices();
    let (outer, inside) = indices.split_at(nest.extents.len());
    let mut arguments = inside.to_vec();
    arguments.extend(inner.steps.iter().filter_map(|step| Some(step.carried?.1)));
    let mut parameters: Vec<_> = (nest.indices().into_iter())
        .zip(outer.iter().copied())
        .collect();
    parameters.extend((inner.body.argument_values().into_iter()).zip(arguments.iter().copied()));
    for (at, step) in inner.steps.iter().enumerate() {
        let contribution = mapped(&parameters, step.contribution);
        made.terminator().set_operand_value(at, contribution);
    }
    builder.erase_op(nest.terminator());
    builder.inline_block(nest.body(), made.terminator(), outer);
    if let Some(end) = inner.body.terminator_op() {
        builder.erase_op(end);
    }
    for (combining, _) in inner.steps.iter().filter_map(|step| step.carried) {
        builder.erase_op(combining);
    }
    builder.inline_block(inner.body, inner.operation, &arguments);
    builder.erase_op(inner.operation);
    builder.replace_op(nest.operation, &made.reduced());
    made
}
