//! `py-expand-yield-from`: makes loops of `yield from`.
//!
//! Compiled code sends nothing to generators, so what a generator delegates to is gone through like
//! what a `for` loop goes through.

use super::edges::Edge;
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
};
use melior::ir::{
    Block, OperationRef, Value, attribute::DenseI32ArrayAttribute, operation::OperationLike,
};
use pyopt_dialects::py::{PyAttribute, object_type};

/// Delegation to loops.
pub static PASS: PassSpec = PassSpec {
    description: "A `py.send` whose receiver is that of a `yield from` becomes a `py.for_iter`, \
                  where the value that `yield from` gives isn't used: a loop doesn't know it.",
    anchor: "py.func",
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
    for send in function.nested("py.send") {
        if expand(&builder, function, send).is_some() {
            cx.bump("expanded", 1);
        }
    }
    Ok(())
}

/// Expands one delegation, if it has the form that bytecode gives it.
fn expand<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: OperationRef<'c, 'a>,
    send: OperationRef<'c, 'a>,
) -> Option<()> {
    let object = object_type(builder.context());
    let delegate = send.operand_value(0).defined_by("py.get_yield_from_iter")?;
    let end = send.parent_block()?.terminator_op()?;
    let (result, done) = (send.result_value(0), send.result_value(1));
    if !end.is("cf.cond_br") || end.operand_value(0) != done || done.uses().len() != 1 {
        return None;
    }
    let [exit, body] = <[Edge; 2]>::try_from(Edge::of(end)).ok()?;
    let mut leaves = exit.passed(end);
    for (value, argument) in leaves.iter_mut().zip(exit.target.argument_values()) {
        if *value == result {
            if argument.has_uses() {
                return None;
            }
            builder.before(end).at(send.location());
            let none = PyAttribute::None.to_attribute(builder.context());
            *value = builder.value("py.constant", &[], object, &[("value", none)]);
        }
    }
    let passed = body.passed(end);
    let between = builder.append_block(function.region_at(0), &[object]);
    let item = between.argument_value(0);

    builder.before(end).at(end.location());
    let operands = [&[send.operand_value(0)], leaves.as_slice()].concat();
    let sizes = DenseI32ArrayAttribute::new(builder.context(), &[1, 0, leaves.len() as i32, 0]);
    let sizes = ("operandSegmentSizes", sizes.into());
    builder.op_with("py.for_iter", &operands, &[], &[sizes], |operation| {
        let blocks: [&Block<'c>; 2] = [&between, &exit.target];
        operation.add_successors(&blocks)
    });
    builder.at_end(between).at(send.location());
    let passed: Vec<Value> = passed
        .into_iter()
        .map(|value| if value == result { item } else { value })
        .collect();
    builder.op_with("cf.br", &passed, &[], &[], |operation| {
        operation.add_successors(&[&body.target])
    });
    builder.erase_op(end);
    result.replace_all_uses(item);
    builder.erase_op(send);
    builder.before(delegate).at(delegate.location());
    let iterable = delegate.operand_value(0);
    let iterator = builder.value("py.get_iter", &[iterable], object, &[]);
    builder.replace_op(delegate, &[iterator]);
    Some(())
}
