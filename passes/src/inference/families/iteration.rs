//! Iteration: ranges, arrays, tuples whose items have one type, and the iterators `enumerate`,
//! `reversed` and `zip` over them.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{lists, overloads, packed_keywords, tables},
        issue::{Stop, Typing},
        rules,
        val::{Val, values},
    },
    infra::{OperationExt, ValueExt, ops::typed},
    types::{
        choices,
        display::display,
        iteration::{common_item, is_empty},
        join::item_of,
        number::Number,
        sequences::is_list,
        tables::{Table, part_of_view},
        tuples,
    },
};
use melior::ir::{Type, r#type::TupleType};
use pyopt_dialects::typed::TypedType;
use pyopt_library as library;

/// `iter(operand)`.
pub(crate) fn get_iter<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if let Some(iterable) = overloads::iterable(e, operand)? {
        return get_iter(e, iterable);
    }
    if let TypedType::Iter(_) | TypedType::Generator(..) = TypedType::from(operand.ty) {
        return Ok(operand);
    }
    if let TypedType::Dict(_) | TypedType::Set(_) | TypedType::DictView(..) =
        TypedType::from(operand.ty)
    {
        return tables::iterate(e, operand);
    }
    let operand = sequence(e, operand)?;
    let ty = e.type_of(TypedType::Iter(operand.ty));
    Ok(e.op(ty, |b| typed::Iter::create(b, operand.ir())))
}

/// What has the items of a value at positions, all of one type. A list that never changes is a tuple, which
/// lists of several lengths can't be items of: these are in one that may change.
fn sequence<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let found = iterable(e, value);
    let is_mixed = common_item(found.ty).is_none() && !is_empty(found.ty);
    if is_mixed && is_list(value.ty) && item_of(e.context(), value.ty).is_some() {
        return lists::changed(e, value);
    }
    check_sequence(found.ty)?;
    Ok(found)
}

/// Refuses what has no items at positions, or items of several types.
fn check_sequence(r#type: Type) -> Typing<()> {
    match TypedType::from(r#type) {
        TypedType::Range(_) | TypedType::Flat(_) | TypedType::Indices(_) => Ok(()),
        TypedType::Array(array) if array.rank > 0 => Ok(()),
        TypedType::List(_) | TypedType::Str | TypedType::Bytes => Ok(()),
        TypedType::Other(tuple) if common_item(tuple).is_some() || is_empty(tuple) => Ok(()),
        TypedType::Other(tuple) if tuples::elements(tuple).is_some() => Err(Stop::issue(format!(
            "iteration over {}, whose items have no common type",
            display(tuple)
        ))
        .hint("iterate over literal_unroll(…) of it, or use constant indices")),
        _ => Err(Stop::issue(format!(
            "iteration over {} is not supported",
            display(r#type)
        ))
        .hint("iterate over a range, an array, a tuple or a text")),
    }
}

/// `reversed(sequence)`.
pub(crate) fn reversed<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let sequence = arguments.one()?;
    if let TypedType::Iter(_) = TypedType::from(sequence.ty) {
        return Err(
            Stop::issue(format!("{} has no last item", display(sequence.ty)))
                .hint("reverse the arguments, not the iterator"),
        );
    }
    let backwards = match TypedType::from(sequence.ty) {
        TypedType::Dict(_) => Some("dict.reversed"),
        TypedType::DictView(_, part) => Some(match part_of_view(part) {
            "keys" => "dict.reversed",
            "values" => "dict.values.reversed",
            _ => "dict.items.reversed",
        }),
        _ => None,
    };
    if let Some(backwards) = backwards {
        let dict = tables::viewed(e, sequence);
        if Table::of(dict.ty).is_some_and(|table| table.is_empty()) {
            let nothing = e.tuple(&[]);
            return reversed(e, &Arguments::new(&[nothing], None));
        }
        return call_library(e, backwards, &[dict]);
    }
    let sequence = self::sequence(e, sequence)?;
    let ty = e.type_of(TypedType::Reversed(sequence.ty));
    let ty = e.type_of(TypedType::Iter(ty));
    Ok(e.op(ty, |b| typed::Reversed::create(b, sequence.ir())))
}

/// `enumerate(iterable, start)`.
pub(crate) fn enumerate<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(iterable), start] = arguments.bind(["iterable", "start"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    let iterator = get_iter(e, iterable)?;
    let start = start.unwrap_or_else(|| e.int(0));
    if !e.is_int(start.ty) {
        return Err(Stop::issue(format!(
            "enumerate() counts from an int, not from {}",
            display(start.ty)
        )));
    }
    let start = e.cast(start, e.si64());
    let TypedType::Iter(iterable) = TypedType::from(iterator.ty) else {
        return call_library(e, "builtins.enumerate.generator", &[iterator, start]);
    };
    let ty = e.type_of(TypedType::Enumerate(iterable));
    let ty = e.type_of(TypedType::Iter(ty));
    Ok(e.op(ty, |b| {
        typed::Enumerate::create(b, iterator.ir(), start.ir())
    }))
}

/// Calls the generator of the library that goes through generators.
fn call_library<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let source = library::find(name).ok_or(Stop::Unknown)?;
    rules::call_library(e, source, &Arguments::new(operands, None))
}

/// `zip(*iterables)`.
pub(crate) fn zip<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let strict = match arguments.keywords.as_slice() {
        [] => false,
        [("strict", value)] => value
            .literal_bool()
            .ok_or_else(|| Stop::issue("strict= of zip() has to be written as True or False"))?,
        _ => return Err(Stop::issue("zip() takes no keyword but strict")),
    };
    if arguments.positional.is_empty() {
        let nothing = e.tuple(&[]);
        return get_iter(e, nothing);
    }
    if strict {
        return call_library(e, "builtins.zip.strict", &arguments.positional);
    }
    let mut iterators = Vec::new();
    let mut iterables = Vec::new();
    for argument in &arguments.positional {
        let iterator = get_iter(e, *argument)?;
        let TypedType::Iter(iterable) = TypedType::from(iterator.ty) else {
            return call_library(e, "builtins.zip.generators", &arguments.positional);
        };
        iterables.push(iterable);
        iterators.push(iterator);
    }
    let ty = TupleType::new(e.context(), &iterables).into();
    let ty = e.type_of(TypedType::Zip(ty));
    let ty = e.type_of(TypedType::Iter(ty));
    Ok(e.op(ty, |b| typed::Zip::create(b, &values(&iterators), ty)))
}

/// The iterator over what an overload of `iter` gives, which may say what to go through instead.
pub(crate) fn iterator_of<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    iterable: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match TypedType::from(iterable.ty) {
        TypedType::Iter(_) => as_argument(e, iterable),
        TypedType::Generator(..) => Ok(iterable),
        _ => call_library(e, "builtins.iter", &[iterable]),
    }
}

/// What is passed to a function, or returned, for an iterator: a generator of the same items. A loop
/// over any other iterator has to see what that was made of.
pub(crate) fn as_argument<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let iterable = match TypedType::from(value.ty) {
        TypedType::Iter(iterable) => iterable,
        TypedType::Flat(_) => {
            let iterator = get_iter(e, value)?;
            return as_argument(e, iterator);
        }
        _ => return Ok(value),
    };
    let maker = value.value.and_then(ValueExt::defining_op);
    if maker.is_none() && e.is_emitting() {
        return Err(Stop::issue(
            "an iterator that is made on one of several paths can't be passed on or returned",
        )
        .hint("pass or return it where it is made, or what it goes through"));
    }
    let part = |at: usize, ty| Val::new(ty, maker.map(|maker| maker.operand_value(at)));
    let (name, parts) = match TypedType::from(iterable) {
        TypedType::Zip(iterables) => {
            let iterables = tuples::elements(iterables).unwrap_or_default();
            let types = iterables.into_iter().map(TypedType::Iter);
            let types: Vec<_> = types.map(|ty| e.type_of(ty)).collect();
            let parts = types.into_iter().enumerate();
            (
                "builtins.zip.generators",
                parts.map(|(at, ty)| part(at, ty)).collect(),
            )
        }
        TypedType::Enumerate(iterable) => {
            let iterator = e.type_of(TypedType::Iter(iterable));
            let parts = vec![part(0, iterator), part(1, e.si64())];
            ("builtins.enumerate.generator", parts)
        }
        TypedType::Reversed(sequence) => ("builtins.reversed.generator", vec![part(0, sequence)]),
        TypedType::Flat(array) => {
            let flat = maker.and_then(|maker| typed::Flat::defining(maker.operand_value(0)));
            let array = Val::new(array, flat.map(typed::Flat::array));
            ("numpy.flat.generator", vec![array])
        }
        TypedType::Indices(position) => {
            let indices = maker.and_then(|maker| typed::Indices::defining(maker.operand_value(0)));
            let sizes = indices.map(typed::Indices::sizes);
            let sizes: Vec<_> = (0..tuples::elements(position).map_or(0, |items| items.len()))
                .map(|at| Val::new(e.si64(), sizes.as_ref().map(|sizes| sizes[at])))
                .collect();
            ("numpy.ndindex.generator", vec![e.tuple(&sizes)])
        }
        _ => ("builtins.iter", vec![part(0, iterable)]),
    };
    let parts: Vec<_> = parts
        .into_iter()
        .map(|part| as_argument(e, part))
        .collect::<Typing<_>>()?;
    call_library(e, name, &parts)
}

/// What a loop goes over: numbers in a list are of the type that holds them all, as in Numba.
fn iterable<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
    let tuple = match packed_keywords::count(value) {
        Some(_) => packed_keywords::names(e, value),
        None => e.as_tuple(value),
    };
    let items = tuples::elements(tuple.ty).unwrap_or_default();
    let common = items
        .iter()
        .map(|item| Number::of(*item))
        .reduce(|one, other| Some(one?.promote(other?)))
        .flatten();
    match common {
        Some(number) if is_list(value.ty) => {
            let ty = number.to_type(e.context());
            let items: Vec<_> = (0..items.len())
                .map(|at| {
                    let item = e.tuple_get(tuple, at);
                    e.cast(item, ty)
                })
                .collect();
            e.tuple(&items)
        }
        // A loop over classes is unrolled: of a class that is known `isinstance` can be asked.
        _ if items.iter().any(|item| choices::is_class(*item)) => tuple,
        _ if items.windows(2).any(|pair| pair[0] != pair[1]) => {
            e.same_items(tuple, &items).unwrap_or(tuple)
        }
        _ => tuple,
    }
}
