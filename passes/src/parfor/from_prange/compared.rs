//! Extremes that are found by comparison: `if a[i] > best: best = a[i]`, and their companions.

use super::{
    body::{alternatives, argument, carrying_loop, init, next, truth_constant},
    influence::Influence,
};
use crate::infra::{
    ValueExt,
    ops::{AnyOp, arith, scf, typed},
};
use melior::ir::Value;
use pyopt_dialects::enums::{BinaryKind, CompareKind};

/// How an extreme is updated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Extreme {
    /// Whether it is a maximum.
    pub largest: bool,
    /// Whether the first of equal values stays, not the last.
    pub first: bool,
}

/// The kind of extreme that a loop-carried value is, if all of its updates are of one kind. Paths
/// that other values than the extreme decide about are ignored.
pub(super) fn extreme<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    position: usize,
    influence: &Influence<'c, 'a>,
) -> Option<Extreme> {
    let mut search = Search {
        influence,
        found: None,
        carried: vec![argument(operation, position)],
    };
    search.updates(next(operation, position))?;
    search.found
}

/// Whether a second loop-carried value is a companion: it changes exactly when the extreme does, to
/// a value that depends on neither: `if a[i] > best: best, where = a[i], i`.
pub(super) fn accompanies<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    [extreme, companion]: [usize; 2],
    influences: [&Influence<'c, 'a>; 2],
) -> bool {
    let both = |of: fn(scf::For<'c, 'a>, usize) -> Value<'c, 'a>| {
        (of(operation, extreme), of(operation, companion))
    };
    let mut carried = vec![both(argument)];
    changes_with(both(next), &mut carried, influences)
}

/// Whether a pair of values is one of the carried pairs, changed together or not at all.
fn changes_with<'c: 'a, 'a>(
    pair: (Value<'c, 'a>, Value<'c, 'a>),
    carried: &mut Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    influences: [&Influence<'c, 'a>; 2],
) -> bool {
    if carried.contains(&pair) {
        return true;
    }
    let free = |value| influences.iter().all(|influence| influence.leaves(value));
    if free(pair.0) || free(pair.1) {
        return free(pair.0) && free(pair.1);
    }
    if let (Some(one), Some(other)) = (alternatives(pair.0), alternatives(pair.1)) {
        return one.0 == other.0
            && changes_with((one.1, other.1), carried, influences)
            && changes_with((one.2, other.2), carried, influences);
    }
    match (carrying_loop(pair.0), carrying_loop(pair.1)) {
        (Some((inner, one)), Some((same, other))) if inner == same => {
            let starts = (init(inner, one), init(inner, other));
            if !changes_with(starts, carried, influences) {
                return false;
            }
            carried.push((argument(inner, one), argument(inner, other)));
            changes_with((next(inner, one), next(inner, other)), carried, influences)
        }
        _ => false,
    }
}

struct Search<'x, 'c, 'a> {
    influence: &'x Influence<'c, 'a>,
    found: Option<Extreme>,
    /// The block arguments that hold the extreme so far.
    carried: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Search<'_, 'c, 'a> {
    /// Whether a value is the extreme of the one so far and further candidates.
    fn updates(&mut self, value: Value<'c, 'a>) -> Option<()> {
        if self.carried.contains(&value) {
            return Some(());
        }
        if let Some((condition, yes, no)) = alternatives(value) {
            if self.influence.leaves(condition) {
                self.updates(yes)?;
                return self.updates(no);
            }
            let (larger, smaller, strict) = self.comparison(condition)?;
            // What is taken is what was compared with what is kept.
            let (candidate, largest) = if smaller == no {
                (larger, true)
            } else if larger == no {
                (smaller, false)
            } else {
                return None;
            };
            if !self.influence.leaves(candidate) || !self.takes(yes, candidate, no) {
                return None;
            }
            self.find(Extreme {
                largest,
                first: strict,
            })?;
            return self.updates(no);
        }
        if let Some((inner, position)) = carrying_loop(value) {
            self.updates(init(inner, position))?;
            self.carried.push(argument(inner, position));
            return self.updates(next(inner, position));
        }
        let binary = typed::Binary::defining(value)?;
        let largest = match binary.kind() {
            BinaryKind::Max => true,
            BinaryKind::Min => false,
            _ => return None,
        };
        // The operator keeps its left operand unless the right one is better.
        let (left, right) = (binary.lhs(), binary.rhs());
        if self.influence.leaves(right) {
            self.find(Extreme {
                largest,
                first: true,
            })?;
            self.updates(left)
        } else {
            None
        }
    }

    /// Whether a value is the candidate, or else the old value where conditions independent of the
    /// extreme say so.
    fn takes(&self, value: Value<'c, 'a>, candidate: Value<'c, 'a>, kept: Value<'c, 'a>) -> bool {
        value == candidate
            || value == kept
            || alternatives(value).is_some_and(|(condition, yes, no)| {
                self.influence.leaves(condition)
                    && self.takes(yes, candidate, kept)
                    && self.takes(no, candidate, kept)
            })
    }

    fn find(&mut self, extreme: Extreme) -> Option<()> {
        (*self.found.get_or_insert(extreme) == extreme).then_some(())
    }

    /// The comparison that a condition implies, if its other conjuncts don't depend on the extreme:
    /// the larger side, the smaller one and whether the comparison is strict.
    fn comparison(&self, condition: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Value<'c, 'a>, bool)> {
        if let Some((first, yes, no)) = alternatives(condition) {
            let both = truth_constant(no) == Some(false);
            return match self.influence.leaves(first) {
                true if both => self.comparison(yes),
                false if both && self.influence.leaves(yes) => self.comparison(first),
                _ => None,
            };
        }
        match AnyOp::of(condition.defining_op()?) {
            AnyOp::Typed(typed::Op::Compare(compare)) => {
                let (left, right) = (compare.lhs(), compare.rhs());
                match compare.kind() {
                    CompareKind::Gt => Some((left, right, true)),
                    CompareKind::Ge => Some((left, right, false)),
                    CompareKind::Lt => Some((right, left, true)),
                    CompareKind::Le => Some((right, left, false)),
                    _ => None,
                }
            }
            AnyOp::Typed(typed::Op::Binary(both)) if both.kind() == BinaryKind::And => {
                self.conjunct(both.lhs(), both.rhs())
            }
            AnyOp::Arith(arith::Op::AndI(both)) => self.conjunct(both.lhs(), both.rhs()),
            _ => None,
        }
    }

    /// The comparison that the one conjunct implies that depends on the extreme.
    fn conjunct(
        &self,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Option<(Value<'c, 'a>, Value<'c, 'a>, bool)> {
        match (self.influence.leaves(left), self.influence.leaves(right)) {
            (true, false) => self.comparison(right),
            (false, true) => self.comparison(left),
            _ => None,
        }
    }
}
