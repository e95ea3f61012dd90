//! Methods of dicts and sets.

use super::{
    calls::{call_at, call_library, call_with},
    items::{lookup_key, never_there},
    make::{check_value, holding, set},
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        val::Val,
    },
    infra::ops::typed,
    types::{
        display::display,
        join::join_types,
        tables::{Table, part_of_view},
    },
};
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;

const DICT_METHODS: &[&str] = &[
    "clear",
    "copy",
    "get",
    "items",
    "keys",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "values",
];

const SET_METHODS: &[&str] = &[
    "add",
    "clear",
    "copy",
    "difference",
    "difference_update",
    "discard",
    "intersection",
    "intersection_update",
    "isdisjoint",
    "issubset",
    "issuperset",
    "pop",
    "remove",
    "symmetric_difference",
    "symmetric_difference_update",
    "union",
    "update",
];

/// Whether values of a type are dicts or sets that have a method of this name.
pub(crate) fn has_method(ty: Type, name: &str) -> bool {
    match Table::of(ty) {
        Some(Table { value: Some(_), .. }) => DICT_METHODS.contains(&name),
        Some(_) => SET_METHODS.contains(&name),
        None => {
            matches!(TypedType::from(ty), TypedType::DictView(_, part) if part_of_view(part) != "values")
                && name == "isdisjoint"
        }
    }
}

/// `dict[key] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    dict: Val<'c, 'a>,
    key: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let (dict, table) = holding(e, dict, key.ty, Some(value.ty))?;
    let Some(of) = table.value else {
        return stop("a set has no items by key");
    };
    let key = e.coerce(key, table.key)?;
    let value = e.coerce(value, of)?;
    call_at(e, "__setitem__", [dict, key], &[value]).map(drop)
}

/// `table.name(arguments)`.
pub(crate) fn call_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    receiver: Val<'c, 'a>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let Some(table) = Table::of(receiver.ty) else {
        return call_with_set(e, receiver, name, arguments);
    };
    if table.value.is_some() {
        return dict_method(e, receiver, table, name, arguments);
    }
    match (name, arguments.positional.as_slice()) {
        ("add", &[item]) => {
            let (receiver, table) = holding(e, receiver, item.ty, None)?;
            let item = e.coerce(item, table.key)?;
            call_at(e, "add", [receiver, item], &[])
        }
        ("discard", &[_]) if table.is_empty() => Ok(e.none()),
        ("remove", &[key]) if table.is_empty() => Err(never_there(e, key)),
        ("pop", &[]) if table.is_empty() => {
            Err(Stop::Raises("KeyError", "pop from an empty set".into()))
        }
        ("discard" | "remove", &[item]) => {
            let item = lookup_key(e, table, item)?;
            call_at(e, name, [receiver, item], &[])
        }
        ("update" | "difference_update", others) => {
            for other in others {
                call_with(e, name, &[receiver, *other])?;
            }
            Ok(e.none())
        }
        ("intersection" | "difference" | "union", others) if others.len() != 1 => {
            let mut result = call_with(e, "copy", &[receiver])?;
            for other in others {
                result = call_with(e, name, &[result, *other])?;
            }
            Ok(result)
        }
        ("intersection_update", others) if others.len() != 1 => {
            for other in others {
                call_with(e, name, &[receiver, *other])?;
            }
            Ok(e.none())
        }
        _ => with_receiver(e, "set", receiver, name, arguments),
    }
}

/// Calls the library's function for a method that takes its arguments as they are.
fn with_receiver<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: &str,
    receiver: Val<'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut arguments = arguments.clone();
    arguments.positional.insert(0, receiver);
    call_library(e, class, name, &arguments)
}

/// A method that the keys or items of a dict have in common with sets.
fn call_with_set<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    view: Val<'c, 'a>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let made = set(e, &Arguments::new(&[view], None))?;
    with_receiver(e, "set", made, name, arguments)
}

fn dict_method<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    dict: Val<'c, 'a>,
    table: Table<'c>,
    name: &'c str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if name == "update" && !arguments.keywords.is_empty() {
        if !arguments.positional.is_empty() {
            let others = Arguments::new(&arguments.positional, None);
            dict_method(e, dict, table, name, &others)?;
        }
        for &(key, value) in &arguments.keywords {
            let key = e.string(key);
            set_item(e, dict, key, value)?;
        }
        return Ok(e.none());
    }
    if !arguments.keywords.is_empty() {
        return stop(format!(
            "{name}() of a dict takes no keywords in compiled code"
        ));
    }
    let positional = arguments.positional.as_slice();
    match (name, positional) {
        ("keys" | "values" | "items", []) => {
            let ty = e.type_of(TypedType::DictView(dict.ty, name));
            Ok(Val {
                origin: dict.origin,
                ..e.op(ty, |b| typed::DictView::create(b, dict.ir(), ty))
            })
        }
        ("setdefault", &[key, value]) => {
            let (dict, table) = holding(e, dict, key.ty, Some(value.ty))?;
            let key = e.coerce(key, table.key)?;
            let value = e.coerce(value, table.value.ok_or(Stop::Unknown)?)?;
            call_at(e, name, [dict, key], &[value])
        }
        ("setdefault", &[key]) => {
            let arguments = Arguments::new(&[key, e.none()], None);
            dict_method(e, dict, table, name, &arguments)
        }
        ("get", &[_]) if table.is_empty() => Ok(e.none()),
        ("get" | "pop", &[_, default]) if table.is_empty() => Ok(default),
        ("popitem", []) if table.is_empty() => Err(Stop::Raises(
            "KeyError",
            "popitem(): dictionary is empty".into(),
        )),
        ("pop", [key]) if table.is_empty() => Err(never_there(e, *key)),
        ("get", &[key]) => {
            let key = lookup_key(e, table, key)?;
            call_at(e, name, [dict, key], &[])
        }
        ("get" | "pop", &[key, default]) => {
            let value = table.value.ok_or(Stop::Unknown)?;
            let Some(joined) = join_types(e.context(), value, default.ty) else {
                return Err(Stop::issue(format!(
                    "{name}() gives {} or {}, which have no common type",
                    display(value),
                    display(default.ty)
                ))
                .hint("use a default of the type of the values"));
            };
            check_value(joined)?;
            let key = lookup_key(e, table, key)?;
            let default = e.coerce(default, joined)?;
            let name = if name == "pop" { "pop.default" } else { name };
            call_at(e, name, [dict, key], &[default])
        }
        ("pop", &[key]) => {
            let key = lookup_key(e, table, key)?;
            call_at(e, name, [dict, key], &[])
        }
        ("update", []) => Ok(e.none()),
        _ => with_receiver(e, "dict", dict, name, arguments),
    }
}
