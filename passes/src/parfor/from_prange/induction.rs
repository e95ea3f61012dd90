//! Derived induction variables: integers that grow by the same step in every iteration (`j += 2`).

use super::{
    body::{argument, body, init, next},
    carried::Carried,
};
use crate::{
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, ValueExt,
        emit::Emit,
        ops::{scf, typed},
    },
    types::number::Number,
};
use melior::ir::{Value, operation::OperationLike};
use pyopt_dialects::enums::BinaryKind;

/// Computes such values from the induction variable instead of the previous iteration: in iteration
/// `i` one is `init + i * step`. Those with no other use than the sum itself are left to the
/// reductions.
pub(super) fn resolve<'c: 'a, 'a>(builder: &Builder<'c, 'a>, operation: scf::For<'c, 'a>) {
    for position in 0..operation.result_values().len() {
        if matches!(Carried::of(operation, position), Carried::Dependent(_))
            && let Some(steps) = steps(operation, position)
        {
            replace(builder, operation, position, &steps);
        }
    }
}

/// The step of a loop-carried integer.
fn steps<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    position: usize,
) -> Option<Vec<(BinaryKind, Value<'c, 'a>)>> {
    let start = argument(operation, position);
    if !matches!(Number::of(start.ty()), Some(Number::Int { .. })) {
        return None;
    }
    let same = |value: Value<'c, 'a>| !value.is_inside(*operation);
    let mut steps = Vec::new();
    let mut value = next(operation, position);
    while value != start {
        let binary = typed::Binary::defining(value)?;
        let (left, right) = (binary.lhs(), binary.rhs());
        match binary.kind() {
            BinaryKind::Add if same(left) => {
                steps.push((BinaryKind::Add, left));
                value = right;
            }
            kind @ (BinaryKind::Add | BinaryKind::Sub) if same(right) => {
                steps.push((kind, right));
                value = left;
            }
            _ => return None,
        }
    }
    (!steps.is_empty()).then_some(steps)
}

fn replace<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: scf::For<'c, 'a>,
    position: usize,
    steps: &[(BinaryKind, Value<'c, 'a>)],
) {
    let start = init(operation, position);
    let after = |iterations: Value<'c, 'a>| {
        let count = builder.cast(iterations, start.ty());
        steps.iter().fold(start, |value, (kind, step)| {
            let distance = builder.binary(BinaryKind::Mul, count, *step);
            builder.binary(*kind, value, distance)
        })
    };
    builder.at(operation.location());
    let block = body(operation);
    builder.at_start(block);
    let current = after(block.argument_value(0));
    argument(operation, position).replace_all_uses(current);

    builder.after(*operation);
    let iterations = iterations(builder, operation);
    let last = after(iterations);
    operation.result_value(position).replace_all_uses(last);
}

/// The trip count of a loop that counts from 0 by 1.
pub(super) fn iterations<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: scf::For<'c, 'a>,
) -> Value<'c, 'a> {
    let (zero, upper) = (builder.index(0), operation.upper_bound());
    let any = builder.cmpi(CmpInt::Sgt, upper, zero);
    builder.select(any, upper, zero)
}
