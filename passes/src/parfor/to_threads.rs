//! Outlines the bodies of parallel loops, to be run on threads.

mod environment;

use self::environment::Environment;
use super::{schedule::runs_on_threads, to_scf::lower_nest};
use crate::{
    analysis::{
        effects::{OF_ANYONE, OF_CALLER, Origin},
        nest::Nest,
        reduction::Combination,
        work,
    },
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
        ValueExt,
        ops::{func, marks, parfor},
    },
};
use melior::{
    Context,
    ir::{
        Attribute, BlockRef, OperationRef, Type, Value, attribute::DenseI64ArrayAttribute,
        operation::OperationLike, r#type::FunctionType,
    },
};

/// The `parfor-to-threads` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Every `parfor.loop` that isn't `serial` becomes a `parfor.launch` of a private \
                  function `@f.parforN`, a serial nest over the bounds of one part. It takes the \
                  bounds, what the body uses from around it, and a start value a reduction. \
                  Constants are made again in it, and so is what takes a few operations on integers \
                  to compute from what it gets; intervals of what it gets are written down as \
                  `max` and `min`, and so is that its bounds are in the loop's. So the body knows what \
                  the function around it did. The launch gets an estimate of the work of an \
                  iteration, where its loops have extents that are known before, and the schedule \
                  that `parfor-schedule` chose. `pyopt.origins` says of each argument which \
                  allocation it is a view of: the body knows what overlaps as the function \
                  does that it was in. Loops inside of a parallel loop stay serial. \
                  Fresh arrays must have been allocated by `parfor-materialize`.",
    dialects: &["arith", "func", "parfor", "scf", "typed"],
    statistics: &[StatisticSpec::new("outlined", "loop bodies outlined")],
    ..PassSpec::new(
        "parfor-to-threads",
        "outline parallel loops and launch them on threads",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    for function in module.nested_ops::<func::Func>() {
        let mut number = 0;
        for operation in outermost(function) {
            let nest = Nest::of(operation).expect("only parallel loops are outlined");
            if !nest.fresh().is_empty() {
                return Err(cx.error(
                    operation.location(),
                    "'parfor.loop' op still yields fresh arrays: run parfor-materialize first",
                ));
            }
            let name = loop {
                let name = format!("{}.parfor{number}", function.sym_name());
                number += 1;
                if function.lookup_symbol(&name).is_none() {
                    break name;
                }
            };
            outline(&builder, module, function, &nest, &name);
            cx.bump("outlined", 1);
        }
    }
    Ok(())
}

/// The outermost parallel loops of a function.
pub(super) fn outermost<'c: 'a, 'a>(function: func::Func<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    function
        .nested_ops::<parfor::Loop>()
        .into_iter()
        .map(parfor::Loop::operation)
        .filter(|operation| Nest::of(*operation).is_some_and(|nest| runs_on_threads(&nest)))
        .collect()
}

fn outline<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: func::Func<'c, 'a>,
    nest: &Nest<'c, 'a>,
    name: &str,
) {
    let environment = Environment::of(nest);
    let captured = &environment.captured;
    let starts: Vec<_> = nest
        .reductions
        .iter()
        .map(|reduction| reduction.init)
        .collect();

    builder.before(nest.operation);
    let work = work::estimate(builder, module, nest);
    let (body, entry) = make_function(builder, function, nest, captured, name);
    let arguments = entry.argument_values();
    let (bounds, rest) = arguments.split_at(2 * nest.extents.len());
    let (lower, upper) = bounds.split_at(nest.extents.len());
    let (parameters, start_parameters) = rest.split_at(captured.len());

    builder.at_end(entry).at(nest.operation.location());
    let replaced = environment.make(builder, parameters);
    let (lower, upper) = environment::within(builder, nest, &replaced, lower, upper);
    let partial = lower_nest(builder, nest, &lower, &upper, start_parameters);
    func::Return::create(builder.at_end(entry), &partial);
    for (outside, inside) in replaced {
        outside.replace_uses_if(inside, |r#use| r#use.user.is_within(body));
    }

    builder.before(nest.operation);
    let kinds: Vec<_> = nest
        .reductions
        .iter()
        .map(|reduction| &reduction.kind)
        .collect();
    let types: Vec<_> = starts.iter().map(|start| start.ty()).collect();
    let launch = parfor::Launch::create(
        builder,
        name,
        &nest.extents,
        captured,
        &starts,
        work,
        &[],
        &Combination::attributes(builder.context(), &kinds),
        &types,
    );
    if let Some(schedule) = nest.operation.attr(marks::SCHEDULE) {
        launch.set_attr(marks::SCHEDULE, schedule);
    }
    builder.replace_op(nest.operation, &launch.result_values());
}

/// Makes the outlined function of a loop's body, without operations, after the function that the
/// loop is in.
fn make_function<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: func::Func<'c, 'a>,
    nest: &Nest<'c, 'a>,
    captured: &[Value<'c, 'a>],
    name: &str,
) -> (OperationRef<'c, 'a>, BlockRef<'c, 'a>) {
    let context = builder.context();
    let results: Vec<Type> = nest.reductions.iter().map(|one| one.init.ty()).collect();
    let mut inputs = vec![builder.index_type(); 2 * nest.extents.len()];
    inputs.extend(captured.iter().map(|value| value.ty()));
    inputs.extend(&results);

    builder
        .after(function.operation())
        .at(nest.operation.location());
    let r#type = FunctionType::new(context, &inputs, &results).into();
    let made = func::Func::create(builder, name, r#type);
    made.set_sym_visibility(Some("private"));
    made.set_attr(marks::PARFOR, Attribute::unit(context));
    made.set_attr(marks::ORIGINS, origins(context, nest, captured));
    if let Some(qualified) = function.attr(marks::FUNCTION) {
        made.set_attr(marks::FUNCTION, qualified);
    }
    let entry = builder.append_block(made.body(), &inputs);
    (made.operation(), entry)
}

/// The origin of the memory of each argument of a loop's body.
fn origins<'c: 'a, 'a>(
    context: &'c Context,
    nest: &Nest<'c, 'a>,
    captured: &[Value<'c, 'a>],
) -> DenseI64ArrayAttribute<'c> {
    let mut allocations: Vec<Value> = Vec::new();
    let mut origin = |value: &Value<'c, 'a>| match Origin::of(*value) {
        Origin::Argument => OF_CALLER,
        Origin::Unknown => OF_ANYONE,
        Origin::Fresh(array) => {
            let known = allocations.iter().position(|other| *other == array);
            let at = known.unwrap_or_else(|| {
                allocations.push(array);
                allocations.len() - 1
            });
            at as i64
        }
    };
    let mut origins = vec![OF_ANYONE; 2 * nest.extents.len()];
    origins.extend(captured.iter().map(&mut origin));
    origins.extend(nest.reductions.iter().map(|_| OF_ANYONE));
    DenseI64ArrayAttribute::new(context, &origins)
}
