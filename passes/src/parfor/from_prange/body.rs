//! The structured operations of a loop body, and the flow of values through them.

use crate::infra::{AttributeExt, BlockExt, OperationExt, RegionExt, Use, ValueExt};
use melior::ir::{BlockRef, OperationRef, Value};

/// The body of an `scf.for`.
pub(super) fn body<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
    operation
        .region_at(0)
        .entry()
        .expect("a verified loop has a body")
}

/// The terminator of a structured block.
pub(super) fn terminator<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> OperationRef<'c, 'a> {
    block
        .terminator_op()
        .expect("structured blocks end with a yield")
}

/// The block argument of a loop for a loop-carried value.
pub(super) fn argument<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    position: usize,
) -> Value<'c, 'a> {
    body(operation).argument_value(1 + position)
}

/// The value that a loop body yields for a loop-carried value.
pub(super) fn next<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, position: usize) -> Value<'c, 'a> {
    terminator(body(operation)).operand_value(position)
}

/// What the branches of an `scf.if` yield for a result, or what an `arith.select` chooses from:
/// the value where the condition holds, and the other one.
pub(super) fn alternatives<'c: 'a, 'a>(
    value: Value<'c, 'a>,
) -> Option<(Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>)> {
    let operation = value.defining_op()?;
    match operation.full_name() {
        "arith.select" => {
            let operands = operation.operand_values();
            Some((operands[0], operands[1], operands[2]))
        }
        "scf.if" => {
            let yielded = |branch: usize| {
                let block = operation.region_at(branch).entry()?;
                Some(terminator(block).operand_value(value.position()))
            };
            Some((operation.operand_value(0), yielded(0)?, yielded(1)?))
        }
        _ => None,
    }
}

/// The truth value that a constant is.
pub(super) fn truth_constant(value: Value) -> Option<bool> {
    value.defining_op()?.attr("value")?.bool_value()
}

/// The inner loop that has a value as an initial value, with the value's number among its
/// loop-carried values.
pub(super) fn carrying_loop<'c: 'a, 'a>(
    value: Value<'c, 'a>,
) -> Option<(OperationRef<'c, 'a>, usize)> {
    match value.defining_op() {
        Some(operation) => operation
            .is("scf.for")
            .then(|| (operation, value.position())),
        None => {
            let parent = value.defining_block().parent()?;
            let carried = parent.is("scf.for") && value.position() > 0;
            carried.then(|| (parent, value.position() - 1))
        }
    }
}

/// The values that an operand of a structured operation goes to as it is; `None` where something
/// else is done with it.
pub(super) fn targets<'c: 'a, 'a>(r#use: Use<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let (user, operand) = (r#use.user, r#use.operand);
    match user.full_name() {
        "scf.yield" => {
            let parent = user.parent()?;
            match parent.full_name() {
                "scf.for" => Some(targets_of_init(parent, operand)),
                "scf.while" => Some(vec![entry(parent, 0)?.argument_value(operand)]),
                "scf.if" | "scf.index_switch" => Some(vec![parent.result_value(operand)]),
                _ => None,
            }
        }
        "scf.for" if operand >= 3 => Some(targets_of_init(user, operand - 3)),
        "scf.while" => Some(vec![entry(user, 0)?.argument_value(operand)]),
        "scf.condition" if operand >= 1 => {
            let parent = user.parent()?;
            let inside = entry(parent, 1)?.argument_value(operand - 1);
            Some(vec![inside, parent.result_value(operand - 1)])
        }
        _ => None,
    }
}

/// The values that an inner loop's initial value goes to.
fn targets_of_init<'c: 'a, 'a>(inner: OperationRef<'c, 'a>, position: usize) -> Vec<Value<'c, 'a>> {
    vec![argument(inner, position), inner.result_value(position)]
}

/// The values that come together in what a structured operation gives or hands to its blocks;
/// `None` for anything else.
pub(super) fn sources<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    if let Some((inner, position)) = carrying_loop(value) {
        return Some(vec![
            inner.operand_value(3 + position),
            next(inner, position),
        ]);
    }
    if let Some((_, yes, no)) = alternatives(value) {
        return Some(vec![yes, no]);
    }
    let at = value.position();
    let passed = |parent: OperationRef<'c, 'a>| {
        let condition = terminator(entry(parent, 0)?);
        Some(vec![condition.operand_value(1 + at)])
    };
    match value.defining_op() {
        Some(operation) if operation.is("scf.index_switch") => {
            let blocks = operation.region_list().into_iter().map(RegionExt::entry);
            blocks
                .map(|block| Some(terminator(block?).operand_value(at)))
                .collect()
        }
        Some(operation) => operation.is("scf.while").then(|| passed(operation))?,
        None => {
            let block = value.defining_block();
            let parent = block.parent().filter(|parent| parent.is("scf.while"))?;
            if entry(parent, 0)? != block {
                return passed(parent);
            }
            let again = terminator(entry(parent, 1)?).operand_value(at);
            Some(vec![parent.operand_value(at), again])
        }
    }
}

fn entry<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, region: usize) -> Option<BlockRef<'c, 'a>> {
    operation.region_at(region).entry()
}
