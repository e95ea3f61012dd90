//! Hoists allocations that are private to an iteration out of the loop: one buffer serves all
//! iterations.

use crate::{
    analysis::{reduction::identity, sizes::is_natural},
    infra::{
        BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, OperationInterfaces,
        PassContext, PassResult, PassSpec, REMARKS, RegionExt, StatisticSpec, ValueExt,
        emit::{Emit, element_type},
        ops::{AnyOp, arith, func, marks, parfor, scf, typed},
    },
    types::number::Number,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::enums::CombineKind;

/// The `typed-hoist-allocations` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `typed.empty` that every iteration of an `scf.for` reaches, of sizes that are \
                  the same in all of them, goes before the loop if the array doesn't outlive the \
                  iteration: it is only loaded from, stored to, looked at as views, passed to linked \
                  functions of the library that return numbers, and to bodies of parallel loops that \
                  do no more than these. Zeros are stored in each iteration \
                  instead. A loop without iterations allocates nothing.",
    dialects: &["arith", "scf", "typed"],
    options: &[REMARKS],
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
    let operations = module.post_order().into_iter();
    for r#loop in operations.filter_map(scf::For::of) {
        let body = r#loop.region().entry().expect("a loop has a body");
        let operations = body.operation_list().into_iter();
        for allocation in operations.filter_map(typed::Empty::of) {
            if !may_be_hoisted(allocation, r#loop) {
                continue;
            }
            let location = allocation.location();
            hoist(&builder, allocation, r#loop);
            let message = "the array is made once, before the loop, and not in each iteration";
            cx.transformed("hoisted", location, message);
        }
    }
    Ok(())
}

fn may_be_hoisted<'c: 'a, 'a>(allocation: typed::Empty<'c, 'a>, r#loop: scf::For<'c, 'a>) -> bool {
    // A hoisted allocation must not raise before the effects of earlier iterations; in a body that
    // runs on threads that order is unspecified anyway.
    let in_order = !allocation
        .ancestor::<func::Func>()
        .is_some_and(|function| function.flag_attr(marks::PARFOR));
    let array = allocation.result();
    // Owners to release on failure aren't known before the loop.
    allocation.owned().is_empty()
        && (!allocation.zeroed() || Number::of(element_type(array)).is_some())
        && allocation
            .sizes()
            .iter()
            .all(|size| is_invariant(*size, *r#loop) && !(in_order && may_be_negative(*size)))
        && stays_inside(array, *r#loop)
}

/// Whether a size isn't known to be an array's extent, and so non-negative. This pass itself makes
/// selects between extents and 0.
fn may_be_negative<'c: 'a, 'a>(size: Value<'c, 'a>) -> bool {
    match arith::Select::defining(size) {
        Some(choice) => {
            may_be_negative(choice.true_value()) || may_be_negative(choice.false_value())
        }
        None => !is_natural(size),
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
        if user.view_source() == Some(array) {
            return stays_inside(user.result_value(0), r#loop);
        }
        match AnyOp::of(user) {
            AnyOp::Typed(typed::Op::Load(_) | typed::Op::Dim(_) | typed::Op::Overlaps(_)) => true,
            AnyOp::Typed(typed::Op::Store(_)) => one.operand == typed::Store::ARRAY_OPERAND,
            AnyOp::Typed(typed::Op::Call(call)) => is_only_read(call),
            AnyOp::Parfor(parfor::Op::Launch(launch)) => stays_inside_body(launch, array, r#loop),
            _ => false,
        }
    })
}

/// Whether nothing of a call's arguments is left when it returns: functions of the library keep none,
/// and a number refers to none.
fn is_only_read<'c: 'a, 'a>(call: typed::Call<'c, 'a>) -> bool {
    let callee = call.lookup_symbol(call.callee());
    callee.is_some_and(|callee| callee.str_attr(marks::LINKED).is_some())
        && call.owned().is_empty()
        && call
            .result_types()
            .into_iter()
            .all(|result| Number::of(result).is_some())
}

/// The same for an array that is an argument of a launch.
fn stays_inside_body<'c: 'a, 'a>(
    launch: parfor::Launch<'c, 'a>,
    array: Value<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
) -> bool {
    let body = launch.lookup_symbol(launch.body()).and_then(func::Func::of);
    let Some(entry) = body.and_then(|body| body.body().entry()) else {
        return false;
    };
    let arguments = launch.args();
    let passed = || (0..).zip(&arguments).filter(|(_, one)| **one == array);
    // The arguments of the body follow its lower and its upper bounds.
    let bounds = 2 * launch.extents().len();
    // It must be an argument, and no other operand of the launch.
    array
        .uses()
        .iter()
        .filter(|one| one.user == *launch)
        .count()
        == passed().count()
        && passed().all(|(at, _)| stays_inside(entry.argument_value(bounds + at), r#loop))
}

fn hoist<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    allocation: typed::Empty<'c, 'a>,
    r#loop: scf::For<'c, 'a>,
) {
    let array = allocation.result();
    builder.before(*r#loop).at(allocation.location());
    let runs = builder.cmpi(CmpInt::Slt, r#loop.lower_bound(), r#loop.upper_bound());
    let zero = builder.index(0);
    let sizes: Vec<_> = allocation
        .sizes()
        .into_iter()
        .map(|size| {
            lift(builder, size, *r#loop);
            builder.select(runs, builder.cast(size, builder.index_type()), zero)
        })
        .collect();
    let made = builder.empty(&sizes, array.ty());
    if allocation.zeroed() {
        builder.before(*allocation);
        let element = element_type(array);
        let zero = identity(builder, CombineKind::Add, element)
            .expect("only arrays of numbers are zeroed");
        fill(builder, made, zero, &sizes);
    }
    builder.replace_op(*allocation, &[made]);
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
