//! `np.datetime64(…)` and `np.timedelta64(…)`.

use super::{convert, ticks::NAT};
use crate::inference::{
    arguments::Arguments,
    emit::Emit,
    issue::{Stop, Typing, stop},
    val::Val,
};
use pyopt_dialects::times::{Time, Unit};

/// Calls one of the types: with a constant text, an int and a unit, or another time.
pub(crate) fn construct<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    is_delta: bool,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [value, unit] = arguments.bind(["value", "unit"], 0)?;
    let unit = match unit.filter(|unit| !unit.is_none()) {
        None => None,
        Some(unit) => match unit.literal_str().and_then(Unit::from_name) {
            Some(unit) => Some(unit),
            None => {
                return Err(
                    Stop::issue("the unit of a time must be a constant such as 's'")
                        .hint("multiples of units, as in '10s', are not supported"),
                );
            }
        },
    };
    let Some(value) = value else {
        let zero = e.int(if is_delta { 0 } else { NAT });
        let unit = unit.unwrap_or(Unit::Generic);
        return Ok(e.time_of_ticks(zero, Time { is_delta, unit }));
    };
    if let Some(text) = value.literal_str() {
        return parsed(e, is_delta, text, unit, arguments);
    }
    if let Some(from) = Time::of(value.ty).filter(|from| from.is_delta == is_delta) {
        let unit = unit.unwrap_or(from.unit);
        let ty = Time { is_delta, unit }.to_type(e.context());
        return convert::astype(e, value, ty);
    }
    match unit {
        None if is_delta && e.is_int(value.ty) => {
            let unit = Unit::Generic;
            let ty = Time { is_delta, unit }.to_type(e.context());
            convert::astype(e, value, ty)
        }
        Some(unit) if e.is_int(value.ty) => {
            let ty = Time { is_delta, unit }.to_type(e.context());
            convert::astype(e, value, ty)
        }
        _ => Err(arguments
            .no_implementation()
            .hint("pass a constant text, or an int and a unit")),
    }
}

fn parsed<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    is_delta: bool,
    text: &str,
    unit: Option<Unit>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (ticks, from) = match text {
        "" | "NaT" | "nat" | "Nat" | "NAT" => (NAT, unit.unwrap_or(Unit::Generic)),
        _ if is_delta => return Err(arguments.no_implementation().hint("pass an int and a unit")),
        _ => match parse(text) {
            Some(parsed) => parsed,
            None => return stop(format!("'{text}' is no date that compiled code reads")),
        },
    };
    let unit = unit.unwrap_or(from);
    let ticks = e.int(ticks);
    let time = e.time_of_ticks(
        ticks,
        Time {
            is_delta,
            unit: from,
        },
    );
    let ty = Time { is_delta, unit }.to_type(e.context());
    convert::astype(e, time, ty)
}

/// Reads a date of ISO 8601 without a time zone: the ticks, and the unit that its parts show.
fn parse(text: &str) -> Option<(i64, Unit)> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let (sign, digits) = match date.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, date),
    };
    let number = |text: &str| -> Option<i64> {
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| text.parse().ok()).flatten()
    };
    let parts: Option<Vec<i64>> = digits.split('-').map(number).collect();
    let parts = parts?;
    let years = sign * parts[0] - 1970;
    let month = match parts.get(1) {
        None => return time.is_none().then_some((years, Unit::Year)),
        Some(month @ 1..=12) => month - 1,
        Some(_) => return None,
    };
    let months = years.checked_mul(12)? + month;
    let days = match parts.as_slice() {
        [_, _] => return time.is_none().then_some((months, Unit::Month)),
        [_, _, day] => days_before(months) + day - 1,
        _ => return None,
    };
    if parts[2] < 1 || days >= days_before(months + 1) {
        return None;
    }
    let Some(time) = time else {
        return Some((days, Unit::Day));
    };
    let (clock, fraction) = match time.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (time, None),
    };
    let clock: Option<Vec<i64>> = clock.split(':').map(number).collect();
    let (ticks, unit) = match *clock?.as_slice() {
        [hour @ 0..24] => (days.checked_mul(24)? + hour, Unit::Hour),
        [hour @ 0..24, minute @ 0..60] => {
            (days.checked_mul(1440)? + hour * 60 + minute, Unit::Minute)
        }
        [hour @ 0..24, minute @ 0..60, second @ 0..60] => {
            let seconds = days.checked_mul(86_400)? + hour * 3600 + minute * 60 + second;
            return seconds_with(seconds, fraction);
        }
        _ => return None,
    };
    fraction.is_none().then_some((ticks, unit))
}

/// Seconds and the digits behind the point: in thirds of them.
fn seconds_with(seconds: i64, fraction: Option<&str>) -> Option<(i64, Unit)> {
    let digits = fraction.unwrap_or_default();
    let unit = match digits.len() {
        0 => Unit::Second,
        1..=3 => Unit::Milli,
        4..=6 => Unit::Micro,
        7..=9 => Unit::Nano,
        10..=12 => Unit::Pico,
        13..=15 => Unit::Femto,
        16..=18 => Unit::Atto,
        _ => return None,
    };
    if fraction.is_some_and(|digits| digits.is_empty()) {
        return None;
    }
    let width = digits.len().next_multiple_of(3);
    let padded = format!("{digits:0<width$}");
    let parts: i64 = match padded.as_str() {
        "" => 0,
        padded if padded.bytes().all(|byte| byte.is_ascii_digit()) => padded.parse().ok()?,
        _ => return None,
    };
    let scale = 10i64.checked_pow(width as u32)?;
    let ticks = seconds.checked_mul(scale)?.checked_add(parts)?;
    Some((ticks, unit))
}

/// The days before the month of this number, both since 1970.
fn days_before(months: i64) -> i64 {
    // Years that begin in March have the day that not all years have at their end.
    let months = months + 1970 * 12 - 2;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12));
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_numpys() {
        for (text, expected) in [
            ("1970", Some((0, Unit::Year))),
            ("-1", Some((-1971, Unit::Year))),
            ("2001-02", Some((373, Unit::Month))),
            ("2000-02-29", Some((11_016, Unit::Day))),
            ("1900-02-29", None),
            ("2000-01-01T12", Some((262_980, Unit::Hour))),
            ("2000-01-01 12:30", Some((15_778_830, Unit::Minute))),
            ("1969-12-31T23:59:59", Some((-1, Unit::Second))),
            ("1970-01-01T00:00:00.25", Some((250, Unit::Milli))),
            ("1970-01-01T00:00:00.0000001", Some((100, Unit::Nano))),
            ("1970-13", None),
            ("1970-01-01T24", None),
            ("1970-01-01T00:00Z", None),
            ("soon", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
