//! `+ - * / // %` and unary operators.

use super::{
    calendar::rescale,
    ticks::{is_nat_ticks, nat_if, operand},
};
use crate::{
    inference::{
        emit::Emit,
        families::elements::elementwise,
        issue::{Stop, Typing, stop},
        operator_kinds::{binary_symbol, no_operator},
        val::Val,
    },
    types::number::Number,
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, PyBinaryKind, UnaryKind},
    times::{Time, Unit},
};

/// `lhs op rhs` where times are among the operands, or among their elements.
pub(crate) fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    elementwise(e, &[lhs, rhs], |e, elements| {
        scalars(e, kind, elements[0], elements[1])
    })
}

fn scalars<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let refused = || no_operator(binary_symbol(kind), &[lhs, rhs]);
    let is_delta = |value: Val| Time::of(value.ty).is_some_and(|time| time.is_delta);
    match kind {
        PyBinaryKind::Add | PyBinaryKind::Sub => {
            let (Some(x), Some(y)) = (operand(e, lhs), operand(e, rhs)) else {
                return stop(refused());
            };
            let is_delta = match (kind, x.0.is_delta, y.0.is_delta) {
                (_, true, true) => true,
                (_, false, true) | (PyBinaryKind::Add, true, false) => false,
                (PyBinaryKind::Sub, false, false) => true,
                _ => return stop(refused()),
            };
            let (unit, [a, b]) = common(e, x, y)?;
            let kind = match kind {
                PyBinaryKind::Add => BinaryKind::Add,
                _ => BinaryKind::Sub,
            };
            let result = e.binary(kind, a, b);
            let result = unless_nat(e, [a, b], result);
            Ok(e.time_of_ticks(result, Time { is_delta, unit }))
        }
        PyBinaryKind::Mul if is_delta(lhs) && rhs.number().is_some() => {
            scaled(e, kind, lhs, rhs).ok_or_else(|| Stop::issue(refused()))
        }
        PyBinaryKind::Mul if is_delta(rhs) && lhs.number().is_some() => {
            scaled(e, kind, rhs, lhs).ok_or_else(|| Stop::issue(refused()))
        }
        PyBinaryKind::TrueDiv | PyBinaryKind::FloorDiv
            if is_delta(lhs) && rhs.number().is_some() =>
        {
            scaled(e, kind, lhs, rhs).ok_or_else(|| Stop::issue(refused()))
        }
        PyBinaryKind::TrueDiv | PyBinaryKind::FloorDiv | PyBinaryKind::Mod
            if is_delta(lhs) && is_delta(rhs) =>
        {
            let (Some(x), Some(y)) = (operand(e, lhs), operand(e, rhs)) else {
                return stop(refused());
            };
            let (unit, operands) = common(e, x, y)?;
            Ok(quotient(e, kind, unit, operands))
        }
        _ => stop(refused()),
    }
}

/// The finer of two units, and the ticks of both in it.
pub(crate) fn common<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    (a, x): (Time, Val<'c, 'a>),
    (b, y): (Time, Val<'c, 'a>),
) -> Typing<(Unit, [Val<'c, 'a>; 2])> {
    let unit = match (a.unit, b.unit) {
        (Unit::Generic, unit) | (unit, Unit::Generic) => unit,
        (x, y) => x.max(y),
    };
    Ok((unit, [rescale(e, x, a, unit)?, rescale(e, y, b, unit)?]))
}

fn unless_nat<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operands: [Val<'c, 'a>; 2],
    result: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let [a, b] = operands.map(|operand| is_nat_ticks(e, operand));
    let nat = e.or(a, b);
    nat_if(e, nat, result)
}

/// A distance times or over a number, toward zero; NaT over zero, for NaN and beyond 64 bits of a
/// float.
fn scaled<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    delta: Val<'c, 'a>,
    number: Val<'c, 'a>,
) -> Option<Val<'c, 'a>> {
    let (time, ticks) = operand(e, delta)?;
    let nat = is_nat_ticks(e, ticks);
    let si64 = e.si64();
    let result = match number.number()? {
        Number::Complex(_) => return None,
        Number::Float(_) => {
            let f64 = e.f64();
            let (ticks, number) = (e.cast(ticks, f64), e.cast(number, f64));
            let kind = match kind {
                PyBinaryKind::Mul => BinaryKind::Mul,
                _ => BinaryKind::TrueDiv,
            };
            let exact = e.binary(kind, ticks, number);
            let size = e.unary(UnaryKind::Abs, exact);
            let limit = e.float(-(i64::MIN as f64));
            let fits = e.compare(CompareKind::Lt, size, limit);
            let truncated = e.cast(exact, si64);
            let wrong = e.not(fits);
            nat_if(e, wrong, truncated)
        }
        _ => {
            let number = e.cast(number, si64);
            match kind {
                PyBinaryKind::Mul => e.binary(BinaryKind::Mul, ticks, number),
                _ => truncated_quotient(e, ticks, number),
            }
        }
    };
    let result = nat_if(e, nat, result);
    Some(e.time_of_ticks(result, time))
}

/// `ticks / number` toward zero, NaT over zero.
fn truncated_quotient<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    ticks: Val<'c, 'a>,
    number: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let (zero, one) = (e.int(0), e.int(1));
    let floor = e.binary(BinaryKind::FloorDiv, ticks, number);
    let rest = e.binary(BinaryKind::Mod, ticks, number);
    let uneven = e.compare(CompareKind::Ne, rest, zero);
    let below = e.compare(CompareKind::Lt, floor, zero);
    let toward_zero = e.and(uneven, below);
    let next = e.binary(BinaryKind::Add, floor, one);
    let quotient = e.select(toward_zero, next, floor);
    let by_zero = e.compare(CompareKind::Eq, number, zero);
    nat_if(e, by_zero, quotient)
}

/// `/`, `//` and `%` of two distances in one unit: a float, an int, a distance.
fn quotient<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: PyBinaryKind,
    unit: Unit,
    [a, b]: [Val<'c, 'a>; 2],
) -> Val<'c, 'a> {
    let [x, y] = [a, b].map(|ticks| is_nat_ticks(e, ticks));
    let nat = e.or(x, y);
    let zero = e.int(0);
    match kind {
        PyBinaryKind::TrueDiv => {
            let f64 = e.f64();
            let (a, b) = (e.cast(a, f64), e.cast(b, f64));
            let exact = e.binary(BinaryKind::TrueDiv, a, b);
            let nan = e.float(f64::NAN);
            e.select(nat, nan, exact)
        }
        PyBinaryKind::FloorDiv => {
            let floor = e.binary(BinaryKind::FloorDiv, a, b);
            e.select(nat, zero, floor)
        }
        _ => {
            let rest = e.binary(BinaryKind::Mod, a, b);
            let by_zero = e.compare(CompareKind::Eq, b, zero);
            let nat = e.or(nat, by_zero);
            let rest = nat_if(e, nat, rest);
            let is_delta = true;
            e.time_of_ticks(rest, Time { is_delta, unit })
        }
    }
}

/// A unary operator or function of distances; NaT stays NaT.
pub(crate) fn unary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: UnaryKind,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    elementwise(e, &[value], |e, elements| {
        let Some((time, ticks)) = operand(e, elements[0]) else {
            return Err(Stop::Unknown);
        };
        let result = match kind {
            UnaryKind::IsNan => return Ok(is_nat_ticks(e, ticks)),
            UnaryKind::IsFinite => {
                let nat = is_nat_ticks(e, ticks);
                return Ok(e.not(nat));
            }
            UnaryKind::IsInf => return Ok(e.bool(false)),
            // The negative of the least integer is itself, and so is its absolute value. The sign of
            // NaT is NumPy's, -1.
            UnaryKind::Neg | UnaryKind::Abs | UnaryKind::Sign if time.is_delta => {
                e.unary(kind, ticks)
            }
            UnaryKind::Real => return Ok(elements[0]),
            UnaryKind::Imag => return Ok(e.number(0, elements[0].ty)),
            _ => return stop(no_operator(kind.name(), &[elements[0]])),
        };
        Ok(e.time_of_ticks(result, time))
    })
}
