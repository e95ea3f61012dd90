//! Iteration: ranges, arrays, tuples whose items have one type, and the iterators `enumerate`,
//! `reversed` and `zip` over them.

use super::{
    display::display,
    emit::{Emit, Val, values},
    functions::Arguments,
    generators,
    issue::{Stop, Typing},
    library_calls, lists, sequences, tuples,
};
use crate::{infra::ops::typed, library, types::number::Number};
use melior::{
    Context,
    ir::{Type, r#type::TupleType},
};
use pyopt_dialects::{
    records::Record,
    typed::{ArrayType, Layout, TypedType, array_type},
};

/// `iter(operand)`.
pub(crate) fn get_iter<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if let TypedType::Iter(_) | TypedType::Generator(..) = TypedType::from(operand.ty) {
        return Ok(operand);
    }
    let operand = sequences::iterable(e, operand);
    check_sequence(operand.ty)?;
    let ty = e.type_of(TypedType::Iter(operand.ty));
    Ok(e.op(ty, |b| typed::Iter::create(b, operand.ir())))
}

/// Refuses what has no items at positions, or items of several types.
fn check_sequence(r#type: Type) -> Typing<()> {
    match TypedType::from(r#type) {
        TypedType::Range(_) | TypedType::Flat(_) | TypedType::Indices(_) => Ok(()),
        TypedType::Array(array) if array.rank > 0 => Ok(()),
        TypedType::List(_) => Ok(()),
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
        .hint("iterate over a range, an array or a tuple")),
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
    let sequence = sequences::iterable(e, sequence);
    check_sequence(sequence.ty)?;
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
    library_calls::call(e, source, &Arguments::new(operands, None))
}

/// `zip(*iterables)`.
pub(crate) fn zip<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if !arguments.keywords.is_empty() {
        return Err(Stop::issue("zip() with keyword arguments is not supported")
            .hint("compare the lengths for strict=True"));
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

/// The type of an iterator's items: ints of a range, elements or views of an array.
pub(crate) fn item_type<'c>(context: &'c Context, iterator: Type<'c>) -> Option<Type<'c>> {
    match TypedType::from(iterator) {
        TypedType::Iter(iterable) => item_of(context, iterable),
        _ => generators::item(iterator),
    }
}

fn item_of<'c>(context: &'c Context, iterable: Type<'c>) -> Option<Type<'c>> {
    match TypedType::from(iterable) {
        TypedType::Reversed(iterable) => item_of(context, iterable),
        TypedType::Enumerate(iterable) => {
            let item = item_of(context, iterable)?;
            let count = Number::INT64.to_type(context);
            Some(TupleType::new(context, &[count, item]).into())
        }
        TypedType::Zip(iterables) => {
            let items = tuples::elements(iterables)?.into_iter();
            let items: Option<Vec<_>> = items.map(|one| item_of(context, one)).collect();
            Some(TupleType::new(context, &items?).into())
        }
        TypedType::Range(element) | TypedType::List(element) => Some(element),
        TypedType::Flat(array) => array_type(array).map(|array| array.element),
        TypedType::Indices(position) => Some(position),
        TypedType::Array(array) if array.rank == 1 && Record::of(array.element).is_none() => {
            Some(array.element)
        }
        TypedType::Array(array) => Some(
            ArrayType {
                rank: array.rank - 1,
                layout: row_layout(array.layout),
                ..array
            }
            .to_type(context),
        ),
        TypedType::Other(tuple) => common_item(tuple),
        _ => None,
    }
}

/// Whether an iterator, or what it goes over, is known to have no items: those of an empty tuple
/// have no type either.
pub(crate) fn is_empty(r#type: Type) -> bool {
    match TypedType::from(r#type) {
        TypedType::Iter(inner) | TypedType::Reversed(inner) | TypedType::Enumerate(inner) => {
            is_empty(inner)
        }
        TypedType::List(item) => lists::is_nothing(item),
        TypedType::Zip(iterables) => tuples::elements(iterables)
            .is_some_and(|iterables| iterables.is_empty() || iterables.into_iter().any(is_empty)),
        TypedType::Other(tuple) => {
            tuples::elements(tuple).is_some_and(|elements| elements.is_empty())
        }
        _ => false,
    }
}

/// The type that all items of a tuple have.
fn common_item(r#type: Type) -> Option<Type> {
    let elements = tuples::elements(r#type)?;
    let first = *elements.first()?;
    elements.iter().all(|item| *item == first).then_some(first)
}

/// The layout of `array[i]` for one int: rows of a C array are contiguous.
pub(crate) const fn row_layout(layout: Layout) -> Layout {
    match layout {
        Layout::C => Layout::C,
        Layout::F | Layout::A => Layout::A,
        Layout::Bytes => Layout::Bytes,
    }
}
