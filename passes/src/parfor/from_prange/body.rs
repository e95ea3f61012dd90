//! The structured operations of a loop body, and the flow of values through them.

use crate::infra::{
    AttributeExt, BlockExt, OperationExt, RegionExt, Use, ValueExt,
    ops::{AnyOp, arith, scf, typed},
};
use melior::ir::{BlockRef, OperationRef, RegionRef, Value};

/// The body of a loop.
pub(super) fn body<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> BlockRef<'c, 'a> {
    each.region().entry().expect("a verified loop has a body")
}

/// The terminator of a structured block.
pub(super) fn terminator<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> OperationRef<'c, 'a> {
    block
        .terminator_op()
        .expect("structured blocks end with a yield")
}

/// The block argument of a loop for a loop-carried value.
pub(super) fn argument<'c: 'a, 'a>(each: scf::For<'c, 'a>, position: usize) -> Value<'c, 'a> {
    body(each).argument_value(1 + position)
}

/// The initial value of a loop-carried value.
pub(super) fn init<'c: 'a, 'a>(each: scf::For<'c, 'a>, position: usize) -> Value<'c, 'a> {
    each.init_args()[position]
}

/// The value that a loop body yields for a loop-carried value.
pub(super) fn next<'c: 'a, 'a>(each: scf::For<'c, 'a>, position: usize) -> Value<'c, 'a> {
    terminator(body(each)).operand_value(position)
}

/// Whether a loop counts from 0 by 1, as `typed-range-to-for` makes them.
pub(in crate::parfor) fn counts_from_zero(each: scf::For) -> bool {
    let is = |bound: Value, wanted| {
        let constant = arith::Constant::defining(bound);
        constant.and_then(|constant| constant.value().integer_value()) == Some(wanted)
    };
    is(each.lower_bound(), 0) && is(each.step(), 1)
}

/// What the branches of an `scf.if` yield for a result, or what an `arith.select` chooses from:
/// the value where the condition holds, and the other one.
pub(super) fn alternatives<'c: 'a, 'a>(
    value: Value<'c, 'a>,
) -> Option<(Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>)> {
    match AnyOp::of(value.defining_op()?) {
        AnyOp::Arith(arith::Op::Select(select)) => Some((
            select.condition(),
            select.true_value(),
            select.false_value(),
        )),
        AnyOp::Scf(scf::Op::If(branch)) => {
            let yielded = |region: RegionRef<'c, 'a>| {
                Some(terminator(region.entry()?).operand_value(value.position()))
            };
            Some((
                branch.condition(),
                yielded(branch.then_region())?,
                yielded(branch.else_region())?,
            ))
        }
        _ => None,
    }
}

/// The truth value that a constant is.
pub(super) fn truth_constant(value: Value) -> Option<bool> {
    let constant = match AnyOp::of(value.defining_op()?) {
        AnyOp::Arith(arith::Op::Constant(constant)) => constant.value(),
        AnyOp::Typed(typed::Op::Constant(constant)) => constant.value(),
        _ => return None,
    };
    constant.bool_value()
}

/// The inner loop that has a value as an initial value, with the value's number among its
/// loop-carried values.
pub(super) fn carrying_loop<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(scf::For<'c, 'a>, usize)> {
    match value.defining_op() {
        Some(operation) => Some((scf::For::of(operation)?, value.position())),
        None => {
            let each = scf::For::of(value.defining_block().parent()?)?;
            Some((each, value.position().checked_sub(1)?))
        }
    }
}

/// The values that an operand of a structured operation goes to as it is; `None` where something
/// else is done with it.
pub(super) fn targets<'c: 'a, 'a>(r#use: Use<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let operand = r#use.operand;
    match scf::Op::of(r#use.user)? {
        scf::Op::Yield(end) => match scf::Op::of(end.parent()?)? {
            scf::Op::For(each) => Some(targets_of_init(each, operand)),
            scf::Op::While(again) => Some(vec![entry(again.before())?.argument_value(operand)]),
            scf::Op::If(branch) => Some(vec![branch.result_value(operand)]),
            scf::Op::IndexSwitch(switch) => Some(vec![switch.result_value(operand)]),
            _ => None,
        },
        scf::Op::For(each) => {
            let position = operand.checked_sub(each.init_args_range().start)?;
            Some(targets_of_init(each, position))
        }
        scf::Op::While(again) => Some(vec![entry(again.before())?.argument_value(operand)]),
        scf::Op::Condition(condition) => {
            let position = operand.checked_sub(condition.args_range().start)?;
            let again = scf::While::of(condition.parent()?)?;
            let inside = entry(again.after())?.argument_value(position);
            Some(vec![inside, again.result_value(position)])
        }
        _ => None,
    }
}

/// The values that an inner loop's initial value goes to.
fn targets_of_init<'c: 'a, 'a>(inner: scf::For<'c, 'a>, position: usize) -> Vec<Value<'c, 'a>> {
    vec![argument(inner, position), inner.result_value(position)]
}

/// The values that come together in what a structured operation gives or hands to its blocks;
/// `None` for anything else.
pub(super) fn sources<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    if let Some((inner, position)) = carrying_loop(value) {
        return Some(vec![init(inner, position), next(inner, position)]);
    }
    if let Some((_, yes, no)) = alternatives(value) {
        return Some(vec![yes, no]);
    }
    let at = value.position();
    let passed = |again: scf::While<'c, 'a>| {
        let condition = scf::Condition::of(terminator(entry(again.before())?))?;
        Some(vec![condition.args()[at]])
    };
    match value.defining_op() {
        Some(operation) => match scf::Op::of(operation)? {
            scf::Op::IndexSwitch(switch) => {
                let blocks = switch.region_list().into_iter().map(RegionExt::entry);
                blocks
                    .map(|block| Some(terminator(block?).operand_value(at)))
                    .collect()
            }
            scf::Op::While(again) => passed(again),
            _ => None,
        },
        None => {
            let block = value.defining_block();
            let again = scf::While::of(block.parent()?)?;
            if entry(again.before())? != block {
                return passed(again);
            }
            let yielded = terminator(entry(again.after())?).operand_value(at);
            Some(vec![again.inits()[at], yielded])
        }
    }
}

fn entry<'c: 'a, 'a>(region: RegionRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    region.entry()
}
