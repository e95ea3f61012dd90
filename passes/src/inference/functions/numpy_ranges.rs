//! NumPy's functions that make evenly spaced numbers.

use super::{
    numpy_creation::{generate, shape},
    table::Table,
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::dtypes::dtype_or,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    types::{display::display, number::Number},
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, UnaryKind},
    typed::Layout,
};

/// The functions.
pub(super) const FUNCTIONS: Table = &[("numpy.arange", arange), ("numpy.linspace", linspace)];

/// The numbers from a start to before an end, in steps.
fn arange<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [first, second, step, dtype] = arguments.bind(["start", "stop", "step", "dtype"], 1)?;
    let zero = e.int(0);
    let one = e.int(1);
    let present = |value: Option<Val<'c, 'a>>| value.filter(|value| !value.is_none());
    let (start, end) = match (first, present(second)) {
        (Some(end), None) => (zero, end),
        (Some(start), Some(end)) => (start, end),
        _ => return Err(arguments.wrong_count("one to four arguments")),
    };
    let step = present(step).unwrap_or(one);
    let numbers: Option<Vec<_>> = [start, end, step].iter().map(Val::number).collect();
    let number = match numbers.and_then(|numbers| numbers.into_iter().reduce(Number::promote)) {
        None => return Err(arguments.no_implementation()),
        Some(number @ Number::Complex(_)) => number.promote(Number::INT64),
        Some(number) if number.is_integral() => number.promote(Number::INT64),
        Some(number) => number,
    };
    let ty = number.to_type(e.context());
    let [start, end, step] = [start, end, step].map(|part| e.cast(part, ty));
    let size = match number {
        Number::Complex(_) => complex_steps(e, start, end, step),
        number if number.is_integral() => integer_steps(e, start, end, step)?,
        _ => {
            let distance = e.binary(BinaryKind::Sub, end, start);
            float_steps(e, distance, step)
        }
    };
    let element = dtype_or(e, dtype, ty)?;
    let is_complex = |number| matches!(number, Some(Number::Complex(_)));
    if is_complex(Some(number)) && !is_complex(Number::of(element)) {
        return stop(format!(
            "arange() can't make elements of {} from complex numbers",
            display(element)
        ));
    }
    let is_exact = match Number::of(element) {
        Some(Number::Int { .. }) => true,
        Some(Number::Float(_) | Number::Complex(_)) => false,
        _ => {
            return stop(format!(
                "arange() can't make elements of {}",
                display(element)
            ));
        }
    };
    let start_and_step = [start, step].map(|part| part.literal_int());
    let difference = if !is_exact || !number.is_integral() {
        // As in NumPy the elements are multiples of the difference of the first two.
        let next = e.binary(BinaryKind::Add, start, step);
        let (first, next) = (e.cast(start, element), e.cast(next, element));
        e.binary(BinaryKind::Sub, next, first)
    } else {
        e.cast(step, element)
    };
    let start = e.cast(start, element);
    generate(e, &[size], Layout::C, |e, index| {
        let index = e.cast(index[0], element);
        if start_and_step == [Some(0), Some(1)] {
            return Ok(index);
        }
        let offset = e.binary(BinaryKind::Mul, index, difference);
        Ok(e.binary(BinaryKind::Add, start, offset))
    })
}

/// The number of ints of a range: `(end - start + step - sign) // step`, at least 0.
fn integer_steps<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    start: Val<'c, 'a>,
    end: Val<'c, 'a>,
    step: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    const MESSAGE: &str = "division by zero";
    let zero = e.number(0, step.ty);
    match step.literal_int() {
        Some(0) => return Err(Stop::Raises("ZeroDivisionError", MESSAGE.into())),
        Some(1) => {
            let steps = match start.literal_int() {
                Some(0) => end,
                _ => e.binary(BinaryKind::Sub, end, start),
            };
            return Ok(match steps.literal_int() {
                Some(steps) => e.int(steps.max(0)),
                None => e.binary(BinaryKind::Max, steps, zero),
            });
        }
        Some(_) => {}
        None => {
            let is_zero = e.compare(CompareKind::Eq, step, zero);
            e.raise_if(is_zero, "ZeroDivisionError", Some(MESSAGE));
        }
    }
    // Rounded up: the negative of the negative distance, divided and rounded down.
    let distance = e.binary(BinaryKind::Sub, start, end);
    let steps = e.binary(BinaryKind::FloorDiv, distance, step);
    let steps = e.binary(BinaryKind::Sub, zero, steps);
    Ok(e.binary(BinaryKind::Max, steps, zero))
}

/// The number of steps over a distance, rounded up.
fn float_steps<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    distance: Val<'c, 'a>,
    step: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let steps = e.binary(BinaryKind::TrueDiv, distance, step);
    rounded_up(e, steps)
}

/// The number of steps over a distance: that of its real part or that of its imaginary part, whichever
/// is less.
fn complex_steps<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    start: Val<'c, 'a>,
    end: Val<'c, 'a>,
    step: Val<'c, 'a>,
) -> Val<'c, 'a> {
    let distance = e.binary(BinaryKind::Sub, end, start);
    let steps = e.binary(BinaryKind::TrueDiv, distance, step);
    let [real, imag] = [UnaryKind::Real, UnaryKind::Imag].map(|part| {
        let steps = e.unary(part, steps);
        rounded_up(e, steps)
    });
    e.binary(BinaryKind::Min, real, imag)
}

/// A number of steps as a size.
fn rounded_up<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, steps: Val<'c, 'a>) -> Val<'c, 'a> {
    let steps = e.unary(UnaryKind::Ceil, steps);
    let f64 = e.f64();
    let steps = e.cast(steps, f64);
    // Also NaN and infinity are no sizes.
    let most = e.float(i64::MAX as f64);
    let fits = e.compare(CompareKind::Lt, steps, most);
    let outside = e.not(fits);
    e.raise_if(outside, "ValueError", Some("Maximum allowed size exceeded"));
    let zero = e.float(0.0);
    let steps = e.binary(BinaryKind::Max, zero, steps);
    let si64 = e.si64();
    e.cast(steps, si64)
}

/// Evenly spaced numbers from a start to an end.
fn linspace<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(start), Some(end), count, endpoint, _, dtype] =
        arguments.bind(["start", "stop", "num", "endpoint", "retstep", "dtype"], 2)?
    else {
        return Err(arguments.wrong_count("two or more arguments"));
    };
    let retstep = arguments
        .keywords
        .iter()
        .any(|(name, _)| *name == "retstep");
    if retstep || arguments.positional.len() > 4 {
        return stop("linspace() with retstep is not supported");
    }
    let (Some(first), Some(last)) = (start.number(), end.number()) else {
        return Err(arguments.no_implementation());
    };
    // Of doubles, or of complex numbers of them.
    let ty = first.promote(last).promote(Number::FLOAT64);
    let ty = ty.to_type(e.context());
    let count = count.unwrap_or_else(|| e.int(50));
    let &[count] = shape(e, count)?.as_slice() else {
        return Err(arguments.no_implementation());
    };
    let endpoint = match endpoint {
        Some(value) => value
            .literal_bool()
            .ok_or_else(|| Stop::issue("the endpoint argument of linspace() must be a constant"))?,
        None => true,
    };
    let zero = e.int(0);
    let negative = e.compare(CompareKind::Lt, count, zero);
    e.raise_if(
        negative,
        "ValueError",
        Some("Number of samples must be non-negative."),
    );
    let [start, end] = [start, end].map(|bound| e.cast(bound, ty));
    let one = e.int(1);
    let steps = match endpoint {
        true => e.binary(BinaryKind::Sub, count, one),
        false => count,
    };
    let difference = e.binary(BinaryKind::Sub, end, start);
    // One number alone has no step.
    let several = e.compare(CompareKind::Gt, steps, zero);
    let divisor = e.select(several, steps, one);
    let divisor = e.cast(divisor, ty);
    let step = e.binary(BinaryKind::TrueDiv, difference, divisor);
    let element = dtype_or(e, dtype, ty)?;
    generate(e, &[count], Layout::C, |e, index| {
        let si64 = e.si64();
        let index = e.cast(index[0], si64);
        let position = e.cast(index, ty);
        let offset = e.binary(BinaryKind::Mul, position, step);
        let mut value = e.binary(BinaryKind::Add, offset, start);
        if endpoint {
            let is_last = e.compare(CompareKind::Eq, index, steps);
            let is_last = e.and(is_last, several);
            value = e.select(is_last, end, value);
        }
        e.coerce(value, element)
    })
}
