//! What the condition of an `scf.while` says of the values that it passes on.
//!
//! Only integers: with a NaN neither a comparison nor its opposite holds.

use super::{Interval, Intervals, yielded_by};
use crate::{
    analysis::conditions::{Condition, Literal, mirrored, opposite},
    infra::{BlockExt, RegionExt, ValueExt, ops::scf},
};
use melior::ir::{TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::enums::CompareKind;

/// How many operations of a condition are looked at.
const BUDGET: usize = 16;

/// What is known where a condition holds.
pub(super) struct Facts<'c, 'a> {
    /// Conditions, and whether they hold.
    waiting: Vec<Literal<'c, 'a>>,
    /// Comparisons of integers that hold.
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

    /// What is known where the `before` region of a loop passes something on, and what it passes on at a position.
    pub(super) fn of_passed_on(
        r#loop: scf::While<'c, 'a>,
        position: usize,
    ) -> Option<(Self, Value<'c, 'a>)> {
        let end = scf::Condition::of(r#loop.before().entry()?.terminator_op()?)?;
        let facts = Self::of(end.condition());
        let value = facts.resolved(end.args()[position]);
        Some((facts, value))
    }

    /// Takes in that a condition holds or doesn't.
    fn take_in(&mut self, condition: Value<'c, 'a>, holds: bool) {
        let implied = match Condition::of(condition) {
            Condition::Literal(one) => vec![one],
            Condition::And(both) if holds => both.to_vec(),
            Condition::Or(neither) if !holds => neither.to_vec(),
            Condition::Compare(kind, lhs, rhs) if is_integer(lhs) => {
                let kind = if holds { kind } else { opposite(kind) };
                self.comparisons.push((kind, lhs, rhs));
                return;
            }
            _ => return,
        };
        // Of a conjunction all hold as they are, of a disjunction that fails none does.
        let implied = implied.into_iter().map(|(part, is)| (part, is == holds));
        let before = self.waiting.len();
        self.waiting.extend(implied);
        if let Some(branch) = condition.defining_op().and_then(scf::If::of) {
            let (_, first) = self.waiting[before];
            self.taken.push((branch, first));
        }
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

impl Intervals {
    /// The interval of what the `before` region of a loop passes on at a position, in the `after` region, which
    /// runs only where the condition holds.
    pub(super) fn of_passed_on<'c: 'a, 'a>(
        &mut self,
        r#loop: scf::While<'c, 'a>,
        position: usize,
    ) -> Option<Interval> {
        let (facts, value) = Facts::of_passed_on(r#loop, position)?;
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
