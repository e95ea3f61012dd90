//! Methods that change a list, and wishes for lists that change.

use super::make::{call_library, mixed, reserve};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::ops::typed,
    types::{
        choices,
        display::display,
        iteration::item_type,
        join::{changing, item_of, join_items},
        lists::{is_any_list, is_nothing, list_item, list_of},
        number::Number,
        sequences::{is_list, is_own},
        tuples::elements,
    },
};
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;
use pyopt_library as library;

const METHODS: &[&str] = &[
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse",
    "sort",
];

/// Whether lists have a method of this name.
pub(crate) fn has_method(name: &str) -> bool {
    METHODS.contains(&name)
}

/// Refuses types that can't be items.
pub(super) fn check_item(item: Type) -> Typing<()> {
    if let Some(elements) = elements(item) {
        return elements.into_iter().try_for_each(check_item);
    }
    if let TypedType::Sequence(fields, _) = TypedType::from(item)
        && is_own(item)
    {
        return check_item(fields);
    }
    let data = Number::of(item).is_some()
        || choices::is_callable(item)
        || is_nothing(item)
        || matches!(
            TypedType::from(item),
            TypedType::Array(_)
                | TypedType::List(_)
                | TypedType::Dict(_)
                | TypedType::Set(_)
                | TypedType::Str
                | TypedType::Bytes
                | TypedType::None
                | TypedType::Range(_)
                | TypedType::Slice(_)
                | TypedType::Optional(_)
        );
    match data {
        true => Ok(()),
        false => stop(format!("{} can't be an item of a list", display(item))),
    }
}

/// The list as one that changes and has items of a type. What isn't one is to be one where it is
/// made.
pub(super) fn as_changing<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    item: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let ty = list_of(e.context(), item);
    if list.ty == ty {
        return Ok(list);
    }
    e.wish(list, ty);
    if !e.is_emitting() {
        return Ok(Val::new(ty, None));
    }
    match list_item(list.ty) {
        Some(_) => Err(Stop::issue(format!(
            "{} can't be put into {}, which others see too",
            display(item),
            display(list.ty)
        ))
        .hint("make the list with items of a type that holds both, or copy it")),
        None => refuse_change(),
    }
}

/// The list as one that changes, with items of the type it has.
pub(crate) fn changed<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let item = item_of(e.context(), list.ty).ok_or_else(|| mixed(&[list]))?;
    as_changing(e, list, item)
}

/// Refuses to change a list that can't be made one that changes.
fn refuse_change<T>() -> Typing<T> {
    Err(
        Stop::issue("this list can't be changed: it isn't known here where it is made")
            .hint("copy it first, with list(…), or make it in this function"),
    )
}

/// The type of the items of a list that a value is put into.
pub(super) fn holding<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Type<'c>> {
    let context = e.context();
    let item = item_of(context, list.ty).ok_or_else(|| mixed(&[list, value]))?;
    let put = changing(context, value.ty);
    match put.and_then(|put| join_items(context, item, put)) {
        Some(joined) => Ok(joined),
        None => Err(refuse_item(e, list, value.ty)),
    }
}

/// Refuses an item that has nothing in common with those of a list.
fn refuse_item<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, list: Val<'c, 'a>, item: Type<'c>) -> Stop {
    e.clash(list, list_of(e.context(), item));
    Stop::issue(format!(
        "{} can't be put into {}",
        display(item),
        display(list.ty)
    ))
    .hint("the items of a list have one type")
}

/// `list.append(item)`.
pub(crate) fn append<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let joined = holding(e, list, value)?;
    check_item(joined)?;
    let list = as_changing(e, list, joined)?;
    let value = e.coerce(value, joined)?;
    let one = e.int(1);
    reserve(e, list, one);
    e.effect(|b| typed::ListPush::create(b, list.ir(), &[value.ir()]));
    Ok(e.none())
}

/// `list.name(arguments)`.
pub(crate) fn call_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if name == "append" {
        let value = arguments.one()?;
        return append(e, list, value);
    }
    if is_list(list.ty) && item_of(e.context(), list.ty).is_none() {
        return call_method_of_several(e, list, name, arguments);
    }
    let mut list = changed(e, list)?;
    // What is put in may ask for items of another type.
    let put = match (name, arguments.positional.as_slice()) {
        ("insert", &[_, value]) => changing(e.context(), value.ty),
        ("extend", &[items]) => items_of(e, items),
        _ => None,
    };
    if let Some(put) = put
        && let Some(item) = list_item(list.ty)
    {
        match join_items(e.context(), item, put) {
            Some(joined) if joined != item => list = as_changing(e, list, joined)?,
            Some(_) => {}
            None => return Err(refuse_item(e, list, put)),
        }
    }
    let name = match name {
        // Nothing is moved, and there is less to compile.
        "pop" if arguments.positional.is_empty() && arguments.keywords.is_empty() => "pop_last",
        _ => name,
    };
    let mut arguments = arguments.clone();
    arguments.positional.insert(0, list);
    call_library(e, name, &arguments)
}

/// A method of a list whose items have several types: one that doesn't change it.
fn call_method_of_several<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    list: Val<'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut arguments = arguments.clone();
    arguments.positional.insert(0, e.as_tuple(list));
    match name {
        "copy" => {
            let [_] = arguments.bind(["self"], 1)?;
            let items = e.unpack(list).unwrap_or_default();
            Ok(e.list(&items))
        }
        "index" => call_library(e, "index_of_several", &arguments),
        "count" => match library::find("tuple.count") {
            Some(source) => rules::call_library(e, source, &arguments),
            None => Err(Stop::Unknown),
        },
        _ => Err(mixed(&[list])),
    }
}

/// The type of the items that something gives.
fn items_of<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, items: Val<'c, 'a>) -> Option<Type<'c>> {
    let context = e.context();
    if is_any_list(items.ty) {
        return item_of(context, items.ty);
    }
    let builder = e.builder.take();
    let iterator = rules::iterate(e, items);
    e.builder = builder;
    item_type(context, iterator.ok()?.ty)
}
