//! What the condition of an `scf.while` says of the values that it passes on.
//!
//! Only integers: with a NaN neither a comparison nor its opposite holds.

use super::{Interval, Intervals, yielded_by};
use crate::{
    analysis::affine::constant_of,
    infra::{
        BlockExt, CmpInt, RegionExt, ValueExt,
        ops::{AnyOp, arith, scf, typed},
    },
};
use melior::ir::{TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::enums::CompareKind;

/// How many operations of a condition are looked at.
const BUDGET: usize = 16;

/// What is known where a condition holds.
struct Facts<'c, 'a> {
    /// Conditions, and whether they hold.
    waiting: Vec<(Value<'c, 'a>, bool)>,
    /// Comparisons that hold.
    comparisons: Vec<(CompareKind, Value<'c, 'a>, Value<'c, 'a>)>,
    /// Branches that went to their `then` region, or not.
    taken: Vec<(scf::If<'c, 'a>, bool)>,
}

impl<'c: 'a, 'a> Facts<'c, 'a> {
    fn of(condition: Value<'c, 'a>) -> Self {
        let mut facts = Self {
            waiting: vec![(condition, true)],
            comparisons: Vec::new(),
            taken: Vec::new(),
        };
        for _ in 0..BUDGET {
            let Some((condition, holds)) = facts.waiting.pop() else {
                break;
            };
            facts.take_in(condition, holds);
        }
        facts
    }

    /// Takes in that a condition holds or doesn't. A number is true if its lowest bit is set.
    fn take_in(&mut self, condition: Value<'c, 'a>, holds: bool) {
        let Some(operation) = condition.defining_op() else {
            return;
        };
        match AnyOp::of(operation) {
            AnyOp::Arith(arith::Op::AndI(both)) if holds => {
                self.waiting
                    .extend([(both.lhs(), true), (both.rhs(), true)]);
            }
            AnyOp::Arith(arith::Op::TruncI(number)) => self.waiting.push((number.r#in(), holds)),
            AnyOp::Arith(arith::Op::Select(select)) => {
                let sides = [select.true_value(), select.false_value()];
                if let Some(first) = chosen(sides, holds) {
                    self.waiting.push((select.condition(), first));
                }
            }
            AnyOp::Scf(scf::Op::If(branch)) => {
                let regions = [branch.then_region(), branch.else_region()];
                let sides = regions.map(|region| yielded_by(region, condition.position()));
                if let [Some(yes), Some(no)] = sides
                    && let Some(first) = chosen([yes, no], holds)
                {
                    self.waiting.push((branch.condition(), first));
                    self.taken.push((branch, first));
                }
            }
            AnyOp::Typed(typed::Op::Compare(compare)) if is_integer(compare.lhs()) => {
                self.compare(compare.kind(), holds, compare.lhs(), compare.rhs());
            }
            AnyOp::Arith(arith::Op::CmpI(compare)) => {
                if let Some(kind) = signed(compare.predicate()) {
                    self.compare(kind, holds, compare.lhs(), compare.rhs());
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, kind: CompareKind, holds: bool, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) {
        let kind = if holds { kind } else { opposite(kind) };
        self.comparisons.push((kind, lhs, rhs));
    }

    /// What a value is where the branch is known that gives it.
    fn resolved(&self, mut value: Value<'c, 'a>) -> Value<'c, 'a> {
        for (branch, first) in &self.taken {
            if value.defining_op() == Some(**branch) {
                let region = match first {
                    true => branch.then_region(),
                    false => branch.else_region(),
                };
                value = yielded_by(region, value.position()).unwrap_or(value);
            }
        }
        value
    }
}

fn is_integer(value: Value) -> bool {
    value.ty().is_index() || IntegerType::try_from(value.ty()).is_ok()
}

/// Which of two values was chosen, if one is a constant that isn't as true as the result.
fn chosen(sides: [Value; 2], result: bool) -> Option<bool> {
    let differs = |side| constant_of(side).is_some_and(|number| (number & 1 == 1) != result);
    match sides.map(differs) {
        [false, true] => Some(true),
        [true, false] => Some(false),
        _ => None,
    }
}

impl Intervals {
    /// The interval of what the `before` region of a loop passes on at a position, in the `after` region, which
    /// runs only where the condition holds.
    pub(super) fn of_passed_on<'c: 'a, 'a>(
        &mut self,
        r#loop: scf::While<'c, 'a>,
        position: usize,
    ) -> Option<Interval> {
        let end = scf::Condition::of(r#loop.before().entry()?.terminator_op()?)?;
        let facts = Facts::of(end.condition());
        let value = facts.resolved(end.args()[position]);
        let mut found = self.of(value);
        for (kind, lhs, rhs) in facts.comparisons {
            found = self.narrowed(found, value, kind, (lhs, rhs));
        }
        Some(found)
    }

    /// The part of an interval of a value in which a comparison may hold.
    fn narrowed<'c: 'a, 'a>(
        &mut self,
        found: Interval,
        value: Value<'c, 'a>,
        kind: CompareKind,
        (lhs, rhs): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Interval {
        let (kind, other) = match value {
            _ if value == lhs => (kind, rhs),
            _ if value == rhs => (mirrored(kind), lhs),
            _ => return found,
        };
        let Interval { low, high } = self.of(other);
        let mut part = found;
        match kind {
            CompareKind::Lt => part.high = part.high.min(high - 1),
            CompareKind::Le => part.high = part.high.min(high),
            CompareKind::Gt => part.low = part.low.max(low + 1),
            CompareKind::Ge => part.low = part.low.max(low),
            CompareKind::Eq => part = Interval::new(part.low.max(low), part.high.min(high)),
            // Only an end can be taken away.
            CompareKind::Ne if low == high && part.low == low => part.low += 1,
            CompareKind::Ne if low == high && part.high == low => part.high -= 1,
            CompareKind::Ne => {}
        }
        // Where none is left the loop is never entered.
        if part.low > part.high { found } else { part }
    }
}

/// The comparison with its sides exchanged.
fn mirrored(kind: CompareKind) -> CompareKind {
    match kind {
        CompareKind::Lt => CompareKind::Gt,
        CompareKind::Le => CompareKind::Ge,
        CompareKind::Gt => CompareKind::Lt,
        CompareKind::Ge => CompareKind::Le,
        CompareKind::Eq | CompareKind::Ne => kind,
    }
}

/// The comparison of integers that holds where one doesn't.
fn opposite(kind: CompareKind) -> CompareKind {
    match kind {
        CompareKind::Lt => CompareKind::Ge,
        CompareKind::Le => CompareKind::Gt,
        CompareKind::Gt => CompareKind::Le,
        CompareKind::Ge => CompareKind::Lt,
        CompareKind::Eq => CompareKind::Ne,
        CompareKind::Ne => CompareKind::Eq,
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
