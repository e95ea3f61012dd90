//! Intervals of what loops carry, by optimistic induction.
//!
//! A variable that is met is assumed to be in `[0, 2^62]`, or where that fails from a step below zero on, and so is
//! every other one that is met under that assumption. Then what it begins with and what each iteration sets it to
//! must be in that interval too. A variable that is set to the index of an element has that index's interval instead
//! ([`super::elements`]).
//!
//! **Soundness.** Let a set of variables be assumed at the same time, and let a run of the program leave an
//! interval. There is a first moment at which one does. The value that the variable gets then was computed from
//! values that variables of the set had before, all of them inside, so it is inside: a contradiction. What was
//! derived under an assumption that turns out wrong is forgotten; the failure itself holds, since assumptions
//! are as strong as they get, and with fewer of them no more could be shown. Each variable fails twice, and no
//! more than [`ASSUMED`] are assumed at a time, so a failure costs the rest of its chain a bounded number of
//! times.

use super::{
    COUNTED, Interval, Intervals, STRIDE,
    elements::{ELEMENTS, is_element},
    passed_on,
    repeated::DEPTH,
    sums::addends,
    yielded,
};
use crate::{
    analysis::affine::is_word,
    infra::{
        BlockExt, Identity, Key, RegionExt, ValueExt,
        ops::{AnyOp, arith, scf, ub},
    },
};
use melior::ir::{BlockRef, Value};
use std::collections::{HashMap, HashSet};

/// The most variables that are assumed to be in an interval at a time.
const ASSUMED: usize = 16;

/// What is assumed of variables while what they are set to is computed.
#[derive(Debug, Default)]
pub(super) struct Assumptions {
    open: HashMap<Key, Interval>,
    /// The values that have become known since the first of these assumptions was made.
    derived: Vec<Key>,
    /// Variables whose induction has succeeded, under the assumptions that were open then.
    shown: HashSet<Key>,
}

impl Assumptions {
    /// What is assumed of a value.
    pub(super) fn of(&self, key: Key) -> Option<Interval> {
        self.open.get(&key).copied()
    }

    /// Notes that the interval of a value has become known, under the assumptions that are open.
    pub(super) fn note(&mut self, key: Key) {
        if !self.open.is_empty() {
            self.derived.push(key);
        }
    }
}

impl Intervals {
    /// The interval of a loop-carried variable that is never negative: one that starts small and that each
    /// iteration sets to a small value, or makes larger by a small step.
    pub(super) fn of_carried<'c: 'a, 'a>(
        &mut self,
        variable: Value<'c, 'a>,
        init: Value<'c, 'a>,
        (next, end): (Value<'c, 'a>, BlockRef<'c, 'a>),
    ) -> Option<Interval> {
        let is_element = is_element(next, end);
        let most = if is_element { ELEMENTS } else { COUNTED };
        let high = Interval::of_type(variable.ty()).high.min(most);
        let natural = Interval::new(0, high);
        if is_element {
            return self.of_assumed(variable, init, natural, |cx| cx.of_element(next, natural));
        }
        let found = self.of_assumed(variable, init, natural, |cx| {
            cx.of_next(variable, next, natural)
        });
        if found.is_some() || self.is_strict || !is_word(variable) {
            return found;
        }
        // What counts down to a test is -1 behind the last turn.
        let bound = Interval::new(-STRIDE, high);
        self.of_assumed(variable, init, bound, |cx| {
            cx.of_next(variable, next, bound)
        })
    }

    /// The interval of a variable that is assumed to be within a bound, if what it begins with and what iterations
    /// set it to is then.
    fn of_assumed<'c: 'a, 'a>(
        &mut self,
        variable: Value<'c, 'a>,
        init: Value<'c, 'a>,
        bound: Interval,
        set_to: impl FnOnce(&mut Self) -> Option<Interval>,
    ) -> Option<Interval> {
        if self.assumptions.open.len() >= ASSUMED {
            return None;
        }
        let before = self.assumptions.derived.len();
        self.assumptions.open.insert(variable.key(), bound);
        // An inner loop begins where the one around it has ended an iteration: with what it may have set itself.
        let init = Some(self.of(init)).filter(|init| init.is_within(bound));
        let found = init.and_then(|init| Some(init.union(set_to(self)?)));
        self.assumptions.open.remove(&variable.key());
        match found {
            None => self.forget(before, false),
            // What was derived from the variable is derived again from what is known now.
            Some(found) if found != bound => self.forget(before, true),
            Some(_) => {}
        }
        if found.is_some() {
            self.assumptions.shown.insert(variable.key());
        }
        if self.assumptions.open.is_empty() {
            self.assumptions.derived.clear();
        }
        found
    }

    /// What an iteration sets a variable to that is the index of an element: as it is in bounds, it
    /// hasn't wrapped around.
    fn of_element<'c: 'a, 'a>(&mut self, next: Value<'c, 'a>, bound: Interval) -> Option<Interval> {
        let found = self.of_index(next);
        found
            .is_index()
            .then(|| Interval::new(found.low.min(bound.high), found.high.min(bound.high)))
    }

    /// What an iteration sets a variable to that is within a bound, if that is within it too.
    fn of_next<'c: 'a, 'a>(
        &mut self,
        variable: Value<'c, 'a>,
        next: Value<'c, 'a>,
        bound: Interval,
    ) -> Option<Interval> {
        let found = self.of(next);
        if found.is_within(bound) {
            return Some(found);
        }
        if self.is_strict {
            return None;
        }
        // It grows, which takes time. If more isn't known, it only grows.
        let is_natural = found.low >= bound.low;
        let least = if is_natural { i128::MIN } else { 0 };
        let mut low = if is_natural { found.low } else { bound.high };
        for value in self.set_to(variable, next, least) {
            let one = self.of(value);
            if one.high > bound.high || (!is_natural && one.low < bound.low) {
                return None;
            }
            low = low.min(one.low.max(bound.low));
        }
        Some(Interval::new(low, bound.high))
    }

    /// Forgets what has become known since a moment, but for variables whose induction has succeeded if those
    /// are kept.
    fn forget(&mut self, before: usize, keeps_shown: bool) {
        for key in self.assumptions.derived.split_off(before) {
            if keeps_shown && self.assumptions.shown.contains(&key) {
                self.assumptions.derived.push(key);
            } else {
                self.known.remove(&key);
            }
        }
    }

    /// What a loop-carried variable is set to in an iteration, but for itself plus steps from `least` up that
    /// make at most [`STRIDE`] together.
    pub(super) fn set_to<'c: 'a, 'a>(
        &mut self,
        variable: Value<'c, 'a>,
        next: Value<'c, 'a>,
        least: i128,
    ) -> Vec<Value<'c, 'a>> {
        let mut found = Vec::new();
        // A value that reaches the next iteration, and the most that is added to it on the way.
        let mut waiting = vec![(next, 0)];
        let mut seen = HashSet::new();
        while let Some((value, added)) = waiting.pop() {
            if value == variable || !seen.insert((value.key(), added)) {
                continue;
            }
            if let Some(sources) = forwarded(value) {
                waiting.extend(sources.into_iter().map(|source| (source, added)));
            } else if let Some((source, step)) = self.stepped(value, least)
                && added + step <= STRIDE
            {
                waiting.push((source, added + step));
            } else {
                found.push(value);
            }
        }
        found
    }

    /// Splits a sum into a value and a step from `least` up, of which the most is given, but nothing for one
    /// that goes down.
    fn stepped<'c: 'a, 'a>(
        &mut self,
        value: Value<'c, 'a>,
        least: i128,
    ) -> Option<(Value<'c, 'a>, i128)> {
        let operation = value.defining_op().filter(|_| is_word(value))?;
        let is_small = |step: &Interval| step.low >= least && step.high <= STRIDE;
        if let Some(r#loop) = scf::For::of(operation) {
            let position = value.position();
            let step = self.added_by(r#loop, position, DEPTH);
            let step = step.filter(is_small)?;
            return Some((r#loop.init_args()[position], step.high.max(0)));
        }
        let addends = addends(operation)?;
        addends.into_iter().find_map(|(term, addend)| {
            let step = addend.interval(self);
            is_small(&step).then_some((term, step.high.max(0)))
        })
    }
}

/// The values that are forwarded to this one unchanged, by branches or from the `before` region of
/// an `scf.while`.
pub(super) fn forwarded<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let Some(operation) = value.defining_op() else {
        let block = value.defining_block();
        let r#loop = scf::While::of(block.parent()?)?;
        if r#loop.before().entry() == Some(block) {
            return None;
        }
        return passed_on(r#loop, value.position()).map(|passed| vec![passed]);
    };
    match AnyOp::of(operation) {
        AnyOp::Ub(ub::Op::Poison(_)) => Some(Vec::new()),
        AnyOp::Arith(arith::Op::Select(select)) => {
            Some(vec![select.true_value(), select.false_value()])
        }
        AnyOp::Scf(scf::Op::If(_) | scf::Op::IndexSwitch(_)) => {
            Some(yielded(operation, value.position()))
        }
        _ => None,
    }
}
