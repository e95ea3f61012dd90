//! `py-expand-yield-from`: makes loops of `yield from`.
//!
//! Compiled code sends nothing to generators, so what a generator delegates to is gone through like
//! what a `for` loop goes through.

use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
    ops::{cf, py},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::py::{PyAttribute, object_type};

/// Delegation to loops.
pub static PASS: PassSpec = PassSpec {
    description: "A `py.send` whose receiver is that of a `yield from` becomes a `py.for_iter`, \
                  where the value that `yield from` gives isn't used: a loop doesn't know it.",
    anchor: py::Func::NAME,
    dialects: &["cf", "py"],
    statistics: &[StatisticSpec::new("expanded", "delegations")],
    ..PassSpec::new(
        "py-expand-yield-from",
        "yield the items of a `yield from` in a loop",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let Some(function) = py::Func::of(function) else {
        return Ok(());
    };
    for send in function.nested_ops::<py::Send>() {
        if expand(&builder, function, send).is_some() {
            cx.bump("expanded", 1);
        }
    }
    Ok(())
}

/// Expands one delegation, if it has the form that bytecode gives it.
fn expand<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: py::Func<'c, 'a>,
    send: py::Send<'c, 'a>,
) -> Option<()> {
    let object = object_type(builder.context());
    let delegate = py::GetYieldFromIter::defining(send.receiver())?;
    let end = cf::CondBranch::of(send.parent_block()?.terminator_op()?)?;
    let (result, done) = (send.result(), send.done());
    if end.condition() != done || done.uses().len() != 1 {
        return None;
    }
    let (exit, body) = (end.true_dest(), end.false_dest());
    let mut leaves = end.true_dest_operands();
    for (value, argument) in leaves.iter_mut().zip(exit.argument_values()) {
        if *value == result {
            if argument.has_uses() {
                return None;
            }
            builder.before(*end).at(send.location());
            let none = PyAttribute::None.to_attribute(builder.context());
            *value = py::Constant::create(builder, none).result();
        }
    }
    let passed = end.false_dest_operands();
    let between = builder.append_block(function.body(), &[object]);
    let item = between.argument_value(0);

    builder.before(*end).at(end.location());
    py::ForIter::create(
        builder,
        send.receiver(),
        &[],
        &leaves,
        &[],
        between,
        exit,
        &[],
    );
    builder.at_end(between).at(send.location());
    let passed: Vec<Value> = passed
        .into_iter()
        .map(|value| if value == result { item } else { value })
        .collect();
    cf::Branch::create(builder, &passed, body);
    builder.erase_op(*end);
    result.replace_all_uses(item);
    builder.erase_op(*send);
    builder.before(*delegate).at(delegate.location());
    let iterator = py::GetIter::create(builder, delegate.iterable()).result();
    builder.replace_op(*delegate, &[iterator]);
    Some(())
}
