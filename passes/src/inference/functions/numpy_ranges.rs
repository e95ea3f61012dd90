//! NumPy's functions that make evenly spaced numbers.

use super::{
    Arguments, Table,
    numpy_creation::{element, generate, shape},
};
use crate::inference::{
    display::display,
    emit::{Emit, Val},
    issue::{Stop, Typing, stop},
    number::Number,
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
        Some(Number::Complex(_)) | None => return Err(arguments.no_implementation()),
        Some(number) if number.is_integral() => number.promote(Number::INT64),
        Some(number) => number,
    };
    let ty = number.to_type(e.context());
    let [start, end, step] = [start, end, step].map(|part| e.cast(part, ty));
    let size = match number.is_integral() {
        true => integer_steps(e, start, end, step)?,
        false => float_steps(e, start, end, step)?,
    };
    let element = element(e, dtype, ty)?;
    let is_float = match Number::of(element) {
        Some(Number::Int { .. }) => false,
        Some(Number::Float(_)) => true,
        _ => {
            return stop(format!(
                "arange() can't make elements of {}",
                display(element)
            ));
        }
    };
    let start_and_step = [start, step].map(|part| part.literal_int());
    let difference = if is_float || !number.is_integral() {
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

fn float_steps<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    start: Val<'c, 'a>,
    end: Val<'c, 'a>,
    step: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let distance = e.binary(BinaryKind::Sub, end, start);
    let steps = e.binary(BinaryKind::TrueDiv, distance, step);
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
    Ok(e.cast(steps, si64))
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
    let is_real = |value: &Val| {
        value
            .number()
            .is_some_and(|number| !matches!(number, Number::Complex(_)))
    };
    if ![start, end].iter().all(is_real) {
        return Err(arguments.no_implementation());
    }
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
    let f64 = e.f64();
    let [start, end] = [start, end].map(|bound| e.cast(bound, f64));
    let one = e.int(1);
    let steps = match endpoint {
        true => e.binary(BinaryKind::Sub, count, one),
        false => count,
    };
    let difference = e.binary(BinaryKind::Sub, end, start);
    // One number alone has no step.
    let several = e.compare(CompareKind::Gt, steps, zero);
    let divisor = e.select(several, steps, one);
    let divisor = e.cast(divisor, f64);
    let step = e.binary(BinaryKind::TrueDiv, difference, divisor);
    let element = element(e, dtype, f64)?;
    generate(e, &[count], Layout::C, |e, index| {
        let si64 = e.si64();
        let index = e.cast(index[0], si64);
        let position = e.cast(index, f64);
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
