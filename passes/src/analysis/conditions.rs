//! Conditions, decomposed into the comparisons of which they consist.
//!
//! A condition is an integer of any width, and holds if its lowest bit is set: for truth values that is all of
//! them, and the rule stays exact through truncations and bitwise operations.

use crate::{
    analysis::affine::constant_of,
    infra::{
        BlockExt, CmpInt, OperationExt, RegionExt, ValueExt,
        ops::{AnyOp, arith, scf, typed},
    },
};
use melior::ir::{RegionRef, Value};
use pyopt_dialects::enums::{BinaryKind, CompareKind};

/// A condition, and whether it holds.
pub(crate) type Literal<'c, 'a> = (Value<'c, 'a>, bool);

/// A condition, decomposed by one step.
pub(crate) enum Condition<'c, 'a> {
    Constant(bool),
    /// It holds exactly where the literal does.
    Literal(Literal<'c, 'a>),
    Compare(CompareKind, Value<'c, 'a>, Value<'c, 'a>),
    And([Literal<'c, 'a>; 2]),
    Or([Literal<'c, 'a>; 2]),
    Unknown,
}

impl<'c: 'a, 'a> Condition<'c, 'a> {
    pub fn of(value: Value<'c, 'a>) -> Self {
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
                    BinaryKind::And => Self::And([(lhs, true), (rhs, true)]),
                    BinaryKind::Or => Self::Or([(lhs, true), (rhs, true)]),
                    BinaryKind::Xor => Self::exclusive(lhs, rhs),
                    _ => Self::Unknown,
                }
            }
            AnyOp::Typed(typed::Op::Compare(compare)) => {
                Self::Compare(compare.kind(), compare.lhs(), compare.rhs())
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
            arith::Op::AndI(both) => Self::And([(both.lhs(), true), (both.rhs(), true)]),
            arith::Op::OrI(either) => Self::Or([(either.lhs(), true), (either.rhs(), true)]),
            arith::Op::XOrI(one) => Self::exclusive(one.lhs(), one.rhs()),
            arith::Op::TruncI(number) => Self::Literal((number.r#in(), true)),
            arith::Op::CmpI(compare) => match signed(compare.predicate()) {
                Some(kind) => Self::Compare(kind, compare.lhs(), compare.rhs()),
                None => Self::Unknown,
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
            (_, Some(constant)) => Self::Literal((lhs, !constant)),
            (Some(constant), _) => Self::Literal((rhs, !constant)),
            _ => Self::Unknown,
        }
    }

    /// `yes if test else no`: the form of short-circuit `and` and `or`. The literal of the test comes first.
    fn choice(test: Value<'c, 'a>, yes: Value<'c, 'a>, no: Value<'c, 'a>) -> Self {
        match (constant(yes), constant(no)) {
            (Some(true), Some(false)) => Self::Literal((test, true)),
            (Some(false), Some(true)) => Self::Literal((test, false)),
            (_, Some(false)) => Self::And([(test, true), (yes, true)]),
            (Some(false), _) => Self::And([(test, false), (no, true)]),
            (Some(true), _) => Self::Or([(test, true), (no, true)]),
            (_, Some(true)) => Self::Or([(test, false), (yes, true)]),
            _ => Self::Unknown,
        }
    }
}

fn constant(value: Value) -> Option<bool> {
    constant_of(value).map(|number| number & 1 == 1)
}

/// The comparison of integers that holds where one doesn't. (With a NaN neither holds.)
pub(crate) fn opposite(kind: CompareKind) -> CompareKind {
    match kind {
        CompareKind::Lt => CompareKind::Ge,
        CompareKind::Le => CompareKind::Gt,
        CompareKind::Gt => CompareKind::Le,
        CompareKind::Ge => CompareKind::Lt,
        CompareKind::Eq => CompareKind::Ne,
        CompareKind::Ne => CompareKind::Eq,
    }
}

/// The comparison with its sides exchanged.
pub(crate) fn mirrored(kind: CompareKind) -> CompareKind {
    match kind {
        CompareKind::Lt => CompareKind::Gt,
        CompareKind::Le => CompareKind::Ge,
        CompareKind::Gt => CompareKind::Lt,
        CompareKind::Ge => CompareKind::Le,
        CompareKind::Eq | CompareKind::Ne => kind,
    }
}

/// What a predicate says of signed numbers.
fn signed(predicate: CmpInt) -> Option<CompareKind> {
    match predicate {
        CmpInt::Eq => Some(CompareKind::Eq),
        CmpInt::Ne => Some(CompareKind::Ne),
        CmpInt::Slt => Some(CompareKind::Lt),
        CmpInt::Sle => Some(CompareKind::Le),
        CmpInt::Sgt => Some(CompareKind::Gt),
        CmpInt::Sge => Some(CompareKind::Ge),
        _ => None,
    }
}
