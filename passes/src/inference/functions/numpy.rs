//! NumPy's universal functions: on scalars, and element by element on arrays.

use super::{
    numpy_elements::{
        fabs, fmod, logical, logical_not, reciprocal, square, to_degrees, to_radians,
    },
    table::Table,
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            arrays, elements, times,
            ufuncs::{float_pair, number_of, unary_element},
        },
        issue::Typing,
        val::Val,
    },
    types::number::Number,
};
use pyopt_dialects::enums::{BinaryKind, CompareKind, PyBinaryKind, PyCompareKind, UnaryKind};

/// The functions of one argument.
pub(super) const UNARY: Table = &[
    ("numpy.sqrt", |e, x| unary(e, x, UnaryKind::Sqrt)),
    ("numpy.exp", |e, x| unary(e, x, UnaryKind::Exp)),
    ("numpy.exp2", |e, x| unary(e, x, UnaryKind::Exp2)),
    ("numpy.expm1", |e, x| unary(e, x, UnaryKind::Expm1)),
    ("numpy.log", |e, x| unary(e, x, UnaryKind::Log)),
    ("numpy.log2", |e, x| unary(e, x, UnaryKind::Log2)),
    ("numpy.log10", |e, x| unary(e, x, UnaryKind::Log10)),
    ("numpy.log1p", |e, x| unary(e, x, UnaryKind::Log1p)),
    ("numpy.sin", |e, x| unary(e, x, UnaryKind::Sin)),
    ("numpy.cos", |e, x| unary(e, x, UnaryKind::Cos)),
    ("numpy.tan", |e, x| unary(e, x, UnaryKind::Tan)),
    ("numpy.arcsin", |e, x| unary(e, x, UnaryKind::Asin)),
    ("numpy.arccos", |e, x| unary(e, x, UnaryKind::Acos)),
    ("numpy.arctan", |e, x| unary(e, x, UnaryKind::Atan)),
    ("numpy.asin", |e, x| unary(e, x, UnaryKind::Asin)),
    ("numpy.acos", |e, x| unary(e, x, UnaryKind::Acos)),
    ("numpy.atan", |e, x| unary(e, x, UnaryKind::Atan)),
    ("numpy.sinh", |e, x| unary(e, x, UnaryKind::Sinh)),
    ("numpy.cosh", |e, x| unary(e, x, UnaryKind::Cosh)),
    ("numpy.tanh", |e, x| unary(e, x, UnaryKind::Tanh)),
    ("numpy.arcsinh", |e, x| unary(e, x, UnaryKind::Asinh)),
    ("numpy.arccosh", |e, x| unary(e, x, UnaryKind::Acosh)),
    ("numpy.arctanh", |e, x| unary(e, x, UnaryKind::Atanh)),
    ("numpy.cbrt", |e, x| unary(e, x, UnaryKind::Cbrt)),
    ("numpy.floor", |e, x| unary(e, x, UnaryKind::Floor)),
    ("numpy.ceil", |e, x| unary(e, x, UnaryKind::Ceil)),
    ("numpy.trunc", |e, x| unary(e, x, UnaryKind::Trunc)),
    ("numpy.rint", |e, x| unary(e, x, UnaryKind::Rint)),
    ("numpy.fabs", |e, x| elementwise_1(e, x, fabs)),
    ("numpy.abs", |e, x| unary(e, x, UnaryKind::Abs)),
    ("numpy.absolute", |e, x| unary(e, x, UnaryKind::Abs)),
    ("numpy.negative", |e, x| unary(e, x, UnaryKind::Neg)),
    ("numpy.positive", |e, x| elementwise_1(e, x, |_, x| Ok(x))),
    ("numpy.sign", |e, x| unary(e, x, UnaryKind::Sign)),
    ("numpy.conj", |e, x| unary(e, x, UnaryKind::Conj)),
    ("numpy.conjugate", |e, x| unary(e, x, UnaryKind::Conj)),
    ("numpy.real", |e, x| unary(e, x, UnaryKind::Real)),
    ("numpy.imag", |e, x| unary(e, x, UnaryKind::Imag)),
    ("numpy.isnan", |e, x| unary(e, x, UnaryKind::IsNan)),
    ("numpy.isinf", |e, x| unary(e, x, UnaryKind::IsInf)),
    ("numpy.isnat", times::is_nat),
    ("numpy.isfinite", |e, x| unary(e, x, UnaryKind::IsFinite)),
    ("numpy.invert", |e, x| unary(e, x, UnaryKind::Invert)),
    ("numpy.bitwise_not", |e, x| unary(e, x, UnaryKind::Invert)),
    ("numpy.square", |e, x| elementwise_1(e, x, square)),
    ("numpy.reciprocal", |e, x| elementwise_1(e, x, reciprocal)),
    ("numpy.logical_not", |e, x| elementwise_1(e, x, logical_not)),
    ("numpy.deg2rad", |e, x| elementwise_1(e, x, to_radians)),
    ("numpy.radians", |e, x| elementwise_1(e, x, to_radians)),
    ("numpy.rad2deg", |e, x| elementwise_1(e, x, to_degrees)),
    ("numpy.degrees", |e, x| elementwise_1(e, x, to_degrees)),
];

/// The functions of two arguments.
pub(super) const BINARY: Table = &[
    ("numpy.add", |e, x| operator(e, x, PyBinaryKind::Add)),
    ("numpy.subtract", |e, x| operator(e, x, PyBinaryKind::Sub)),
    ("numpy.multiply", |e, x| operator(e, x, PyBinaryKind::Mul)),
    ("numpy.divide", |e, x| operator(e, x, PyBinaryKind::TrueDiv)),
    ("numpy.true_divide", |e, x| {
        operator(e, x, PyBinaryKind::TrueDiv)
    }),
    ("numpy.floor_divide", |e, x| {
        operator(e, x, PyBinaryKind::FloorDiv)
    }),
    ("numpy.mod", |e, x| operator(e, x, PyBinaryKind::Mod)),
    ("numpy.remainder", |e, x| operator(e, x, PyBinaryKind::Mod)),
    ("numpy.power", |e, x| operator(e, x, PyBinaryKind::Pow)),
    ("numpy.bitwise_and", |e, x| {
        operator(e, x, PyBinaryKind::And)
    }),
    ("numpy.bitwise_or", |e, x| operator(e, x, PyBinaryKind::Or)),
    ("numpy.bitwise_xor", |e, x| {
        operator(e, x, PyBinaryKind::Xor)
    }),
    ("numpy.left_shift", |e, x| {
        operator(e, x, PyBinaryKind::LShift)
    }),
    ("numpy.right_shift", |e, x| {
        operator(e, x, PyBinaryKind::RShift)
    }),
    ("numpy.arctan2", |e, x| {
        elementwise_2(e, x, |e, a, b| float_pair(e, BinaryKind::Atan2, a, b))
    }),
    ("numpy.atan2", |e, x| {
        elementwise_2(e, x, |e, a, b| float_pair(e, BinaryKind::Atan2, a, b))
    }),
    ("numpy.hypot", |e, x| {
        elementwise_2(e, x, |e, a, b| float_pair(e, BinaryKind::Hypot, a, b))
    }),
    ("numpy.copysign", |e, x| {
        elementwise_2(e, x, |e, a, b| float_pair(e, BinaryKind::CopySign, a, b))
    }),
    ("numpy.fmod", |e, x| elementwise_2(e, x, fmod)),
    ("numpy.nextafter", |e, x| {
        elementwise_2(e, x, |e, a, b| float_pair(e, BinaryKind::NextAfter, a, b))
    }),
    ("numpy.maximum", |e, x| {
        extremum(e, x, CompareKind::Ge, true)
    }),
    ("numpy.minimum", |e, x| {
        extremum(e, x, CompareKind::Le, true)
    }),
    ("numpy.fmax", |e, x| extremum(e, x, CompareKind::Ge, false)),
    ("numpy.fmin", |e, x| extremum(e, x, CompareKind::Le, false)),
    ("numpy.equal", |e, x| comparison(e, x, PyCompareKind::Eq)),
    ("numpy.not_equal", |e, x| {
        comparison(e, x, PyCompareKind::Ne)
    }),
    ("numpy.less", |e, x| comparison(e, x, PyCompareKind::Lt)),
    ("numpy.less_equal", |e, x| {
        comparison(e, x, PyCompareKind::Le)
    }),
    ("numpy.greater", |e, x| comparison(e, x, PyCompareKind::Gt)),
    ("numpy.greater_equal", |e, x| {
        comparison(e, x, PyCompareKind::Ge)
    }),
    ("numpy.logical_and", |e, x| logical(e, x, BinaryKind::And)),
    ("numpy.logical_or", |e, x| logical(e, x, BinaryKind::Or)),
    ("numpy.logical_xor", |e, x| logical(e, x, BinaryKind::Xor)),
];

/// Applies a function to a number or to each element of an array.
fn elementwise_1<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    function: impl Fn(&mut Emit<'_, 'c, 'a>, Val<'c, 'a>) -> Typing<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    elements::elementwise(e, &[operand], |e, elements| function(e, elements[0]))
}

/// Applies a function to two numbers, or to the elements of arrays that are broadcast.
fn elementwise_2<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    function: impl Fn(&mut Emit<'_, 'c, 'a>, Val<'c, 'a>, Val<'c, 'a>) -> Typing<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let operands = arguments.two()?;
    let operands = arrays::weaken(e, &operands)?;
    elements::elementwise(e, &operands, |e, elements| {
        function(e, elements[0], elements[1])
    })
}

fn unary<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: UnaryKind,
) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    unary_element(e, kind, operand)
}

fn operator<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: PyBinaryKind,
) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    arrays::binary(e, kind, lhs, rhs)
}

/// `maximum` and `minimum`, `fmax` and `fmin`, of numbers and times.
fn extremum<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: CompareKind,
    nan_wins: bool,
) -> Typing<Val<'c, 'a>> {
    let operands = arguments.two()?;
    if !times::are_among(&operands) {
        return elementwise_2(e, arguments, |e, a, b| chosen(e, kind, a, b, nan_wins));
    }
    let kind = match kind {
        CompareKind::Ge => CompareKind::Gt,
        _ => CompareKind::Lt,
    };
    let nat = match nan_wins {
        true => times::Nat::Wins,
        false => times::Nat::Loses,
    };
    times::extremum(e, kind, operands, nat)
}

/// `maximum` and `minimum` give NaN when there is one (`nan_wins`); `fmax` and `fmin` give the
/// other one.
fn chosen<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: CompareKind,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
    nan_wins: bool,
) -> Typing<Val<'c, 'a>> {
    let number = number_of(lhs)?.promote(number_of(rhs)?);
    let ty = number.to_type(e.context());
    let lhs = e.cast(lhs, ty);
    let rhs = e.cast(rhs, ty);
    let mut first = e.compare(kind, lhs, rhs);
    let tested = if nan_wins { lhs } else { rhs };
    let is_nan = match number {
        Number::Float(_) => e.unary(UnaryKind::IsNan, tested),
        Number::Complex(_) => e.compare(CompareKind::Ne, tested, tested),
        _ => e.bool(false),
    };
    if !number.is_integral() {
        first = e.or(first, is_nan);
    }
    Ok(e.select(first, lhs, rhs))
}

fn comparison<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: PyCompareKind,
) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    arrays::compare(e, kind, lhs, rhs)
}
