//! From one unit to another: fixed factors, and the Gregorian calendar for months.

use super::ticks::{is_nat_ticks, nat_if};
use crate::inference::{
    emit::Emit,
    issue::{Stop, Typing},
    val::Val,
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind},
    times::{Time, Unit},
};

/// How many of the next finer unit a unit is, from weeks on.
const STEPS: [(Unit, i64); 11] = [
    (Unit::Week, 7),
    (Unit::Day, 24),
    (Unit::Hour, 60),
    (Unit::Minute, 60),
    (Unit::Second, 1000),
    (Unit::Milli, 1000),
    (Unit::Micro, 1000),
    (Unit::Nano, 1000),
    (Unit::Pico, 1000),
    (Unit::Femto, 1000),
    (Unit::Atto, 1),
];

/// How many of a finer unit a coarser one is: `None` when no int holds it.
fn factor(coarse: Unit, fine: Unit) -> Option<i64> {
    match (coarse, fine) {
        (Unit::Year, Unit::Month) => Some(12),
        _ => STEPS
            .iter()
            .filter(|(unit, _)| coarse <= *unit && *unit < fine)
            .try_fold(1i64, |product, (_, step)| product.checked_mul(*step)),
    }
}

/// Converts the ticks of a time to another unit. Coarser units round down.
pub(crate) fn rescale<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    ticks: Val<'c, 'a>,
    time: Time,
    to: Unit,
) -> Typing<Val<'c, 'a>> {
    let from = time.unit;
    if from == to || from == Unit::Generic || to == Unit::Generic {
        return Ok(ticks);
    }
    let nat = is_nat_ticks(e, ticks);
    let converted = match (from.is_calendar(), to.is_calendar()) {
        (a, b) if a == b => scale(e, ticks, from, to)?,
        _ if time.is_delta => {
            return Err(Stop::issue(format!(
                "timedelta64[{}] can't be converted to timedelta64[{}]: months differ in length",
                from.name(),
                to.name()
            )));
        }
        (true, _) => {
            let months = scale(e, ticks, from, Unit::Month)?;
            let days = days_of_months(e, months);
            scale(e, days, Unit::Day, to)?
        }
        (false, _) => {
            let days = scale(e, ticks, from, Unit::Day)?;
            let months = months_of_days(e, days);
            scale(e, months, Unit::Month, to)?
        }
    };
    Ok(nat_if(e, nat, converted))
}

fn scale<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    ticks: Val<'c, 'a>,
    from: Unit,
    to: Unit,
) -> Typing<Val<'c, 'a>> {
    if from == to {
        return Ok(ticks);
    }
    let finer = from < to;
    let known = if finer {
        factor(from, to)
    } else {
        factor(to, from)
    };
    let Some(factor) = known else {
        return Err(Stop::issue(format!(
            "the units '{}' and '{}' are too far apart for 64 bits",
            from.name(),
            to.name()
        )));
    };
    let factor = e.int(factor);
    let kind = if finer {
        BinaryKind::Mul
    } else {
        BinaryKind::FloorDiv
    };
    Ok(e.binary(kind, ticks, factor))
}

/// A short way to write arithmetic with constants.
struct Calendar<'e, 'p, 'c, 'a>(&'e mut Emit<'p, 'c, 'a>);

impl<'c, 'a> Calendar<'_, '_, 'c, 'a> {
    fn with(&mut self, kind: BinaryKind, x: Val<'c, 'a>, constant: i64) -> Val<'c, 'a> {
        let constant = self.0.int(constant);
        self.0.binary(kind, x, constant)
    }

    fn plus(&mut self, x: Val<'c, 'a>, constant: i64) -> Val<'c, 'a> {
        self.with(BinaryKind::Add, x, constant)
    }

    fn times(&mut self, x: Val<'c, 'a>, constant: i64) -> Val<'c, 'a> {
        self.with(BinaryKind::Mul, x, constant)
    }

    fn over(&mut self, x: Val<'c, 'a>, constant: i64) -> Val<'c, 'a> {
        self.with(BinaryKind::FloorDiv, x, constant)
    }

    fn rest(&mut self, x: Val<'c, 'a>, constant: i64) -> Val<'c, 'a> {
        self.with(BinaryKind::Mod, x, constant)
    }

    fn sum(&mut self, x: Val<'c, 'a>, y: Val<'c, 'a>) -> Val<'c, 'a> {
        self.0.binary(BinaryKind::Add, x, y)
    }

    fn difference(&mut self, x: Val<'c, 'a>, y: Val<'c, 'a>) -> Val<'c, 'a> {
        self.0.binary(BinaryKind::Sub, x, y)
    }

    /// The days before a year that begins in March, of those since year 0, in 365.2425 a year.
    fn days_before_year(&mut self, year: Val<'c, 'a>) -> Val<'c, 'a> {
        let plain = self.times(year, 365);
        let fourth = self.over(year, 4);
        let hundredth = self.over(year, 100);
        let four_hundredth = self.over(year, 400);
        let days = self.sum(plain, fourth);
        let days = self.difference(days, hundredth);
        self.sum(days, four_hundredth)
    }
}

/// Days from the first of March of year 0 to the first of January 1970.
const EPOCH: i64 = 719_468;
/// Months from March of year 0 to January 1970.
const EPOCH_MONTHS: i64 = 1970 * 12 - 2;

/// The day on which a month begins, both since 1970. Years begin in March here, so that the day that
/// not all years have is their last; months then have 30.6 days on average, rounded.
fn days_of_months<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, months: Val<'c, 'a>) -> Val<'c, 'a> {
    let c = &mut Calendar(e);
    let months = c.plus(months, EPOCH_MONTHS);
    let year = c.over(months, 12);
    let month = c.rest(months, 12);
    let in_year = c.times(month, 153);
    let in_year = c.plus(in_year, 2);
    let in_year = c.over(in_year, 5);
    let before = c.days_before_year(year);
    let days = c.sum(before, in_year);
    c.plus(days, -EPOCH)
}

/// The month that a day is in, both since 1970.
fn months_of_days<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, days: Val<'c, 'a>) -> Val<'c, 'a> {
    let c = &mut Calendar(e);
    let days = c.plus(days, EPOCH);
    // The year that the average length gives is right or one too late.
    let scaled = c.times(days, 400);
    let scaled = c.plus(scaled, 800);
    let guess = c.over(scaled, 146_097);
    let first = c.days_before_year(guess);
    let late = c.0.compare(CompareKind::Lt, days, first);
    let si64 = c.0.si64();
    let late = c.0.cast(late, si64);
    let year = c.difference(guess, late);
    let first = c.days_before_year(year);
    let in_year = c.difference(days, first);
    let month = c.times(in_year, 5);
    let month = c.plus(month, 2);
    let month = c.over(month, 153);
    let months = c.times(year, 12);
    let months = c.sum(months, month);
    c.plus(months, -EPOCH_MONTHS)
}
