//! Times as integers: the number of their units.

use crate::inference::{emit::Emit, families::elements::element_type, val::Val};
use pyopt_dialects::{
    enums::CompareKind,
    times::{Time, Unit},
};

/// The ticks of NaT.
pub(crate) const NAT: i64 = i64::MIN;

/// What kind of time a value is, or its elements are.
pub(crate) fn of(value: Val) -> Option<Time> {
    Time::of(element_type(value))
}

/// Whether times are among some values or their elements.
pub(crate) fn are_among(values: &[Val]) -> bool {
    values.iter().any(|value| of(*value).is_some())
}

/// A time of a scalar with its ticks; an integer stands for a distance in any unit.
pub(crate) fn operand<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
) -> Option<(Time, Val<'c, 'a>)> {
    if let Some(time) = Time::of(value.ty) {
        return Some((time, e.ticks(value)));
    }
    if !e.is_int(value.ty) {
        return None;
    }
    let si64 = e.si64();
    let any = Time {
        is_delta: true,
        unit: Unit::Generic,
    };
    Some((any, e.cast(value, si64)))
}

/// Whether ticks are those of NaT.
pub(crate) fn is_nat_ticks<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, ticks: Val<'c, 'a>) -> Val<'c, 'a> {
    let nat = e.int(NAT);
    e.compare(CompareKind::Eq, ticks, nat)
}

/// Ticks, or those of NaT where a condition holds.
pub(crate) fn nat_if<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    condition: Val<'c, 'a>,
    ticks: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let nat = e.int(NAT);
    e.select(condition, nat, ticks)
}
