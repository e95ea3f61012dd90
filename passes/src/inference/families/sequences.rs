//! Named tuples, and lists that nobody changes: tuples that Python has as objects of other classes.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::overloads,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    infra::{AttributeExt, ops::typed},
    types::{
        display::display,
        sequences::{class_of, is_list, is_own},
    },
};
use melior::ir::Attribute;
use pyopt_dialects::{py::PyAttribute, typed::TypedType};

/// A field of a named tuple, or of a value of one of the host's own types.
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
    let items = match TypedType::from(value.ty) {
        TypedType::Sequence(items, _) if is_own(value.ty) => {
            e.op(items, |b| typed::AsTuple::create(b, value.ir()))
        }
        _ => value,
    };
    Some(e.tuple_get(items, position))
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
    let mut found = Vec::with_capacity(items.len());
    for (item, field) in items.into_iter().zip(&fields) {
        found.push(match item {
            Some(item) => item,
            None => default_of(e, class, fields.len(), field)?.ok_or_else(|| {
                Stop::issue(format!("{name}() missing required argument: '{field}'"))
            })?,
        });
    }
    let items = e.tuple(&found);
    Ok(e.of_class(items, class))
}

/// The default of a field of a class of named tuples, which the host has for any value of the class; `None`
/// if there is none.
fn default_of<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: Attribute<'c>,
    count: usize,
    field: &str,
) -> Typing<Option<Val<'c, 'a>>> {
    let items = vec![e.none(); count];
    let items = e.tuple(&items);
    let blank = e.of_class(items, class);
    overloads::attribute(e, blank, &format!("&default-{field}"))
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
