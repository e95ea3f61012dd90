//! Python's builtin functions.

use super::{rounding, table::Table};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            arrays, elements, generators, iteration, lists, numbers, optional, overloads,
            packed_keywords, slices, strings, tables, texts, times, ufuncs::unary_element,
        },
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::{
        ValueExt,
        ops::{py, typed},
    },
    types::{
        choices,
        display::display,
        iteration::generator_item,
        join::join_types,
        names::last_part,
        number::{Number, is_scalar},
        sequences::is_own,
        tuples::elements,
    },
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, PyBinaryKind, PyCompareKind, UnaryKind},
    typed::TypedType,
};
use pyopt_library::{self as library, errors};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("builtins.range", |e, arguments| range(e, arguments, false)),
    ("pyopt.literally", |_, arguments| literally(arguments)),
    ("pyopt.prange", |e, arguments| range(e, arguments, true)),
    ("pyopt.stencil", arrays::construct_stencil),
    ("builtins.len", len),
    ("builtins.abs", abs),
    ("builtins.min", |e, arguments| {
        extremum(e, arguments, BinaryKind::Min)
    }),
    ("builtins.max", |e, arguments| {
        extremum(e, arguments, BinaryKind::Max)
    }),
    ("builtins.callable", |e, arguments| {
        let object = arguments.one()?;
        Ok(e.bool(choices::is_callable(object.ty)))
    }),
    ("builtins.round", rounding::round),
    ("builtins.pow", pow),
    ("builtins.divmod", divmod),
    ("builtins.sum", sum),
    ("builtins.enumerate", iteration::enumerate),
    ("builtins.reversed", iteration::reversed),
    ("builtins.slice", slice),
    ("builtins.list", |e, x| to_sequence(e, x, true)),
    ("builtins.tuple", |e, x| to_sequence(e, x, false)),
    ("builtins.dict", tables::dict),
    ("builtins.set", tables::set),
    ("builtins.zip", iteration::zip),
    ("builtins.next", next),
    ("builtins.iter", iter),
];

/// `range` and `prange`.
fn range<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    parallel: bool,
) -> Typing<Val<'c, 'a>> {
    let mut bounds = arguments.positional.clone();
    for bound in &mut bounds {
        *bound = slices::whole_bound(
            e,
            *bound,
            "'float' object cannot be interpreted as an integer",
        );
    }
    if let Some(wrong) = bounds.iter().find(|bound| !e.is_int(bound.ty)) {
        return Err(Stop::issue(format!(
            "{} can't be interpreted as an integer",
            display(wrong.ty)
        ))
        .hint("the arguments of range are ints: convert with int()"));
    }
    if !arguments.keywords.is_empty() {
        return stop("range() takes no keyword arguments");
    }
    let (start, end, step) = match *bounds {
        [end] => (None, end, None),
        [start, end] => (Some(start), end, None),
        [start, end, step] => (Some(start), end, Some(step)),
        _ => return Err(arguments.wrong_count("from 1 to 3 arguments")),
    };
    // Unsigned bounds make an unsigned range, unless a part may be negative.
    let unsigned = bounds
        .iter()
        .any(|bound| bound.number() == Some(Number::UINT64))
        && bounds.iter().all(|bound| {
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
    slices::require_step(e, step, "range() arg 3 must not be zero")?;
    let ty = e.type_of(TypedType::Range(element));
    Ok(e.op(ty, |b| {
        let range = typed::Range::create(b, start.ir(), end.ir(), step.ir(), ty);
        range.set_parallel(parallel);
        range
    }))
}

/// `literally(value)` in the body of an overload, which is compiled for the values of its arguments;
/// elsewhere the pass `py-literals` has replaced it.
fn literally<'c, 'a>(arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let value = arguments.one()?;
    match value.literal {
        Some(_) => Ok(value),
        None => stop("literally() needs a value that is known when the function is compiled"),
    }
}

fn len<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    let count = elements(operand.ty).map(|elements| elements.len());
    if let Some(count) = count.or_else(|| packed_keywords::count(operand)) {
        return Ok(e.int(count as i64));
    }
    match TypedType::from(operand.ty) {
        TypedType::Str | TypedType::Bytes => Ok(strings::length(e, operand)),
        TypedType::Range(_) => {
            let length = strings::length(e, operand);
            let zero = e.int(0);
            let wraps = e.compare(CompareKind::Lt, length, zero);
            let message = "Python int too large to convert to C ssize_t";
            e.raise_if(wraps, "OverflowError", Some(message));
            Ok(length)
        }
        TypedType::List(_) => Ok(lists::len(e, operand)),
        TypedType::Dict(_) | TypedType::Set(_) | TypedType::DictView(..) => {
            Ok(tables::size(e, operand))
        }
        TypedType::Array(array) if array.rank == 0 => stop("len() of a 0-d array"),
        TypedType::Array(_) => Ok(elements::dimension(e, operand, 0)),
        TypedType::Flat(array) => Ok(arrays::flat_size(e, operand, array)),
        _ => Err(arguments.no_implementation()),
    }
}

fn abs<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    match operand.number() {
        Some(Number::Bool) => {
            let si64 = e.si64();
            Ok(e.cast(operand, si64))
        }
        Some(number) if number.is_unsigned() => Ok(operand),
        Some(_) => Ok(e.unary(UnaryKind::Abs, operand)),
        None if is_scalar(elements::element_type(operand)) => {
            unary_element(e, UnaryKind::Abs, operand)
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
    if !arguments.keywords.is_empty() {
        return extremum_by(e, arguments);
    }
    let items = match arguments.positional.as_slice() {
        &[only] => e
            .unpack(only)
            .ok_or_else(|| arguments.no_implementation())?,
        items => items.to_vec(),
    };
    if times::are_among(&items) {
        let kind = match kind {
            BinaryKind::Min => CompareKind::Lt,
            _ => CompareKind::Gt,
        };
        let mut rest = items.into_iter();
        let first = rest.next().ok_or_else(|| arguments.no_implementation())?;
        return rest.try_fold(first, |best, item| {
            times::extremum(e, kind, [best, item], times::Nat::Python)
        });
    }
    let numbers: Option<Vec<_>> = items.iter().map(Val::number).collect();
    let Some(numbers) = numbers else {
        return extremum_by_order(e, arguments, kind, &items);
    };
    let number = numbers
        .into_iter()
        .reduce(Number::promote)
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

/// `min` and `max` with `key` or `default`: the library's `min.by` and `max.by`.
fn extremum_by<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut key = e.none();
    let mut defaults = e.tuple(&[]);
    for &(name, value) in &arguments.keywords {
        match name {
            "key" => key = value,
            "default" if arguments.positional.len() == 1 => defaults = e.tuple(&[value]),
            _ => {
                return stop(format!(
                    "{}() got an unexpected keyword argument '{name}'",
                    last_part(arguments.function)
                ));
            }
        }
    }
    let items = match arguments.positional.as_slice() {
        &[only] => only,
        several => e.tuple(several),
    };
    if elements(items.ty).is_some_and(|items| items.is_empty()) {
        let default = e
            .unpack(defaults)
            .and_then(|defaults| defaults.first().copied());
        return default.ok_or_else(|| {
            let message = format!(
                "{}() arg is an empty sequence",
                last_part(arguments.function)
            );
            Stop::Raises("ValueError", message)
        });
    }
    let source = library::find(&format!("{}.by", arguments.function));
    let source = source.ok_or_else(|| arguments.no_implementation())?;
    rules::call_library(e, source, &Arguments::new(&[items, key, defaults], None))
}

/// The first of the least or greatest tuples, texts, or values of an own type, which has the comparison.
fn extremum_by_order<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: BinaryKind,
    items: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let has_order = |item: &Val| {
        elements(item.ty).is_some() || texts::has_characters(item.ty) || is_own(item.ty)
    };
    let context = e.context();
    let types = items.iter().map(|item| Some(item.ty));
    let joined = types.reduce(|a, b| join_types(context, a?, b?)).flatten();
    let Some(ty) = joined.filter(|_| items.iter().all(has_order)) else {
        return Err(arguments.no_implementation());
    };
    let order = match kind {
        BinaryKind::Min => PyCompareKind::Lt,
        _ => PyCompareKind::Gt,
    };
    let mut best = e.coerce(items[0], ty)?;
    for item in &items[1..] {
        let item = e.coerce(*item, ty)?;
        let better = rules::compare(e, order, item, best)?;
        best = e.select(better, item, best);
        best.literal = None;
    }
    Ok(best)
}

/// `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`.
fn slice<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let none = e.none();
    match (
        arguments.positional.as_slice(),
        arguments.keywords.as_slice(),
    ) {
        (&[stop], []) => slices::slice(e, none, stop, none),
        (&[start, stop], []) => slices::slice(e, start, stop, none),
        (&[start, stop, step], []) => slices::slice(e, start, stop, step),
        _ => Err(arguments.wrong_count("from 1 to 3 arguments")),
    }
}

fn pow<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [base, exponent] = arguments.two()?;
    rules::binary(e, PyBinaryKind::Pow, base, exponent)
}

fn divmod<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [lhs, rhs] = arguments.two()?;
    if times::are_among(&[lhs, rhs]) {
        let quotient = times::binary(e, PyBinaryKind::FloorDiv, lhs, rhs)?;
        let rest = times::binary(e, PyBinaryKind::Mod, lhs, rhs)?;
        return Ok(e.tuple(&[quotient, rest]));
    }
    let (Some(a), Some(b)) = (lhs.number(), rhs.number()) else {
        return rules::call_named(e, "numpy.divmod", arguments);
    };
    let number = a.arithmetic(b);
    let message = match number {
        Number::Complex(_) => return Err(arguments.no_implementation()),
        Number::Float(_) => errors().float_divmod,
        _ => errors().int_divmod,
    };
    numbers::check_divisor(e, rhs, message);
    let ty = number.to_type(e.context());
    let [lhs, rhs] = [lhs, rhs].map(|operand| e.cast(operand, ty));
    let quotient = e.binary(BinaryKind::FloorDiv, lhs, rhs);
    let remainder = e.binary(BinaryKind::Mod, lhs, rhs);
    Ok(e.tuple(&[quotient, remainder]))
}

/// `iter(generator)`; iterators of anything else are generators of the library.
fn iter<'c, 'a>(_: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let operand = arguments.one()?;
    match generator_item(operand.ty) {
        Some(_) => Ok(operand),
        None => Err(arguments.no_implementation()),
    }
}

/// `next(generator, default)`.
fn next<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [Some(iterator), default] = arguments.bind(["iterator", "default"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    let generator = match is_made_here(iterator) {
        true => iteration::as_argument(e, iterator)?,
        false => iterator,
    };
    if generator_item(generator.ty).is_none() {
        return Err(arguments
            .no_implementation()
            .hint("call next() on a generator or on iter(…)"));
    }
    generators::next(e, generator, default)
}

/// Whether an iterator is made for this use alone.
fn is_made_here(iterator: Val) -> bool {
    iterator
        .origin
        .is_some_and(|origin| py::Call::defining(origin).is_some() && origin.uses().len() == 1)
}

/// The sum of a tuple's items, from the left.
fn sum<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [Some(items), start] = arguments.bind(["iterable", "start"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    let Some(items) = e.unpack(items) else {
        return Err(arguments
            .no_implementation()
            .hint("use np.sum for an array"));
    };
    let mut total = match start {
        Some(start) => start,
        None => e.int(0),
    };
    for item in items {
        total = rules::binary(e, PyBinaryKind::Add, total, item)?;
    }
    Ok(total)
}

/// `list(items)` or `tuple(items)` of what has a known number of items.
fn to_sequence<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    to_list: bool,
) -> Typing<Val<'c, 'a>> {
    let items = match arguments.positional.as_slice() {
        [] if arguments.keywords.is_empty() => Vec::new(),
        _ => match e.unpack(arguments.one()?) {
            Some(items) => items,
            None if to_list => {
                let items = optional::unwrap(e, arguments.one()?);
                return lists::convert(e, items);
            }
            None => {
                let made = overloads::long_tuple(e, arguments.one()?)?;
                return made.ok_or_else(|| {
                    arguments
                        .no_implementation()
                        .hint("a tuple is made of a tuple or of what has items of one type")
                });
            }
        },
    };
    Ok(match to_list {
        true => e.list(&items),
        false => e.tuple(&items),
    })
}
