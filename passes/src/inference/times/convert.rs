//! Conversions: between units, and between times and numbers.

use super::{NAT, Time, calendar::rescale, from_ticks, nat_if, operand, ticks};
use crate::{
    inference::{
        arrays::elementwise,
        emit::{Emit, Val},
        issue::{Stop, Typing, stop},
    },
    types::{display::display, number::Number},
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{CompareKind, UnaryKind},
    times::Unit,
};

/// The type that NumPy calls `datetime64[s]`, `timedelta64`, `M8[ns]` or the like.
pub(crate) fn dtype_named(name: &str) -> Option<Time> {
    let name = name.trim_start_matches(['<', '=']);
    let (kind, unit) = match name.split_once('[') {
        Some((kind, unit)) => (kind, Unit::from_name(unit.strip_suffix(']')?)?),
        None => (name, Unit::Generic),
    };
    let is_delta = match kind {
        "datetime64" | "M8" => false,
        "timedelta64" | "m8" => true,
        _ => return None,
    };
    Some(Time { is_delta, unit })
}

/// A time as one of another unit, as assignments and returns need it. What is no such conversion
/// gives nothing.
pub(crate) fn assigned<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    ty: Type<'c>,
) -> Option<Typing<Val<'c, 'a>>> {
    let (from, to) = (Time::of(value.ty), Time::of(ty)?);
    if from.is_some_and(|from| from.is_delta != to.is_delta) {
        return None;
    }
    let (from, ticks) = operand(e, value).filter(|(time, _)| time.is_delta == to.is_delta)?;
    Some(rescale(e, ticks, from, to.unit).map(|ticks| from_ticks(e, ticks, to)))
}

/// `value.astype(ty)` where one of them is a type of times.
pub(crate) fn astype<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    elementwise(e, &[value], |e, elements| {
        let value = elements[0];
        match (Time::of(value.ty), Time::of(ty)) {
            (Some(from), Some(to)) if from.is_delta == to.is_delta => {
                let ticks = ticks(e, value);
                let ticks = rescale(e, ticks, from, to.unit)?;
                Ok(from_ticks(e, ticks, to))
            }
            (Some(_), None) if Number::of(ty).is_some() => {
                let ticks = ticks(e, value);
                Ok(e.cast(ticks, ty))
            }
            (None, Some(to)) => number(e, value, to),
            _ => stop(format!(
                "can't convert {} to {}",
                display(value.ty),
                display(ty)
            )),
        }
    })
}

/// A number as so many units; NaN is NaT.
fn number<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>, to: Time) -> Typing<Val<'c, 'a>> {
    let si64 = e.si64();
    let ticks = match value.number() {
        Some(Number::Float(_)) => {
            let truncated = e.cast(value, si64);
            let size = e.unary(UnaryKind::Abs, value);
            let limit = e.float_of(-(NAT as f64), value.ty);
            let fits = e.compare(CompareKind::Lt, size, limit);
            let wrong = e.not(fits);
            nat_if(e, wrong, truncated)
        }
        Some(number) if number.is_integral() => e.cast(value, si64),
        _ => {
            return stop(format!(
                "can't convert {} to {}",
                display(value.ty),
                display(to.to_type(e.context()))
            ));
        }
    };
    Ok(from_ticks(e, ticks, to))
}

/// `int(time)`: of nanoseconds only, as in Numba.
pub(crate) fn int<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    match Time::of(value.ty) {
        Some(time) if time.unit == Unit::Nano => Ok(ticks(e, value)),
        _ => Err(Stop::issue(format!(
            "only times in nanoseconds are ints, not {}",
            display(value.ty)
        ))
        .hint("write x.astype(np.int64) for the number of units")),
    }
}

/// The truth of a time: that it is not zero units.
pub(crate) fn truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
    let ticks = ticks(e, value);
    let zero = e.int(0);
    e.compare(CompareKind::Ne, ticks, zero)
}
