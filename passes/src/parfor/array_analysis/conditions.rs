//! The equations of sizes that conditions imply.

use crate::{
    analysis::{
        affine::is_word,
        sizes::{Derivation, Size},
    },
    infra::{
        AttributeExt, BlockExt, CmpInt, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, arith, scf, typed},
    },
};
use melior::ir::{RegionRef, Value};
use pyopt_dialects::enums::{BinaryKind, CompareKind};

/// How many definitions to follow from a condition.
const DEPTH: usize = 32;

/// A condition, decomposed by one step.
enum Condition<'c, 'a> {
    Constant(bool),
    Not(Value<'c, 'a>),
    Equal(Value<'c, 'a>, Value<'c, 'a>),
    Differ(Value<'c, 'a>, Value<'c, 'a>),
    And(Value<'c, 'a>, Value<'c, 'a>),
    Or(Value<'c, 'a>, Value<'c, 'a>),
    Unknown,
}

impl<'c: 'a, 'a> Condition<'c, 'a> {
    fn of(value: Value<'c, 'a>) -> Self {
        if let Some(constant) = constant(value) {
            return Self::Constant(constant);
        }
        let Some(operation) = value.defining_op() else {
            return Self::Unknown;
        };
        match AnyOp::of(operation) {
            AnyOp::Arith(operation) => Self::of_arith(operation),
            AnyOp::Typed(typed::Op::Binary(binary)) => {
                let (lhs, rhs) = (binary.lhs(), binary.rhs());
                match binary.kind() {
                    BinaryKind::And => Self::And(lhs, rhs),
                    BinaryKind::Or => Self::Or(lhs, rhs),
                    BinaryKind::Xor => Self::exclusive(lhs, rhs),
                    _ => Self::Unknown,
                }
            }
            AnyOp::Typed(typed::Op::Compare(compare)) if is_word(compare.lhs()) => {
                match compare.kind() {
                    CompareKind::Eq => Self::Equal(compare.lhs(), compare.rhs()),
                    CompareKind::Ne => Self::Differ(compare.lhs(), compare.rhs()),
                    _ => Self::Unknown,
                }
            }
            AnyOp::Scf(scf::Op::If(branch)) => {
                let yielded = |region: RegionRef<'c, 'a>| {
                    let end = region.entry()?.terminator_op()?;
                    Some(end.operand_value(value.position()))
                };
                match (yielded(branch.then_region()), yielded(branch.else_region())) {
                    (Some(yes), Some(no)) => Self::choice(branch.condition(), yes, no),
                    _ => Self::Unknown,
                }
            }
            _ => Self::Unknown,
        }
    }

    fn of_arith(operation: arith::Op<'c, 'a>) -> Self {
        match operation {
            arith::Op::AndI(both) => Self::And(both.lhs(), both.rhs()),
            arith::Op::OrI(either) => Self::Or(either.lhs(), either.rhs()),
            arith::Op::XOrI(one) => Self::exclusive(one.lhs(), one.rhs()),
            arith::Op::CmpI(compare) if is_word(compare.lhs()) => match compare.predicate() {
                CmpInt::Eq => Self::Equal(compare.lhs(), compare.rhs()),
                CmpInt::Ne => Self::Differ(compare.lhs(), compare.rhs()),
                _ => Self::Unknown,
            },
            arith::Op::Select(select) => Self::choice(
                select.condition(),
                select.true_value(),
                select.false_value(),
            ),
            _ => Self::Unknown,
        }
    }

    fn exclusive(lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Self {
        match (constant(lhs), constant(rhs)) {
            (_, Some(true)) => Self::Not(lhs),
            (Some(true), _) => Self::Not(rhs),
            _ => Self::Unknown,
        }
    }

    /// `yes if test else no`: the form of short-circuit `and` and `or`.
    fn choice(test: Value<'c, 'a>, yes: Value<'c, 'a>, no: Value<'c, 'a>) -> Self {
        match (constant(yes), constant(no)) {
            (_, Some(false)) => Self::And(test, yes),
            (Some(true), _) => Self::Or(test, no),
            _ => Self::Unknown,
        }
    }
}

fn constant(value: Value) -> Option<bool> {
    let value = match AnyOp::of(value.defining_op()?) {
        AnyOp::Arith(arith::Op::Constant(constant)) => constant.value(),
        AnyOp::Typed(typed::Op::Constant(constant)) => constant.value(),
        _ => return None,
    };
    value.bool_value()
}

impl<'c: 'a, 'a> Derivation<'c, 'a> {
    /// The sizes that are equal when a condition holds, or when it doesn't.
    pub fn equalities(&mut self, condition: Value<'c, 'a>, holds: bool) -> Vec<(Size, Size)> {
        let mut found = Vec::new();
        let mut waiting = vec![(condition, holds, DEPTH)];
        while let Some((condition, holds, depth)) = waiting.pop() {
            if depth == 0 {
                continue;
            }
            match Condition::of(condition) {
                Condition::Not(inner) => waiting.push((inner, !holds, depth - 1)),
                Condition::Equal(a, b) if holds => found.push((self.value(a), self.value(b))),
                Condition::Differ(a, b) if !holds => found.push((self.value(a), self.value(b))),
                Condition::And(a, b) if holds => {
                    waiting.extend([a, b].map(|part| (part, holds, depth - 1)));
                }
                Condition::Or(a, b) if !holds => {
                    waiting.extend([a, b].map(|part| (part, holds, depth - 1)));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a condition is known to hold, or known not to.
    pub fn is_known(&mut self, condition: Value<'c, 'a>, holds: bool) -> bool {
        self.is_known_within(condition, holds, DEPTH)
    }

    fn is_known_within(&mut self, condition: Value<'c, 'a>, holds: bool, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        let mut known = |part| self.is_known_within(part, holds, depth - 1);
        match Condition::of(condition) {
            Condition::Constant(value) => value == holds,
            Condition::Not(inner) => self.is_known_within(inner, !holds, depth - 1),
            Condition::And(a, b) if holds => known(a) && known(b),
            Condition::And(a, b) => known(a) || known(b),
            Condition::Or(a, b) if holds => known(a) || known(b),
            Condition::Or(a, b) => known(a) && known(b),
            Condition::Equal(a, b) if holds => self.value(a) == self.value(b),
            Condition::Differ(a, b) if !holds => self.value(a) == self.value(b),
            _ => false,
        }
    }
}
