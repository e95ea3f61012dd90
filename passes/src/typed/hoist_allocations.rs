//! Hoists allocations that are private to an iteration out of the loop: one buffer serves all
//! iterations.

use super::ownership::is_view;
use crate::{
    inference::number::Number,
    infra::{
        BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, OptionSpec, PassContext,
        PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt,
    },
    lowering::segment_sizes,
    parfor::{
        emit::{Emit, element_type},
        reduction::identity,
        shape::{Extent, rank},
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};

/// The `typed-hoist-allocations` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `typed.empty` that every iteration of an `scf.for` reaches, of sizes that are \
                  the same in all of them, goes before the loop if the array doesn't outlive the \
                  iteration: it is only loaded from, stored to, looked at as views, and passed to \
                  bodies of parallel loops that do no more. Zeros are stored in each iteration \
                  instead. A loop without iterations allocates nothing.",
    dialects: &["arith", "scf", "typed"],
    options: &[OptionSpec::bool(
        "remarks",
        "tell which arrays are made once",
        false,
    )],
    statistics: &[StatisticSpec::new(
        "hoisted",
        "allocations moved before a loop",
    )],
    ..PassSpec::new(
        "typed-hoist-allocations",
        "move allocations of loops before them",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    // Inner loops first: what is hoisted out of one may be hoisted out of its parent too.
    for r#loop in module.post_order() {
        if !r#loop.is("scf.for") {
            continue;
        }
        let body = r#loop.region_at(0).entry().expect("a loop has a body");
        for allocation in body.operation_list() {
            if !may_be_hoisted(allocation, r#loop) {
                continue;
            }
            hoist(&builder, allocation, r#loop);
            cx.bump("hoisted", 1);
            if cx.options().bool("remarks") {
                let message = "the array is made once, before the loop, and not in each iteration";
                cx.remark(allocation.location(), message.to_owned());
            }
        }
    }
    Ok(())
}

fn may_be_hoisted<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
) -> bool {
    if !operation.is("typed.empty") {
        return false;
    }
    let sizes = operation.operand_values();
    // Operands after the sizes are owners to release on failure, which aren't known before the
    // loop. A hoisted allocation must not raise before the effects of earlier iterations; in a body
    // that runs on threads that order is unspecified anyway.
    let in_order = !operation
        .parent_named("func.func")
        .is_some_and(|function| function.flag_attr("pyopt.parfor"));
    let array = operation.result_value(0);
    let zeroes = operation.flag_attr("zeroed");
    sizes.len() == rank(array)
        && (!zeroes || Number::of(element_type(array)).is_some())
        && sizes
            .iter()
            .all(|size| is_invariant(*size, r#loop) && !(in_order && may_be_negative(*size)))
        && stays_inside(array, r#loop)
}

/// Whether a size isn't known to be an array's extent, and so non-negative. This pass itself makes
/// selects between extents and 0.
fn may_be_negative<'c: 'a, 'a>(size: Value<'c, 'a>) -> bool {
    match size.defined_by("arith.select") {
        Some(choice) => choice.operand_values()[1..]
            .iter()
            .any(|size| may_be_negative(*size)),
        None => !Extent::of(size).is_natural(),
    }
}

/// Whether a value is defined outside of a loop, or is computed by pure operations from such
/// values.
fn is_invariant<'c: 'a, 'a>(value: Value<'c, 'a>, r#loop: OperationRef<'c, 'a>) -> bool {
    if !value.is_inside(r#loop) {
        return true;
    }
    value.defining_op().is_some_and(|operation| {
        operation.is_pure()
            && operation.region_list().is_empty()
            && operation
                .operand_values()
                .into_iter()
                .all(|operand| is_invariant(operand, r#loop))
    })
}

/// Whether an array doesn't escape the iteration that allocates it.
fn stays_inside<'c: 'a, 'a>(array: Value<'c, 'a>, r#loop: OperationRef<'c, 'a>) -> bool {
    array.uses().into_iter().all(|one| {
        let user = one.user;
        match user.full_name() {
            "typed.load" | "typed.dim" | "typed.overlaps" => true,
            "typed.store" => one.operand == 1,
            name if is_view(name) => one.operand == 0 && stays_inside(user.result_value(0), r#loop),
            "parfor.launch" => stays_inside_body(user, array, r#loop),
            _ => false,
        }
    })
}

/// The same for an array that is an argument of a launch.
fn stays_inside_body<'c: 'a, 'a>(
    launch: OperationRef<'c, 'a>,
    array: Value<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
) -> bool {
    let body = launch
        .symbol_attr("body")
        .and_then(|name| launch.lookup_symbol(name));
    let Some(entry) = body.and_then(|body| body.region_at(0).entry()) else {
        return false;
    };
    let segments = segment_sizes(launch);
    let dimensions = segments[0];
    let arguments = &launch.operand_values()[dimensions..dimensions + segments[1]];
    let passed = || (0..).zip(arguments).filter(|(_, one)| **one == array);
    // It must be an argument, and no other operand of the launch.
    array.uses().iter().filter(|one| one.user == launch).count() == passed().count()
        && passed().all(|(at, _)| stays_inside(entry.argument_value(2 * dimensions + at), r#loop))
}

fn hoist<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    allocation: OperationRef<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
) {
    let array = allocation.result_value(0);
    builder.before(r#loop).at(allocation.location());
    let runs = builder.cmpi(
        CmpInt::Slt,
        r#loop.operand_value(0),
        r#loop.operand_value(1),
    );
    let zero = builder.index(0);
    let sizes: Vec<_> = allocation
        .operand_values()
        .into_iter()
        .map(|size| {
            lift(builder, size, r#loop);
            builder.select(runs, builder.cast(size, builder.index_type()), zero)
        })
        .collect();
    let made = builder.empty(&sizes, array.ty());
    if allocation.flag_attr("zeroed") {
        builder.before(allocation);
        let element = element_type(array);
        let zero = identity(builder, "add", element).expect("only arrays of numbers are zeroed");
        fill(builder, made, zero, &sizes);
    }
    builder.replace_op(allocation, &[made]);
}

/// Hoists the computation of a value in front of a loop.
fn lift<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>, r#loop: OperationRef<'c, 'a>) {
    let Some(operation) = value.defining_op().filter(|one| one.is_within(r#loop)) else {
        return;
    };
    for operand in operation.operand_values() {
        lift(builder, operand, r#loop);
    }
    builder.move_before(operation, r#loop);
}

/// Stores a number to all elements of an array.
fn fill<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    value: Value<'c, 'a>,
    sizes: &[Value<'c, 'a>],
) {
    let lower = builder.index(0);
    let mut indices = Vec::new();
    let mut blocks = Vec::new();
    for size in sizes {
        let (operation, block) = builder.scf_for(lower, *size, &[]);
        indices.push(block.argument_value(0));
        blocks.push((operation, block));
    }
    builder.store(value, array, &indices);
    for (operation, block) in blocks.into_iter().rev() {
        builder.at_end(block).scf_yield(&[]);
        builder.after(operation);
    }
}
