//! The module `cmath`: functions of complex numbers. As in Numba a domain error gives NaN or infinity.
//!
//! What is made of these, `phase`, `polar`, `rect`, `log10` and others, is in the overload library.

use super::table::Table;
use crate::{
    inference::{arguments::Arguments, emit::Emit, issue::Typing, val::Val},
    types::number::Number,
};
use pyopt_dialects::enums::{BinaryKind, UnaryKind};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("cmath.sqrt", |e, x| elementary(e, x, UnaryKind::Sqrt)),
    ("cmath.exp", |e, x| elementary(e, x, UnaryKind::Exp)),
    ("cmath.log", log),
    ("cmath.sin", |e, x| elementary(e, x, UnaryKind::Sin)),
    ("cmath.cos", |e, x| elementary(e, x, UnaryKind::Cos)),
    ("cmath.tan", |e, x| elementary(e, x, UnaryKind::Tan)),
    ("cmath.asin", |e, x| elementary(e, x, UnaryKind::Asin)),
    ("cmath.acos", |e, x| elementary(e, x, UnaryKind::Acos)),
    ("cmath.atan", |e, x| elementary(e, x, UnaryKind::Atan)),
    ("cmath.sinh", |e, x| elementary(e, x, UnaryKind::Sinh)),
    ("cmath.cosh", |e, x| elementary(e, x, UnaryKind::Cosh)),
    ("cmath.tanh", |e, x| elementary(e, x, UnaryKind::Tanh)),
    ("cmath.asinh", |e, x| elementary(e, x, UnaryKind::Asinh)),
    ("cmath.acosh", |e, x| elementary(e, x, UnaryKind::Acosh)),
    ("cmath.atanh", |e, x| elementary(e, x, UnaryKind::Atanh)),
    ("cmath.isnan", |e, x| elementary(e, x, UnaryKind::IsNan)),
    ("cmath.isinf", |e, x| elementary(e, x, UnaryKind::IsInf)),
    ("cmath.isfinite", |e, x| {
        elementary(e, x, UnaryKind::IsFinite)
    }),
];

/// The argument as a complex number: complex64 stays what it is, all else becomes complex128.
fn complex<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let number = match value.number() {
        Some(number @ Number::Complex(_)) => number,
        Some(_) => Number::Complex(64),
        None => return Err(arguments.no_implementation()),
    };
    let ty = number.to_type(e.context());
    Ok(e.cast(value, ty))
}

fn elementary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: UnaryKind,
) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    let operand = complex(e, arguments, operand)?;
    Ok(e.unary(kind, operand))
}

/// The logarithm, natural or to a base.
fn log<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    if arguments.positional.len() != 2 {
        return elementary(e, arguments, UnaryKind::Log);
    }
    let [operand, base] = arguments.two()?;
    let operand = complex(e, arguments, operand)?;
    let base = complex(e, arguments, base)?;
    let ty = match operand.ty == base.ty {
        true => operand.ty,
        false => Number::Complex(64).to_type(e.context()),
    };
    let [operand, base] = [operand, base].map(|value| {
        let value = e.cast(value, ty);
        e.unary(UnaryKind::Log, value)
    });
    Ok(e.binary(BinaryKind::TrueDiv, operand, base))
}
