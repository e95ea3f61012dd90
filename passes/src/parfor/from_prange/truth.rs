//! Reductions of truth values by `and` and `or`, however they are written.

use super::body::{alternatives, argument, carrying_loop, init, next, truth_constant};
use crate::infra::{
    ValueExt,
    ops::{AnyOp, arith, scf, typed},
};
use melior::ir::Value;
use pyopt_dialects::enums::{BinaryKind, CombineKind};

/// The reduction of a truth value that influences nothing but its own next value.
///
/// If false stays false whatever an iteration computes, it is an `and`: `ok = ok and a[i] > 0`, or
/// `if a[i] <= 0: ok = False`. If true stays true, it is an `or`.
pub(super) fn kind<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    position: usize,
) -> Option<CombineKind> {
    let stays = |wanted: bool| {
        let mut known = vec![(argument(operation, position), wanted)];
        truth(next(operation, position), &mut known) == Some(wanted)
    };
    if stays(false) {
        Some(CombineKind::And)
    } else {
        stays(true).then_some(CombineKind::Or)
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
    let (kind, lhs, rhs) = match AnyOp::of(value.defining_op()?) {
        AnyOp::Arith(arith::Op::Constant(_)) | AnyOp::Typed(typed::Op::Constant(_)) => {
            return truth_constant(value);
        }
        // It begins with this and keeps it, however often it goes round.
        AnyOp::Scf(scf::Op::For(_)) => {
            let (inner, position) = carrying_loop(value)?;
            let start = truth(init(inner, position), known)?;
            known.push((argument(inner, position), start));
            let after = truth(next(inner, position), known);
            known.pop();
            return (after == Some(start)).then_some(start);
        }
        AnyOp::Typed(typed::Op::Binary(both)) => (both.kind(), both.lhs(), both.rhs()),
        AnyOp::Arith(arith::Op::AndI(both)) => (BinaryKind::And, both.lhs(), both.rhs()),
        AnyOp::Arith(arith::Op::OrI(both)) => (BinaryKind::Or, both.lhs(), both.rhs()),
        AnyOp::Arith(arith::Op::XOrI(both)) => (BinaryKind::Xor, both.lhs(), both.rhs()),
        _ => return None,
    };
    let left = truth(lhs, known);
    let right = truth(rhs, known);
    match (kind, left, right) {
        (BinaryKind::And, Some(false), _) | (BinaryKind::And, _, Some(false)) => Some(false),
        (BinaryKind::Or, Some(true), _) | (BinaryKind::Or, _, Some(true)) => Some(true),
        (BinaryKind::And, Some(left), Some(right)) => Some(left && right),
        (BinaryKind::Or, Some(left), Some(right)) => Some(left || right),
        (BinaryKind::Xor, Some(left), Some(right)) => Some(left != right),
        _ => None,
    }
}
