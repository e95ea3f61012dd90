//! Comparisons, and what is chosen by them. NaT is unequal to everything, itself too, and has no order.

use super::{
    arithmetic::common,
    ticks::{is_nat_ticks, of, operand},
};
use crate::inference::{
    arguments::Arguments,
    emit::Emit,
    families::elements::elementwise,
    issue::{Typing, stop},
    operator_kinds::{compare_symbol, no_operator, typed_kind},
    val::Val,
};
use pyopt_dialects::{
    enums::{CompareKind, PyCompareKind},
    times::Time,
};

/// `lhs op rhs` where times are among the operands, or among their elements.
pub(crate) fn compare<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyCompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    elementwise(e, &[lhs, rhs], |e, elements| {
        let Some((_, [a, b])) = alike(e, elements)? else {
            return stop(no_operator(compare_symbol(kind), elements));
        };
        let result = e.compare(typed_kind(kind), a, b);
        let [a, b] = [a, b].map(|ticks| is_nat_ticks(e, ticks));
        let nat = e.or(a, b);
        Ok(match kind {
            PyCompareKind::Ne => e.or(result, nat),
            _ => {
                let known = e.not(nat);
                e.and(result, known)
            }
        })
    })
}

/// Two points or two distances, and their ticks in one unit.
fn alike<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    elements: &[Val<'c, 'a>],
) -> Typing<Option<(Time, [Val<'c, 'a>; 2])>> {
    let (Some(x), Some(y)) = (operand(e, elements[0]), operand(e, elements[1])) else {
        return Ok(None);
    };
    if x.0.is_delta != y.0.is_delta {
        return Ok(None);
    }
    let (unit, ticks) = common(e, x, y)?;
    Ok(Some((Time { unit, ..x.0 }, ticks)))
}

/// What an extremum does with NaT.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nat {
    /// It wins, as in `np.maximum`.
    Wins,
    /// It loses, as in `np.fmax`.
    Loses,
    /// The first one stays, as in Python's `max`.
    Python,
}

/// The greater of two times, or with `Lt` the lesser.
pub(crate) fn extremum<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: CompareKind,
    [lhs, rhs]: [Val<'c, 'a>; 2],
    nat: Nat,
) -> Typing<Val<'c, 'a>> {
    elementwise(e, &[lhs, rhs], |e, elements| {
        let Some((time, [a, b])) = alike(e, elements)? else {
            return stop(no_operator("min and max", elements));
        };
        let [first, second] = [a, b].map(|ticks| is_nat_ticks(e, ticks));
        // Whether the second one is taken.
        let better = e.compare(kind, b, a);
        let unknown = e.or(first, second);
        let known = e.not(unknown);
        let better = e.and(better, known);
        let taken = match nat {
            Nat::Wins => e.or(better, second),
            Nat::Loses => e.or(better, first),
            Nat::Python => better,
        };
        let taken = match nat {
            // One NaT is as good as another.
            Nat::Wins => {
                let keeps = e.not(first);
                e.and(taken, keeps)
            }
            _ => taken,
        };
        let ticks = e.select(taken, b, a);
        Ok(e.time_of_ticks(ticks, time))
    })
}

/// `np.isnat`.
pub(crate) fn is_nat<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let value = arguments.one()?;
    if of(value).is_none() {
        return Err(arguments
            .no_implementation()
            .hint("only datetime64 and timedelta64 have NaT; use np.isnan"));
    }
    elementwise(e, &[value], |e, elements| {
        let ticks = e.ticks(elements[0]);
        Ok(is_nat_ticks(e, ticks))
    })
}
