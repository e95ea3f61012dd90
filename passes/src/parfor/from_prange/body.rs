//! The structured operations of a loop's body, and where values go through them.

use crate::infra::{AttributeExt, BlockExt, OperationExt, RegionExt, ValueExt};
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

/// What a loop's body is given for a carried value.
pub(super) fn argument<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    position: usize,
) -> Value<'c, 'a> {
    body(operation).argument_value(1 + position)
}

/// What a loop's body makes of a carried value.
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

/// The inner loop that a value is carried by, with its position among the carried values.
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

/// The values that a branch's or an inner loop's yield goes to.
pub(super) fn targets_of_yield<'c: 'a, 'a>(
    parent: OperationRef<'c, 'a>,
    position: usize,
) -> Vec<Value<'c, 'a>> {
    match parent.full_name() {
        "scf.for" => targets_of_init(parent, position),
        _ => parent
            .result_values()
            .get(position)
            .copied()
            .into_iter()
            .collect(),
    }
}

/// The values that an inner loop's initial value goes to.
pub(super) fn targets_of_init<'c: 'a, 'a>(
    inner: OperationRef<'c, 'a>,
    position: usize,
) -> Vec<Value<'c, 'a>> {
    vec![
        body(inner).argument_value(1 + position),
        inner.result_value(position),
    ]
}
