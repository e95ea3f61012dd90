//! Python's builtin functions.

use super::{Arguments, Table, last_part, scalar_type};
use crate::inference::{
    access, arrays,
    display::display,
    emit::{Emit, Val},
    exceptions, generators,
    issue::{Stop, Typing, stop},
    iteration,
    number::Number,
    operators, optional, sequences, strings, tuples,
};
use pyopt_dialects::{
    enums::{BinaryKind, PyBinaryKind, UnaryKind},
    py::PyAttribute,
    typed::{TypedType, array_type},
};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("builtins.range", |e, arguments| range(e, arguments, false)),
    ("pyopt.prange", |e, arguments| range(e, arguments, true)),
    ("builtins.len", len),
    ("builtins.abs", abs),
    ("builtins.min", |e, arguments| {
        extremum(e, arguments, BinaryKind::Min)
    }),
    ("builtins.max", |e, arguments| {
        extremum(e, arguments, BinaryKind::Max)
    }),
    ("builtins.round", round),
    ("builtins.pow", pow),
    ("builtins.divmod", divmod),
    ("builtins.isinstance", isinstance),
    ("builtins.sum", sum),
    ("builtins.enumerate", iteration::enumerate),
    ("builtins.reversed", iteration::reversed),
    ("builtins.slice", slice),
    ("builtins.list", |e, x| sequences::convert(e, x, true)),
    ("builtins.tuple", |e, x| sequences::convert(e, x, false)),
    ("builtins.zip", iteration::zip),
    ("builtins.next", next),
];

/// `range` and `prange`.
fn range<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    parallel: bool,
) -> Typing<Val<'c, 'a>> {
    if let Some(wrong) = arguments
        .positional
        .iter()
        .find(|bound| !e.is_int(bound.ty))
    {
        return Err(Stop::issue(format!(
            "{} can't be interpreted as an integer",
            display(wrong.ty)
        ))
        .hint("the arguments of range are ints: convert with int()"));
    }
    if !arguments.keywords.is_empty() {
        return stop("range() takes no keyword arguments");
    }
    let (start, end, step) = match *arguments.positional.as_slice() {
        [end] => (None, end, None),
        [start, end] => (Some(start), end, None),
        [start, end, step] => (Some(start), end, Some(step)),
        _ => return Err(arguments.wrong_count("from 1 to 3 arguments")),
    };
    // Unsigned bounds make an unsigned range, unless a part may be negative.
    let unsigned = arguments
        .positional
        .iter()
        .any(|bound| bound.number() == Some(Number::UINT64))
        && arguments.positional.iter().all(|bound| {
            bound.number().is_some_and(Number::is_unsigned)
                || bound.literal_int().is_some_and(|value| value >= 0)
        });
    let element = if unsigned {
        Number::UINT64
    } else {
        Number::INT64
    };
    let element = element.to_type(e.context());
    let bound = |e: &mut Emit<'_, 'c, 'a>, value: Option<Val<'c, 'a>>, default| match value {
        Some(value) => e.cast(value, element),
        None => e.int_of(default, element),
    };
    let start = bound(e, start, 0);
    let end = bound(e, Some(end), 0);
    let step = bound(e, step, 1);
    access::require_step(e, step, "range() arg 3 must not be zero")?;
    let ty = e.type_of(TypedType::Range(element));
    let unit = melior::ir::Attribute::unit(e.context());
    let attributes: &[_] = if parallel { &[("parallel", unit)] } else { &[] };
    Ok(e.op("typed.range", &[start, end, step], ty, attributes))
}

fn len<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    if let Some(elements) = tuples::elements(operand.ty) {
        return Ok(e.int(elements.len() as i64));
    }
    match TypedType::from(operand.ty) {
        TypedType::Str | TypedType::Range(_) => Ok(strings::length(e, operand)),
        TypedType::Array(array) if array.rank == 0 => stop("len() of a 0-d array"),
        TypedType::Array(_) => Ok(arrays::dimension(e, operand, 0)),
        _ => Err(arguments.no_implementation()),
    }
}

fn abs<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    match operand.number() {
        Some(number @ (Number::Bool | Number::Int { .. })) => {
            // Widens as the operators do: the absolute value of the least int8 is no int8.
            let wide = number.arithmetic(number);
            let operand = e.cast(operand, wide.to_type(e.context()));
            match wide.is_unsigned() || number == Number::Bool {
                true => Ok(operand),
                false => Ok(e.unary(UnaryKind::Abs, operand)),
            }
        }
        Some(_) => Ok(e.unary(UnaryKind::Abs, operand)),
        None if array_type(operand.ty).is_some() => {
            super::unary_element(e, UnaryKind::Abs, operand)
        }
        None => Err(arguments.no_implementation()),
    }
}

/// `min` and `max` of several numbers, or of a tuple's.
fn extremum<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: BinaryKind,
) -> Typing<Val<'c, 'a>> {
    let items = match arguments.positional.as_slice() {
        &[only] => tuples::unpack(e, only).ok_or_else(|| arguments.no_implementation())?,
        items => items.to_vec(),
    };
    if !arguments.keywords.is_empty() {
        return stop(format!(
            "{}() with keyword arguments is not supported",
            last_part(arguments.function)
        ));
    }
    let numbers: Option<Vec<_>> = items.iter().map(Val::number).collect();
    let number = numbers
        .and_then(|numbers| numbers.into_iter().reduce(Number::promote))
        .filter(|number| !matches!(number, Number::Complex(_)))
        .ok_or_else(|| arguments.no_implementation())?;
    let ty = number.to_type(e.context());
    let mut result: Option<Val> = None;
    for item in items {
        let item = e.cast(item, ty);
        result = Some(match result {
            None => item,
            Some(before) => e.binary(kind, before, item),
        });
    }
    result.ok_or_else(|| arguments.no_implementation())
}

/// `round(x)` gives an int, `round(x, digits)` a float; halves go to the even neighbour.
fn round<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [Some(operand), digits] = arguments.bind(["number", "ndigits"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    let digits = digits.filter(|digits| !digits.is_none());
    let si64 = e.si64();
    match (operand.number(), digits) {
        (Some(number), None) if number.is_integral() => Ok(e.cast(operand, si64)),
        (Some(Number::Float(_)), None) => {
            let rounded = e.unary(UnaryKind::Rint, operand);
            Ok(e.cast(rounded, si64))
        }
        (Some(Number::Float(_)), Some(digits)) => match digits.literal_int() {
            // Powers of ten up to this one are exact.
            Some(digits @ -22..=22) => {
                let factor = e.float_of(10f64.powi(digits.unsigned_abs() as i32), operand.ty);
                let (there, back) = if digits < 0 {
                    (BinaryKind::TrueDiv, BinaryKind::Mul)
                } else {
                    (BinaryKind::Mul, BinaryKind::TrueDiv)
                };
                let scaled = e.binary(there, operand, factor);
                let rounded = e.unary(UnaryKind::Rint, scaled);
                let rounded = e.binary(back, rounded, factor);
                let overflows = e.unary(UnaryKind::IsInf, scaled);
                Ok(e.select(overflows, operand, rounded))
            }
            _ => Err(
                Stop::issue("the number of digits of round() must be a constant up to 22")
                    .hint("multiply, round and divide"),
            ),
        },
        _ => Err(arguments.no_implementation()),
    }
}

/// `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`.
fn slice<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let none = e.none();
    match (
        arguments.positional.as_slice(),
        arguments.keywords.as_slice(),
    ) {
        (&[stop], []) => access::slice(e, none, stop, none),
        (&[start, stop], []) => access::slice(e, start, stop, none),
        (&[start, stop, step], []) => access::slice(e, start, stop, step),
        _ => Err(arguments.wrong_count("from 1 to 3 arguments")),
    }
}

fn pow<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [base, exponent] = arguments.two()?;
    operators::binary(e, PyBinaryKind::Pow, base, exponent)
}

fn divmod<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    let (Some(a), Some(b)) = (lhs.number(), rhs.number()) else {
        return Err(arguments.no_implementation());
    };
    let number = a.arithmetic(b);
    let message = match number {
        Number::Complex(_) => return Err(arguments.no_implementation()),
        Number::Float(_) => "modulo by zero",
        _ => "integer divmod by zero",
    };
    operators::check_divisor(e, rhs, message);
    let ty = number.to_type(e.context());
    let [lhs, rhs] = [lhs, rhs].map(|operand| e.cast(operand, ty));
    let quotient = e.binary(BinaryKind::FloorDiv, lhs, rhs);
    let remainder = e.binary(BinaryKind::Mod, lhs, rhs);
    Ok(e.tuple(&[quotient, remainder]))
}

/// Whether a value's type is one of the given ones: known at compile time, but for None.
fn isinstance<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [value, classes] = arguments.two()?;
    if exceptions::is_instance(value.ty)
        && let Some(exception) = exceptions::make(e, value)
    {
        return exceptions::matches(e, exception, classes);
    }
    let (present, value) = match optional::is_optional(value.ty) {
        true => optional::parts(e, value),
        false => (e.bool(true), value),
    };
    let classes = tuples::elements(classes.ty).unwrap_or_else(|| vec![classes.ty]);
    let mut found = false;
    for class in classes {
        if let TypedType::Literal(known) = TypedType::from(class)
            && let class @ PyAttribute::NamedTuple(..) = PyAttribute::from(known)
        {
            found |= sequences::class_of(value.ty) == Some(class);
            continue;
        }
        let TypedType::Named(name) = TypedType::from(class) else {
            return stop(format!(
                "isinstance() arg 2 must be a type, not {}",
                display(class)
            ));
        };
        found |= match name {
            "builtins.int" => e.is_int(value.ty),
            "builtins.float" => matches!(value.number(), Some(Number::Float(_))),
            "builtins.complex" => matches!(value.number(), Some(Number::Complex(_))),
            "builtins.bool" => value.number() == Some(Number::Bool),
            "builtins.str" => TypedType::from(value.ty) == TypedType::Str,
            "builtins.tuple" => {
                tuples::elements(value.ty).is_some() && !sequences::is_list(value.ty)
            }
            "builtins.list" => sequences::is_list(value.ty),
            "builtins.range" => matches!(TypedType::from(value.ty), TypedType::Range(_)),
            "builtins.slice" => matches!(TypedType::from(value.ty), TypedType::Slice(_)),
            "numpy.ndarray" => array_type(value.ty).is_some(),
            "builtins.object" => return Ok(e.bool(true)),
            // Classes that no value of compiled code is of.
            "builtins.bytearray"
            | "builtins.bytes"
            | "builtins.dict"
            | "builtins.frozenset"
            | "builtins.memoryview"
            | "builtins.set" => false,
            _ => match scalar_type(name) {
                Some(number) => value.number() == Some(number),
                None => {
                    return stop(format!("isinstance() doesn't know the type '{name}'"));
                }
            },
        };
    }
    let found = e.bool(found);
    Ok(e.and(present, found))
}

/// `next(generator, default)`.
fn next<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [Some(generator), default] = arguments.bind(["iterator", "default"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    if generators::item(generator.ty).is_none() {
        return Err(arguments
            .no_implementation()
            .hint("loop over it with 'for'"));
    }
    generators::next(e, generator, default)
}

/// The sum of a tuple's items, from the left.
fn sum<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [Some(items), start] = arguments.bind(["iterable", "start"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    let Some(items) = tuples::unpack(e, items) else {
        return Err(arguments
            .no_implementation()
            .hint("use np.sum for an array"));
    };
    let mut total = match start {
        Some(start) => start,
        None => e.int(0),
    };
    for item in items {
        total = operators::binary(e, PyBinaryKind::Add, total, item)?;
    }
    Ok(total)
}
