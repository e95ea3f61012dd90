//! The equations of sizes that conditions imply.

use super::{derive::Derivation, size::Size};
use crate::{
    infra::{AttributeExt, BlockExt, OperationAttributes, OperationExt, RegionExt, ValueExt},
    typed::linear::{binary_kind, is_word},
};
use melior::ir::{OperationRef, Value};
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
        let Some(operation) = value.defining_op() else {
            return Self::Unknown;
        };
        if let Some(constant) = constant(operation) {
            return Self::Constant(constant);
        }
        let operand = |at| operation.operand_value(at);
        match operation.full_name() {
            "arith.andi" => Self::And(operand(0), operand(1)),
            "arith.ori" => Self::Or(operand(0), operand(1)),
            "arith.xori" => Self::exclusive(operation),
            "typed.binary" => match binary_kind(operation) {
                Some(BinaryKind::And) => Self::And(operand(0), operand(1)),
                Some(BinaryKind::Or) => Self::Or(operand(0), operand(1)),
                Some(BinaryKind::Xor) => Self::exclusive(operation),
                _ => Self::Unknown,
            },
            "typed.compare" | "arith.cmpi" if is_word(operand(0)) => {
                match Self::equality(operation) {
                    Some(true) => Self::Equal(operand(0), operand(1)),
                    Some(false) => Self::Differ(operand(0), operand(1)),
                    None => Self::Unknown,
                }
            }
            "arith.select" => Self::choice(operand(0), operand(1), operand(2)),
            "scf.if" => {
                let yielded = |region: usize| {
                    let end = operation.region_at(region).entry()?.terminator_op()?;
                    Some(end.operand_value(value.position()))
                };
                match (yielded(0), yielded(1)) {
                    (Some(yes), Some(no)) => Self::choice(operand(0), yes, no),
                    _ => Self::Unknown,
                }
            }
            _ => Self::Unknown,
        }
    }

    /// Whether a comparison is `==` (true) or `!=` (false).
    fn equality(comparison: OperationRef<'c, 'a>) -> Option<bool> {
        if comparison.is("arith.cmpi") {
            return match comparison.int_attr("predicate")? {
                0 => Some(true),
                1 => Some(false),
                _ => None,
            };
        }
        match CompareKind::from_attribute(comparison.attr("kind")?)? {
            CompareKind::Eq => Some(true),
            CompareKind::Ne => Some(false),
            _ => None,
        }
    }

    fn exclusive(operation: OperationRef<'c, 'a>) -> Self {
        let is_true = |at| {
            let operand: Value = operation.operand_value(at);
            operand.defining_op().and_then(constant) == Some(true)
        };
        match (is_true(0), is_true(1)) {
            (_, true) => Self::Not(operation.operand_value(0)),
            (true, _) => Self::Not(operation.operand_value(1)),
            _ => Self::Unknown,
        }
    }

    /// `yes if test else no`: the form of short-circuit `and` and `or`.
    fn choice(test: Value<'c, 'a>, yes: Value<'c, 'a>, no: Value<'c, 'a>) -> Self {
        let known = |value: Value<'c, 'a>| value.defining_op().and_then(constant);
        match (known(yes), known(no)) {
            (_, Some(false)) => Self::And(test, yes),
            (Some(true), _) => Self::Or(test, no),
            _ => Self::Unknown,
        }
    }
}

fn constant(operation: OperationRef) -> Option<bool> {
    let is_constant = operation.is("arith.constant") || operation.is("typed.constant");
    let value = is_constant.then(|| operation.attr("value"))??;
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
