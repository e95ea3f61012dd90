//! Intervals of sums, by their affine forms or by their terms.

use super::{Interval, Intervals};
use crate::{
    analysis::affine::{Computed, Sum, Term, computed, is_word},
    infra::ValueExt,
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::enums::BinaryKind;

/// A form up to this bound can be added to an array's extent: if the sum wraps around, it is out of
/// bounds as an index, see [`Interval::is_index`].
const SMALL: i128 = 1 << 62;

impl Intervals {
    /// The interval of a sum, valid for indices only, computed from its affine form, in which
    /// common terms have cancelled; `None` where it may be negative.
    pub(crate) fn of_sum<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>) -> Option<Interval> {
        let operation = value.defining_op().filter(|_| is_word(value))?;
        if !matches!(computed(operation)?.kind, BinaryKind::Add | BinaryKind::Sub) {
            return None;
        }
        let sum = Sum::of(value);
        if let Some(interval) = self.of_terms(&sum) {
            return Some(interval);
        }
        let bounds = sum.at_last_position();
        let rest = bounds.iter().find_map(|bound| self.of_terms(bound))?;
        Some(Interval {
            low: rest.low,
            high: i128::from(i64::MAX) + rest.high - 1,
        })
    }

    /// The interval of a form, if it is neither negative nor greater than [`SMALL`].
    fn of_terms(&mut self, sum: &Sum) -> Option<Interval> {
        let found = self.of_form(sum)?;
        (found.low >= 0 && found.high <= SMALL).then_some(found)
    }

    /// The interval of a form over the mathematical integers.
    pub(crate) fn of_form(&mut self, sum: &Sum) -> Option<Interval> {
        let (mut low, mut high) = (sum.number(), sum.number());
        for (term, factor) in sum.form.terms() {
            let Term::Value(value) = term else {
                return None;
            };
            let interval = self.of(*value);
            let ends = [interval.low, interval.high].map(|end| end.checked_mul(*factor));
            let [Some(one), Some(other)] = ends else {
                return None;
            };
            low += one.min(other);
            high += one.max(other);
        }
        Some(Interval { low, high })
    }
}

/// What a sum adds to one of its terms: a value, or its negation.
pub(super) struct Addend<'c, 'a> {
    value: Value<'c, 'a>,
    is_negated: bool,
}

impl<'c: 'a, 'a> Addend<'c, 'a> {
    pub fn interval(&self, intervals: &mut Intervals) -> Interval {
        let found = intervals.of(self.value);
        match self.is_negated {
            true => Interval::new(-found.high, -found.low),
            false => found,
        }
    }
}

/// The ways to read a sum or difference of two as something that is added to a term.
pub(super) fn addends<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
) -> Option<Vec<(Value<'c, 'a>, Addend<'c, 'a>)>> {
    let Computed { kind, lhs, rhs } = computed(operation)?;
    let reading = |term, value, is_negated| (term, Addend { value, is_negated });
    match kind {
        BinaryKind::Add => Some(vec![reading(lhs, rhs, false), reading(rhs, lhs, false)]),
        BinaryKind::Sub => Some(vec![reading(lhs, rhs, true)]),
        _ => None,
    }
}
