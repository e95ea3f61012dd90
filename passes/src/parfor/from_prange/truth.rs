//! Reductions of truth values by `and` and `or`, however they are written.

use super::body::{alternatives, argument, carrying_loop, next, truth_constant};
use crate::infra::{OperationExt, ValueExt};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::enums::BinaryKind;

/// The reduction of a truth value that influences nothing but its own next value.
///
/// If false stays false whatever an iteration computes, it is an `and`: `ok = ok and a[i] > 0`, or
/// `if a[i] <= 0: ok = False`. If true stays true, it is an `or`.
pub(super) fn kind<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    position: usize,
) -> Option<&'static str> {
    let stays = |wanted: bool| {
        let mut known = vec![(argument(operation, position), wanted)];
        truth(next(operation, position), &mut known) == Some(wanted)
    };
    if stays(false) {
        Some("and")
    } else {
        stays(true).then_some("or")
    }
}

/// The constant that a value is known to be. `known` gives those of block arguments.
fn truth<'c: 'a, 'a>(value: Value<'c, 'a>, known: &mut Vec<(Value<'c, 'a>, bool)>) -> Option<bool> {
    if let Some((_, is)) = known.iter().find(|(one, _)| *one == value) {
        return Some(*is);
    }
    if let Some((condition, yes, no)) = alternatives(value) {
        return match truth(condition, known) {
            Some(true) => truth(yes, known),
            Some(false) => truth(no, known),
            None => {
                let yes = truth(yes, known)?;
                (truth(no, known)? == yes).then_some(yes)
            }
        };
    }
    let operation = value.defining_op()?;
    let kind = match operation.full_name() {
        "arith.constant" | "typed.constant" => return truth_constant(value),
        // It begins with this and keeps it, however often it goes round.
        "scf.for" => {
            let (inner, position) = carrying_loop(value)?;
            let start = truth(inner.operand_value(3 + position), known)?;
            known.push((argument(inner, position), start));
            let after = truth(next(inner, position), known);
            known.pop();
            return (after == Some(start)).then_some(start);
        }
        "typed.binary" => operation
            .attr("kind")
            .and_then(BinaryKind::from_attribute)?,
        "arith.andi" => BinaryKind::And,
        "arith.ori" => BinaryKind::Or,
        "arith.xori" => BinaryKind::Xor,
        _ => return None,
    };
    let left = truth(operation.operand_value(0), known);
    let right = truth(operation.operand_value(1), known);
    match (kind, left, right) {
        (BinaryKind::And, Some(false), _) | (BinaryKind::And, _, Some(false)) => Some(false),
        (BinaryKind::Or, Some(true), _) | (BinaryKind::Or, _, Some(true)) => Some(true),
        (BinaryKind::And, Some(left), Some(right)) => Some(left && right),
        (BinaryKind::Or, Some(left), Some(right)) => Some(left || right),
        (BinaryKind::Xor, Some(left), Some(right)) => Some(left != right),
        _ => None,
    }
}
