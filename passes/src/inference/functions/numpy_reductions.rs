//! NumPy's reductions of all elements to one number. Those along an axis are in the overload library.

use super::table::Table;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            arrays,
            dtypes::dtype_argument,
            elements, times,
            ufuncs::{binary_element, unary_element},
        },
        issue::Typing,
        rules,
        val::Val,
    },
    types::number::{Number, is_scalar},
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, PyBinaryKind, ReduceKind, UnaryKind},
    typed::array_type,
};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("numpy.sum", |e, x| accumulated(e, x, ReduceKind::Sum)),
    ("numpy.prod", |e, x| accumulated(e, x, ReduceKind::Prod)),
    ("numpy.min", |e, x| extremum(e, x, ReduceKind::Min)),
    ("numpy.max", |e, x| extremum(e, x, ReduceKind::Max)),
    ("numpy.amin", |e, x| extremum(e, x, ReduceKind::Min)),
    ("numpy.amax", |e, x| extremum(e, x, ReduceKind::Max)),
    ("numpy.any", |e, x| truth(e, x, ReduceKind::Any)),
    ("numpy.all", |e, x| truth(e, x, ReduceKind::All)),
    ("numpy.mean", |e, x| {
        let (array, []) = bind(x, [])?;
        if times::of(array).is_some() {
            return times::mean(e, array, x);
        }
        mean(e, x, array)
    }),
    ("numpy.var", variance),
    ("numpy.std", |e, x| {
        let variance = variance(e, x)?;
        unary_element(e, UnaryKind::Sqrt, variance)
    }),
    ("numpy.ptp", |e, x| {
        let highest = extremum(e, x, ReduceKind::Max)?;
        let lowest = extremum(e, x, ReduceKind::Min)?;
        binary_element(e, PyBinaryKind::Sub, highest, lowest)
    }),
    ("numpy.count_nonzero", |e, x| {
        let (array, []) = bind(x, [])?;
        let truths =
            elements::elementwise(e, &[array], |e, elements| rules::truth(e, elements[0]))?;
        let si64 = e.si64();
        Ok(reduced(e, ReduceKind::Sum, truths, si64))
    }),
];

/// The arguments without `axis`, which must be None: the array first, the others if they are given.
fn bind<'c, 'a, const N: usize>(
    arguments: &Arguments<'c, 'a>,
    parameters: [&str; N],
) -> Typing<(Val<'c, 'a>, [Option<Val<'c, 'a>>; N])> {
    let mut others = arguments.clone();
    let array = match others.positional.is_empty() {
        true => None,
        false => Some(others.positional.remove(0)),
    };
    let positional = match others.positional.is_empty() {
        true => None,
        false => Some(others.positional.remove(0)),
    };
    let mut keyword = |name: &str| {
        let position = others
            .keywords
            .iter()
            .position(|(other, _)| *other == name)?;
        Some(others.keywords.remove(position).1)
    };
    let (array, axis) = (
        array.or_else(|| keyword("a")),
        positional.or_else(|| keyword("axis")),
    );
    if axis.is_some_and(|axis| !axis.is_none()) {
        // Along an axis, reductions are functions of the library.
        return Err(arguments.no_implementation());
    }
    match array {
        Some(array) if is_scalar(elements::element_type(array)) => {
            Ok((array, others.bind(parameters, 0)?))
        }
        _ => Err(arguments
            .no_implementation()
            .hint("pass an array of numbers")),
    }
}

/// Reduces an array; a number is what it is.
fn reduced<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: ReduceKind,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Val<'c, 'a> {
    match array_type(operand.ty) {
        Some(_) => elements::reduce(e, kind, operand, ty),
        None => e.cast(operand, ty),
    }
}

/// `sum` and `prod`: of integers in 64 bits.
fn accumulated<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: ReduceKind,
) -> Typing<Val<'c, 'a>> {
    let (array, [dtype]) = bind(arguments, ["dtype"])?;
    if times::of(array).is_some() {
        return times::reduce(e, kind, array, arguments);
    }
    let ty = match (dtype, Number::of(elements::element_type(array))) {
        (Some(dtype), _) if !dtype.is_none() => dtype_argument(e, dtype)?,
        (_, Some(number)) => accumulator(e, number),
        _ => elements::element_type(array),
    };
    let of_complex = matches!(
        Number::of(elements::element_type(array)),
        Some(Number::Complex(_))
    );
    if of_complex && !matches!(Number::of(ty), Some(Number::Complex(_))) {
        return Err(arguments.no_implementation());
    }
    if Number::of(ty) == Some(Number::Float(16)) {
        // NumPy adds halves in float32, too.
        let wide = Number::Float(32).to_type(e.context());
        let result = reduced(e, kind, array, wide);
        return Ok(e.cast(result, ty));
    }
    Ok(reduced(e, kind, array, ty))
}

/// What numbers are added up in: integers in 64 bits.
pub(super) fn accumulator<'c>(e: &Emit<'_, 'c, '_>, number: Number) -> Type<'c> {
    match number {
        Number::Int { signed: false, .. } => Number::UINT64.to_type(e.context()),
        Number::Bool | Number::Int { .. } => e.si64(),
        _ => number.to_type(e.context()),
    }
}

fn extremum<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: ReduceKind,
) -> Typing<Val<'c, 'a>> {
    let (array, []) = bind(arguments, [])?;
    if times::of(array).is_some() {
        return times::reduce(e, kind, array, arguments);
    }
    let ty = elements::element_type(array);
    match Number::of(ty) {
        Some(Number::Complex(_)) => Err(arguments.no_implementation()),
        // The highest of truth values is whether any holds.
        Some(Number::Bool) => {
            let size = elements::size(e, array);
            let zero = e.int(0);
            let empty = e.compare(CompareKind::Eq, size, zero);
            let (kind, name) = match kind {
                ReduceKind::Min => (ReduceKind::All, "minimum"),
                _ => (ReduceKind::Any, "maximum"),
            };
            let message =
                format!("zero-size array to reduction operation {name} which has no identity");
            e.raise_if(empty, "ValueError", Some(&message));
            Ok(reduced(e, kind, array, ty))
        }
        _ => Ok(reduced(e, kind, array, ty)),
    }
}

fn truth<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: ReduceKind,
) -> Typing<Val<'c, 'a>> {
    let (mut array, []) = bind(arguments, [])?;
    if times::of(array).is_some() {
        array = elements::elementwise(e, &[array], |e, elements| rules::truth(e, elements[0]))?;
    }
    let i1 = e.i1();
    Ok(reduced(e, kind, array, i1))
}

/// The mean: in the array's floats, or in `float64` for integers.
fn mean<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    array: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let number = Number::of(elements::element_type(array))
        .ok_or_else(|| arguments.no_implementation())?
        .to_inexact();
    let result = number.to_type(e.context());
    // Halves would overflow soon.
    let sum_type = match number {
        Number::Float(16) => Number::Float(32).to_type(e.context()),
        _ => result,
    };
    let sum = reduced(e, ReduceKind::Sum, array, sum_type);
    let count = elements::size(e, array);
    let count = e.cast(count, sum_type);
    let mean = e.binary(BinaryKind::TrueDiv, sum, count);
    Ok(e.cast(mean, result))
}

/// The variance: the mean of the squared distances from the mean, `ddof` fewer counted.
fn variance<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (mut array, [ddof]) = bind(arguments, ["ddof"])?;
    let element = elements::element_type(array);
    let is_half = Number::of(element) == Some(Number::Float(16));
    if is_half {
        let wide = Number::Float(32).to_type(e.context());
        array = arrays::convert(e, array, wide)?;
    }
    let center = mean(e, arguments, array)?;
    let is_complex = matches!(center.number(), Some(Number::Complex(_)));
    let squares = elements::elementwise(e, &[array, center], |e, elements| {
        let distance = binary_element(e, PyBinaryKind::Sub, elements[0], elements[1])?;
        if is_complex {
            let parts = [UnaryKind::Real, UnaryKind::Imag].map(|part| e.unary(part, distance));
            let [a, b] = parts.map(|part| e.binary(BinaryKind::Mul, part, part));
            return Ok(e.binary(BinaryKind::Add, a, b));
        }
        Ok(e.binary(BinaryKind::Mul, distance, distance))
    })?;
    let ty = elements::element_type(squares);
    let sum = reduced(e, ReduceKind::Sum, squares, ty);
    let mut count = elements::size(e, array);
    if let Some(ddof) = ddof {
        if !e.is_int(ddof.ty) {
            return Err(arguments.no_implementation());
        }
        let si64 = e.si64();
        let ddof = e.cast(ddof, si64);
        count = e.binary(BinaryKind::Sub, count, ddof);
        let zero = e.int(0);
        count = e.binary(BinaryKind::Max, count, zero);
    }
    let count = e.cast(count, ty);
    let variance = e.binary(BinaryKind::TrueDiv, sum, count);
    Ok(match is_half {
        true => e.cast(variance, element),
        false => variance,
    })
}
