//! The math module: functions of real numbers. As in Numba a domain error gives NaN or infinity.

use super::table::Table;
use crate::{
    inference::{arguments::Arguments, emit::Emit, issue::Typing, val::Val},
    types::number::Number,
};
use pyopt_dialects::enums::{BinaryKind, UnaryKind};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("math.sqrt", |e, x| elementary(e, x, UnaryKind::Sqrt)),
    ("math.exp", |e, x| elementary(e, x, UnaryKind::Exp)),
    ("math.exp2", |e, x| elementary(e, x, UnaryKind::Exp2)),
    ("math.expm1", |e, x| elementary(e, x, UnaryKind::Expm1)),
    ("math.log", log),
    ("math.log2", |e, x| elementary(e, x, UnaryKind::Log2)),
    ("math.log10", |e, x| elementary(e, x, UnaryKind::Log10)),
    ("math.log1p", |e, x| elementary(e, x, UnaryKind::Log1p)),
    ("math.sin", |e, x| elementary(e, x, UnaryKind::Sin)),
    ("math.cos", |e, x| elementary(e, x, UnaryKind::Cos)),
    ("math.tan", |e, x| elementary(e, x, UnaryKind::Tan)),
    ("math.asin", |e, x| elementary(e, x, UnaryKind::Asin)),
    ("math.acos", |e, x| elementary(e, x, UnaryKind::Acos)),
    ("math.atan", |e, x| elementary(e, x, UnaryKind::Atan)),
    ("math.sinh", |e, x| elementary(e, x, UnaryKind::Sinh)),
    ("math.cosh", |e, x| elementary(e, x, UnaryKind::Cosh)),
    ("math.tanh", |e, x| elementary(e, x, UnaryKind::Tanh)),
    ("math.asinh", |e, x| elementary(e, x, UnaryKind::Asinh)),
    ("math.acosh", |e, x| elementary(e, x, UnaryKind::Acosh)),
    ("math.atanh", |e, x| elementary(e, x, UnaryKind::Atanh)),
    ("math.cbrt", |e, x| elementary(e, x, UnaryKind::Cbrt)),
    ("math.erf", |e, x| elementary(e, x, UnaryKind::Erf)),
    ("math.erfc", |e, x| elementary(e, x, UnaryKind::Erfc)),
    ("math.gamma", |e, x| elementary(e, x, UnaryKind::Gamma)),
    ("math.lgamma", |e, x| elementary(e, x, UnaryKind::LogGamma)),
    ("math.fabs", |e, x| elementary(e, x, UnaryKind::Abs)),
    ("math.floor", |e, x| to_int(e, x, UnaryKind::Floor)),
    ("math.ceil", |e, x| to_int(e, x, UnaryKind::Ceil)),
    ("math.trunc", |e, x| to_int(e, x, UnaryKind::Trunc)),
    ("math.isnan", |e, x| predicate(e, x, UnaryKind::IsNan)),
    ("math.isinf", |e, x| predicate(e, x, UnaryKind::IsInf)),
    ("math.isfinite", |e, x| predicate(e, x, UnaryKind::IsFinite)),
    ("math.pow", |e, x| binary(e, x, BinaryKind::Pow)),
    ("math.atan2", |e, x| binary(e, x, BinaryKind::Atan2)),
    ("math.hypot", |e, x| binary(e, x, BinaryKind::Hypot)),
    ("math.copysign", |e, x| binary(e, x, BinaryKind::CopySign)),
    ("math.fmod", |e, x| binary(e, x, BinaryKind::Fmod)),
    ("math.nextafter", |e, x| binary(e, x, BinaryKind::NextAfter)),
    ("math.degrees", |e, x| {
        scaled(e, x, 180.0 / std::f64::consts::PI)
    }),
    ("math.radians", |e, x| {
        scaled(e, x, std::f64::consts::PI / 180.0)
    }),
];

/// The argument as a float: float32 stays what it is, integers become float64.
fn real<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match value.number().map(Number::to_inexact) {
        Some(number @ Number::Float(_)) => {
            let ty = number.to_type(e.context());
            Ok(e.cast(value, ty))
        }
        _ => Err(arguments.no_implementation()),
    }
}

fn elementary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: UnaryKind,
) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    let operand = real(e, arguments, operand)?;
    Ok(e.unary(kind, operand))
}

/// The logarithm, natural or to a base.
fn log<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    if arguments.positional.len() != 2 {
        return elementary(e, arguments, UnaryKind::Log);
    }
    let [operand, base] = pair(e, arguments)?;
    let operand = e.unary(UnaryKind::Log, operand);
    let base = e.unary(UnaryKind::Log, base);
    Ok(e.binary(BinaryKind::TrueDiv, operand, base))
}

/// Two arguments as one type of float.
fn pair<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<[Val<'c, 'a>; 2]> {
    let [lhs, rhs] = arguments.two()?;
    let lhs = real(e, arguments, lhs)?;
    let rhs = real(e, arguments, rhs)?;
    let ty = if lhs.ty == rhs.ty { lhs.ty } else { e.f64() };
    Ok([e.cast(lhs, ty), e.cast(rhs, ty)])
}

fn binary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: BinaryKind,
) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = pair(e, arguments)?;
    Ok(e.binary(kind, lhs, rhs))
}

/// Rounds to an int; ints are rounded already, and those without a sign stay so.
fn to_int<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: UnaryKind,
) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    if let Some(number) = operand.number().filter(|_| e.is_int(operand.ty)) {
        let grown = number.arithmetic(number).to_type(e.context());
        return Ok(e.cast(operand, grown));
    }
    let si64 = e.si64();
    let operand = real(e, arguments, operand)?;
    let rounded = e.unary(kind, operand);
    Ok(e.cast(rounded, si64))
}

fn predicate<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: UnaryKind,
) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    if e.is_int(operand.ty) {
        return Ok(e.bool(kind == UnaryKind::IsFinite));
    }
    let operand = real(e, arguments, operand)?;
    Ok(e.unary(kind, operand))
}

fn scaled<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    factor: f64,
) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    let operand = real(e, arguments, operand)?;
    let factor = e.float_of(factor, operand.ty);
    Ok(e.binary(BinaryKind::Mul, operand, factor))
}
