//! Conversions: between units, and between times and numbers.

use super::{
    calendar::rescale,
    ticks::{NAT, nat_if, operand},
};
use crate::{
    inference::{
        emit::Emit,
        families::elements::elementwise,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    types::{display::display, number::Number},
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{CompareKind, UnaryKind},
    times::{Time, Unit},
};

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
    Some(rescale(e, ticks, from, to.unit).map(|ticks| e.time_of_ticks(ticks, to)))
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
                let ticks = e.ticks(value);
                let ticks = rescale(e, ticks, from, to.unit)?;
                Ok(e.time_of_ticks(ticks, to))
            }
            (Some(_), None) if Number::of(ty).is_some() => {
                let ticks = e.ticks(value);
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
    Ok(e.time_of_ticks(ticks, to))
}

/// `int(time)`: of nanoseconds only, as in Numba.
pub(crate) fn int<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    match Time::of(value.ty) {
        Some(time) if time.unit == Unit::Nano => Ok(e.ticks(value)),
        _ => Err(Stop::issue(format!(
            "only times in nanoseconds are ints, not {}",
            display(value.ty)
        ))
        .hint("write x.astype(np.int64) for the number of units")),
    }
}

/// The truth of a time: that it is not zero units.
pub(crate) fn truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
    let ticks = e.ticks(value);
    let zero = e.int(0);
    e.compare(CompareKind::Ne, ticks, zero)
}
