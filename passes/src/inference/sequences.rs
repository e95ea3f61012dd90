//! Named tuples, and lists that nobody changes: tuples that Python has as objects of other classes.

use super::{
    choices,
    emit::{Emit, Val},
    functions::Arguments,
    issue::{Stop, Typing, stop},
    lists, tuples,
};
use crate::{
    infra::{AttributeExt, ops::typed},
    types::{
        display::display,
        functions,
        number::Number,
        sequences::{LIST, class_of, is_list},
        tuples::elements,
    },
};
use melior::ir::Attribute;
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// The items as a tuple.
pub(crate) fn as_tuple<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
    let TypedType::Sequence(items, _) = TypedType::from(value.ty) else {
        return value;
    };
    if functions::is_function(value.ty) {
        return value;
    }
    let mut tuple = e.op(items, |b| typed::AsTuple::create(b, value.ir()));
    tuple.literal = value.literal;
    tuple
}

/// What a loop goes over: numbers in a list are of the type that holds them all, as in Numba.
pub(crate) fn iterable<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Val<'c, 'a> {
    let tuple = as_tuple(e, value);
    let items = elements(tuple.ty).unwrap_or_default();
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
        _ if items.windows(2).any(|pair| pair[0] != pair[1]) => {
            choices::same_items(e, tuple, &items).unwrap_or(tuple)
        }
        _ => tuple,
    }
}

/// A tuple as an object of a class.
pub(crate) fn of_class<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    items: Val<'c, 'a>,
    class: Attribute<'c>,
) -> Val<'c, 'a> {
    let ty = e.type_of(TypedType::Sequence(items.ty, class));
    let mut made = e.op(ty, |b| typed::AsSequence::create(b, items.ir(), ty));
    made.literal = items.literal;
    made
}

/// A list of items.
pub(crate) fn list<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, items: &[Val<'c, 'a>]) -> Val<'c, 'a> {
    let items = e.tuple(items);
    let class = PyAttribute::Named(LIST).to_attribute(e.context());
    of_class(e, items, class)
}

/// `list(items)` or `tuple(items)` of what has a known number of items.
pub(crate) fn convert<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    to_list: bool,
) -> Typing<Val<'c, 'a>> {
    let items = match arguments.positional.as_slice() {
        [] if arguments.keywords.is_empty() => Vec::new(),
        _ => match tuples::unpack(e, arguments.one()?) {
            Some(items) => items,
            None if to_list => return lists::convert(e, arguments.one()?),
            None => {
                return Err(arguments
                    .no_implementation()
                    .hint("the number of items must be known: pass a tuple or a list"));
            }
        },
    };
    Ok(match to_list {
        true => list(e, &items),
        false => e.tuple(&items),
    })
}

/// A field of a named tuple.
pub(crate) fn field<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    name: &str,
) -> Option<Val<'c, 'a>> {
    let Some(PyAttribute::NamedTuple(_, _, fields)) = class_of(value.ty) else {
        return None;
    };
    let names = fields.elements()?;
    let position = names
        .iter()
        .position(|field| field.string_value() == Some(name))?;
    Some(e.tuple_get(value, position))
}

/// Calls a class of named tuples.
pub(crate) fn construct<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: Attribute<'c>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let PyAttribute::NamedTuple(name, _, fields) = PyAttribute::from(class) else {
        return stop("only classes of named tuples can be called");
    };
    let fields: Vec<_> = fields
        .elements()
        .unwrap_or_default()
        .into_iter()
        .filter_map(AttributeExt::string_value)
        .collect();
    let given = arguments.positional.len();
    if given > fields.len() {
        return stop(format!(
            "{name}() takes {} arguments ({given} given)",
            fields.len()
        ));
    }
    let mut items: Vec<_> = arguments.positional.iter().copied().map(Some).collect();
    items.resize(fields.len(), None);
    for &(keyword, value) in &arguments.keywords {
        let Some(position) = fields.iter().position(|field| *field == keyword) else {
            return stop(format!(
                "{name}() got an unexpected keyword argument '{keyword}'"
            ));
        };
        if items[position].replace(value).is_some() {
            return stop(format!(
                "{name}() got multiple values for argument '{keyword}'"
            ));
        }
    }
    if let Some(missing) = items.iter().position(Option::is_none) {
        return Err(Stop::issue(format!(
            "{name}() missing required argument: '{}'",
            fields[missing]
        ))
        .hint("pass all fields: defaults of named tuples aren't known here"));
    }
    let items: Vec<_> = items.into_iter().flatten().collect();
    let items = e.tuple(&items);
    Ok(of_class(e, items, class))
}

/// Refuses operators that lists have and tuples have not, or with another meaning.
pub(crate) fn check_concatenation(lhs: Val, rhs: Val) -> Typing<()> {
    match is_list(lhs.ty) == is_list(rhs.ty) {
        true => Ok(()),
        false => stop(format!(
            "can't concatenate {} and {}",
            display(lhs.ty),
            display(rhs.ty)
        )),
    }
}

/// Refuses to change a list that can't be made one that changes.
pub(crate) fn refuse_change<T>() -> Typing<T> {
    Err(
        Stop::issue("this list can't be changed: it isn't known here where it is made")
            .hint("copy it first, with list(…), or make it in this function"),
    )
}
