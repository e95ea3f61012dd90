//! Makes parallel loops of `prange`.
//!
//! Each loop-carried value must be a reduction; any other loop-carried dependence fixes the order
//! of the iterations, so such a loop stays serial.

mod arrays;
mod body;
mod carried;
mod cells;
mod chunked;
mod combined;
mod compared;
mod induction;
mod influence;
mod last;
mod lists;
mod operators;
mod repeated;
mod slots;
mod tables;
mod truth;
mod tuples;

use super::from_comprehension::is_comprehension;
use crate::{
    analysis::{
        nest::{NestBuilder, Reduction},
        reduction::{Combination, is_float, neutral},
    },
    infra::{
        BlockExt, Builder, OperationExt, OptionSpec, PassContext, PassResult, PassSpec,
        StatisticSpec, ValueExt,
        emit::mapped,
        ops::{func, marks, parfor, scf},
    },
    types::{
        number::Number,
        sequences::{is_container, is_structure},
    },
};
use arrays::{InPlace, in_place};
pub(super) use body::counts_from_zero;
use body::{body, terminator};
use carried::Carried;
use combined::plain_call;
use melior::ir::{Attribute, OperationRef, Type, Value, operation::OperationLike};
use pyopt_dialects::{
    enums::{CombineKind, PatternKind},
    typed::{TypedType, array_type},
};
use tables::Lookups;

/// The `parfor-from-prange` pass.
pub static PASS: PassSpec = PassSpec {
    description: "An `scf.for` marked `pyopt.prange` becomes a `parfor.loop`. A carried value must \
                  be a reduction: every path through the body combines it with one operator (`+` \
                  and `-`, `*` and `/`, `min`, `max`, `&`, `|`, `^`), also inside branches and \
                  inner loops, or keeps the best that is found by comparing, or a truth value that \
                  stays once it is set, and it is used for nothing else. Sums and products of \
                  floats may be done in any order then. Calls of a function that the program declares as a \
                  reduction, which `pyopt.combiner` marks, combine numbers and tuples; it is an error \
                  where `pyopt.no_combiner` says that they can't. Other tuples are carried element \
                  by element. Arrays to which every iteration adds, and what is noted with an \
                  extreme, and what is combined more than once or not in every iteration, make a loop over chunks of iterations, each with its own variables, \
                  which are combined in the order of the chunks. Other loops stay serial, with a warning. Inside of a parallel loop \
                  `prange` is `range`. Loops of the library name the option that they belong to, as \
                  in `pyopt.prange = #parfor<pattern_kind reduction>`; of those that stay serial nobody is warned.",
    anchor: func::Func::NAME,
    dialects: &["parfor", "typed"],
    options: &[
        OptionSpec::bool("prange", "off: treat prange as range", true),
        OptionSpec::bool(
            "numpy",
            "convert the library's loops that make arrays",
            true,
        ),
        OptionSpec::bool(
            "reduction",
            "convert the library's loops that reduce arrays",
            true,
        ),
        OptionSpec::bool(
            "chunks",
            "reduce more than numbers, by chunks of iterations",
            true,
        ),
    ],
    statistics: &[
        StatisticSpec::new("loops", "parallel loops made"),
        StatisticSpec::new("reductions", "reductions found"),
    ],
    ..PassSpec::new("parfor-from-prange", "make parallel loops of prange", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // Outer loops come before nested ones, which are looked at again afterwards, as conversions
    // recreate operations.
    while let Some(operation) = function
        .nested_ops::<scf::For>()
        .into_iter()
        .find(|operation| operation.attr(marks::PRANGE).is_some())
    {
        let pattern = pattern(operation);
        operation.remove_attr(marks::PRANGE);
        // `parfor-from-comprehension` comes later.
        if !cx.options().bool(pattern.name()) || is_comprehension(operation) {
            continue;
        }
        // What is inside of a parallel loop is plain.
        if operation.ancestor::<parfor::Loop>().is_some() {
            if pattern == PatternKind::Prange {
                operation.set_attr(marks::SERIAL_PRANGE, Attribute::unit(cx.context()));
            }
            continue;
        }
        // A tuple is still one value.
        check_combined(cx, operation)?;
        let operation = tuples::split(&builder, operation);
        repeated::forward(&builder, operation);
        if counts_from_zero(operation) {
            induction::resolve(&builder, operation);
            last::resolve(&builder, operation);
        }
        match plan(cx, operation) {
            Ok(plan) if plan.needs_chunks(operation) => {
                cx.bump("loops", 1);
                plan.lookups.prepare(builder.before(*operation));
                chunked::convert(&builder, operation, pattern, &plan.carried, &plan.arrays);
            }
            Ok(plan) => {
                plan.lookups.prepare(builder.before(*operation));
                convert(cx, &builder, operation, &plan.carried, pattern);
            }
            Err(_) if pattern != PatternKind::Prange => {}
            Err(reason) => cx.warning(
                operation.location(),
                format!("the iterations of this prange run one after another: {reason}"),
            ),
        }
    }
    Ok(())
}

/// The pattern of the loop that a marked one becomes, which has the name of the option that it
/// belongs to.
fn pattern(operation: scf::For) -> PatternKind {
    let mark = operation.attr(marks::PRANGE);
    mark.and_then(PatternKind::from_attribute)
        .unwrap_or(PatternKind::Prange)
}

/// Reports a loop-carried value that is combined by a user-defined reduction which is invalid for
/// its types.
fn check_combined<'c, 'a>(cx: &PassContext<'c>, operation: scf::For<'c, 'a>) -> PassResult {
    for position in 0..operation.result_values().len() {
        if let Some(call) = operators::refused(operation, position)
            && let Some(reason) = combined::refuses(call)
        {
            return Err(cx.error(call.location(), reason));
        }
    }
    Ok(())
}

/// What a loop becomes.
struct Plan<'c, 'a> {
    /// What each carried value is.
    carried: Vec<Carried<'c>>,
    /// The arrays from around the loop that are reduced.
    arrays: Vec<InPlace<'c, 'a>>,
    /// The dicts and sets that are looked into.
    lookups: Lookups<'c, 'a>,
}

impl<'c: 'a, 'a> Plan<'c, 'a> {
    /// Whether there are reductions of more than numbers: these need private variables per chunk.
    fn needs_chunks(&self, operation: scf::For<'c, 'a>) -> bool {
        let more = self
            .carried
            .iter()
            .enumerate()
            .any(|(position, carried)| match carried {
                Carried::Reduction(_) => {
                    array_type(operation.result_value(position).ty()).is_some()
                }
                Carried::Combined(combined) => plain_call(operation, position, *combined).is_none(),
                carried => matches!(carried, Carried::Extreme { .. }),
            });
        more || !self.arrays.is_empty()
    }
}

/// Classifies each loop-carried value of a loop, or returns why the loop can't run in parallel.
fn plan<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    operation: scf::For<'c, 'a>,
) -> Result<Plan<'c, 'a>, String> {
    if !counts_from_zero(operation) {
        return Err("it doesn't count from 0 by 1".to_owned());
    }
    if let Some(shared) = lists::changed(operation) {
        let what = match TypedType::from(shared) {
            TypedType::List(_) => "list",
            TypedType::Dict(_) | TypedType::Set(_) => "dict or set",
            _ if is_container(shared) => "typed container",
            _ if is_structure(shared) => "instance",
            _ => "value",
        };
        return Err(format!("iterations change the same {what}"));
    }
    let Some(lookups) = Lookups::of(operation) else {
        return Err(
            "iterations look keys up in dicts or sets that something else holds".to_owned(),
        );
    };
    let carried = Carried::all(operation);
    for (position, one) in carried.iter().enumerate() {
        let r#type = operation.result_value(position).ty();
        match one {
            Carried::Dependent(reason) => {
                return Err(format!("a value of type {type} {reason}"));
            }
            Carried::Reduction(kind) if !chunked::is_reducible(*kind, r#type) => {
                return Err(format!("values of type {type} can't be reduced"));
            }
            Carried::Extreme { .. } | Carried::Companion(_) if !is_number(r#type) => {
                return Err(format!("a value of type {type} is noted with an extreme"));
            }
            _ => {}
        }
    }
    let arrays = in_place(operation)?;
    chunked::check(operation, &carried, &arrays)?;
    let plan = Plan {
        carried,
        arrays,
        lookups,
    };
    if plan.needs_chunks(operation) && !cx.options().bool("chunks") {
        return Err("reductions of more than numbers need threads of this machine".to_owned());
    }
    Ok(plan)
}

/// Whether values of a type are numbers or truth values.
pub(super) fn is_number(r#type: Type) -> bool {
    Number::of(r#type).is_some()
}

/// Replaces a loop as planned.
fn convert<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    operation: scf::For<'c, 'a>,
    plan: &[Carried<'c>],
    pattern: PatternKind,
) {
    builder.before(*operation);
    let block = body(operation);
    let terminator = terminator(block);
    let (mut arguments, yielded) = (block.argument_values(), terminator.operand_values());
    let index = arguments.remove(0);
    let inits = operation.init_args();

    let mut nest = NestBuilder::new(&[operation.upper_bound()], pattern);
    // What the carried values are inside, and where results come from.
    let mut inside = Vec::new();
    let mut contributions = Vec::new();
    let mut reduced = Vec::new();
    // The loop itself makes these calls.
    let mut calls = Vec::new();
    for (position, carried) in plan.iter().enumerate() {
        let init = inits[position];
        match carried {
            Carried::Reduction(kind) => {
                // Iterations on threads have no order, and sums that may be done in any order are
                // done in vectors.
                let reassociate =
                    is_float(init.ty()) && matches!(*kind, CombineKind::Add | CombineKind::Mul);
                if reassociate {
                    for combining in operators::combining(operation, position) {
                        combining.set_attr(marks::REASSOC, Attribute::unit(builder.context()));
                    }
                }
                // With what changes nothing in place of what was carried, the body computes what one
                // iteration contributes.
                inside.push(neutral(builder, *kind, init.ty()).unwrap_or(init));
                contributions.push(yielded[position]);
                reduced.push(Some(nest.reductions.len()));
                nest.reductions.push(Reduction {
                    kind: Combination::Operator(*kind),
                    init,
                    reassociate,
                });
            }
            Carried::Combined(combined) => {
                let (call, value) = plain_call(operation, position, *combined)
                    .expect("other reductions of the program need chunks");
                calls.push(call);
                inside.push(init);
                contributions.push(value);
                reduced.push(Some(nest.reductions.len()));
                nest.reductions.push(Reduction {
                    kind: Combination::Combiner(combined.name.to_owned()),
                    init,
                    reassociate: false,
                });
            }
            _ => {
                inside.push(init);
                reduced.push(None);
            }
        }
    }
    cx.bump("loops", 1);
    cx.bump("reductions", nest.reductions.len() as u64);

    let nest = nest.build(builder, |indices| {
        let mut parameters = vec![indices[0]];
        parameters.extend(&inside);
        let mut becomes = vec![(index, indices[0])];
        becomes.extend(arguments.iter().copied().zip(inside.iter().copied()));
        let contributions = contributions
            .iter()
            .map(|value| mapped(&becomes, *value))
            .collect();
        builder.erase_op(terminator);
        calls.into_iter().for_each(|call| builder.erase_op(call));
        builder.merge_blocks(block, builder.block(), &parameters);
        contributions
    });
    let results: Vec<Value> = reduced
        .into_iter()
        .zip(inits)
        .map(|(reduction, init)| reduction.map_or(init, |number| nest.reduced()[number]))
        .collect();
    operation.replace_results(&results);
    operation.erase();
}
