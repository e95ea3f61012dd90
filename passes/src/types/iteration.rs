//! The types of iterators and of their items.

use crate::types::{lists, number::Number, tuples};
use melior::{
    Context,
    ir::{Type, r#type::TupleType},
};
use pyopt_dialects::{
    records::Record,
    typed::{ArrayType, Layout, TypedType, array_type},
};

/// The type of an iterator's items: ints of a range, elements or views of an array.
pub(crate) fn item_type<'c>(context: &'c Context, iterator: Type<'c>) -> Option<Type<'c>> {
    match TypedType::from(iterator) {
        TypedType::Iter(iterable) => item_of(context, iterable),
        _ => generator_item(iterator),
    }
}

/// The type of a generator's items.
pub(crate) fn generator_item(ty: Type<'_>) -> Option<Type<'_>> {
    match TypedType::from(ty) {
        TypedType::Generator(_, item) => Some(item),
        _ => None,
    }
}

/// What resuming a generator gives where there is an item: None stands for that of one that never yields.
pub(crate) fn resumed_item<'c>(context: &'c Context, item: Type<'c>) -> Type<'c> {
    match lists::is_nothing(item) {
        true => TypedType::None.to_type(context),
        false => item,
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
        TypedType::Str => Some(iterable),
        TypedType::Bytes => Some(Number::INT64.to_type(context)),
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

/// Whether a generator never yields anything, as far as is known.
pub(crate) fn never_yields(ty: Type) -> bool {
    generator_item(ty).is_some_and(lists::is_nothing)
}

/// Whether an iterator, or what it goes over, is known to have no items: those of an empty tuple
/// have no type either. A generator does something also where it yields nothing.
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
pub(crate) fn common_item(r#type: Type) -> Option<Type> {
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
