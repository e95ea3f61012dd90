//! Intervals of what loops with a known number of iterations carry.
//!
//! **Soundness.** Let each of `n` iterations add a number of `low ..= high` to the variable, whatever it is. Then
//! after `k <= n` iterations it is the initial value plus a number of `k * low ..= k * high`, by induction: in the
//! integers modulo 2^64, and in the mathematical integers where that interval fits the type. No assumption on
//! counters is needed, so it holds after the loop too.

use super::{Interval, Intervals, forwarded, sums::addends, yielded_by};
use crate::{
    analysis::affine::{constant_of, is_word},
    infra::{BlockExt, RegionExt, ValueExt, ops::scf},
};
use melior::ir::Value;

/// How many operations are followed from what is carried on.
pub(super) const DEPTH: usize = 16;
/// The most iterations of a loop, so that no product overflows.
const TRIPS: i128 = 1 << 30;

impl Intervals {
    /// The interval of what a loop carries at a position: in the loop and behind it.
    pub(super) fn of_repeated<'c: 'a, 'a>(
        &mut self,
        r#loop: scf::For<'c, 'a>,
        position: usize,
    ) -> Option<Interval> {
        let init = r#loop.init_args()[position];
        if !is_word(init) {
            return None;
        }
        let added = self.added_by(r#loop, position, DEPTH)?;
        let first = self.of(init);
        let found = first.plus(added);
        found.is_within(Interval::WORD).then_some(found)
    }

    /// Whether what a loop carries at a position only grows, and by so little an iteration that it
    /// stays small in the loop if it begins small: see the module's assumption on counters.
    pub(crate) fn grows<'c: 'a, 'a>(&mut self, r#loop: scf::For<'c, 'a>, position: usize) -> bool {
        let body = r#loop.region().entry();
        let variable = body.map(|body| body.argument_values()[position + 1]);
        let next = yielded_by(r#loop.region(), position);
        let both = variable.zip(next);
        both.is_some_and(|(variable, next)| self.set_to(variable, next, 0).is_empty())
    }

    /// What a loop adds to what it carries at a position, in some of its iterations or all.
    pub(super) fn added_by<'c: 'a, 'a>(
        &mut self,
        r#loop: scf::For<'c, 'a>,
        position: usize,
        depth: usize,
    ) -> Option<Interval> {
        let bounds = [r#loop.lower_bound(), r#loop.upper_bound(), r#loop.step()];
        let [Some(0), Some(trips @ 0..=TRIPS), Some(1)] = bounds.map(constant_of) else {
            return None;
        };
        let variable = r#loop.region().entry()?.argument_values()[position + 1];
        let next = yielded_by(r#loop.region(), position)?;
        let each = self.increment(variable, next, depth)?;
        Some(Interval::new(
            (trips * each.low).min(0),
            (trips * each.high).max(0),
        ))
    }

    /// What is added to a variable to give a value, if it is a sum with the variable as a term.
    fn increment<'c: 'a, 'a>(
        &mut self,
        variable: Value<'c, 'a>,
        value: Value<'c, 'a>,
        depth: usize,
    ) -> Option<Interval> {
        if value == variable {
            return Some(Interval::new(0, 0));
        }
        let depth = depth.checked_sub(1)?;
        let operation = value.defining_op().filter(|_| is_word(value))?;
        if let Some(inner) = scf::For::of(operation) {
            let position = value.position();
            let before = self.increment(variable, inner.init_args()[position], depth)?;
            let added = self.added_by(inner, position, depth)?;
            return Some(before.plus(added));
        }
        if let Some(addends) = addends(operation) {
            return addends.into_iter().find_map(|(term, addend)| {
                let before = self.increment(variable, term, depth)?;
                Some(before.plus(addend.interval(self)))
            });
        }
        let mut all: Option<Interval> = None;
        for source in forwarded(value)? {
            let one = self.increment(variable, source, depth)?;
            all = Some(all.map_or(one, |all| all.union(one)));
        }
        all
    }
}
