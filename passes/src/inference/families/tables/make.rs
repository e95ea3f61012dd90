//! Making dicts and sets, and conversions to them.

use super::calls::{call_at, call_library, call_with};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{overloads, packed_keywords},
        issue::{Stop, Typing, stop},
        val::Val,
    },
    infra::ops::typed,
    types::{
        choices,
        display::{display, display_list},
        join::{changing, join_all, join_items},
        lists::is_nothing,
        number::Number,
        optional::is_optional,
        sequences::{held, held_number, is_list, is_own, member_number},
        tables::Table,
        tuples::elements,
    },
};
use melior::ir::Type;
use pyopt_dialects::typed::TypedType;
use std::collections::HashSet;

/// Refuses types that can't be keys.
pub(super) fn check_key<'c>(e: &mut Emit<'_, 'c, '_>, key: Type<'c>) -> Typing<()> {
    let is_member = member_number(key).is_some();
    if is_nothing(key) || held_number(key).is_some() || is_member {
        return Ok(());
    }
    match TypedType::from(held(key).unwrap_or(key)) {
        TypedType::Str | TypedType::Bytes => Ok(()),
        TypedType::Other(_) | TypedType::Sequence(..)
            if !is_list(key)
                && let Some(items) = elements(key) =>
        {
            items
                .into_iter()
                .try_for_each(|item| check_key(e, item))
        }
        TypedType::List(_) | TypedType::Dict(_) | TypedType::Set(_) | TypedType::Array(_) => {
            stop(format!("unhashable type: {}", display(key)))
        }
        _ if overloads::is_hashable(e, key)? => Ok(()),
        _ => Err(Stop::issue(format!(
            "{} can't be a key of a dict or an item of a set",
            display(key)
        ))
        .hint(
            "keys are numbers, texts, bytes, truth values, members of enumerations, instances of classes with a \
             hash, and tuples of them",
        )),
    }
}

/// Refuses types that can't be values.
pub(super) fn check_value(value: Type) -> Typing<()> {
    if let Some(items) = elements(value) {
        return items.into_iter().try_for_each(check_value);
    }
    if let TypedType::Sequence(fields, _) = TypedType::from(value)
        && is_own(value)
    {
        return check_value(fields);
    }
    let fits = is_nothing(value)
        || choices::is_callable(value)
        || Number::of(value).is_some()
        || is_optional(value)
        || matches!(
            TypedType::from(value),
            TypedType::Array(_)
                | TypedType::List(_)
                | TypedType::Dict(_)
                | TypedType::Set(_)
                | TypedType::Str
                | TypedType::Bytes
                | TypedType::None
                | TypedType::Range(_)
                | TypedType::Slice(_)
        );
    match fits {
        true => Ok(()),
        false => stop(format!("{} can't be a value of a dict", display(value))),
    }
}

/// An empty dict or set of a type.
pub(super) fn new<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, table: Table<'c>) -> Typing<Val<'c, 'a>> {
    check_key(e, table.key)?;
    table.value.map_or(Ok(()), check_value)?;
    let ty = table.to_type(e.context());
    Ok(e.op(ty, |b| typed::TableNew::create(b, ty)))
}

/// What all of some values are as keys, items or values.
fn common<'c>(e: &Emit<'_, 'c, '_>, values: &[Val<'c, '_>], what: &str) -> Typing<Type<'c>> {
    let types = values.iter().map(|value| value.ty).collect();
    join_all(e.context(), types).ok_or_else(|| {
        let types = display_list(values.iter().map(|value| value.ty));
        Stop::issue(format!("{what} can't have the types {types}"))
            .hint(format!("all {what} have one type"))
    })
}

/// `{key: value, …}`. One that `is_record` is only asked for items by constant texts.
pub(crate) fn build_dict<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    wanted: Option<Type<'c>>,
    entries: &[Val<'c, 'a>],
    is_record: bool,
) -> Typing<Val<'c, 'a>> {
    let (keys, values): (Vec<_>, Vec<_>) = entries
        .chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .unzip();
    // Numbers of several types would become those of one.
    if is_record
        && values.iter().any(|value| value.ty != values[0].ty)
        && let Some(record) = with_known_keys(e, &keys, &values)
    {
        return Ok(record);
    }
    let table = match wanted.and_then(Table::of) {
        Some(table) => table,
        None => match common(e, &values, "values of a dict") {
            Ok(value) => Table {
                key: common(e, &keys, "keys of a dict")?,
                value: Some(value),
            },
            // Such a dict is known by its keys.
            Err(several) => return with_known_keys(e, &keys, &values).ok_or(several),
        },
    };
    let made = new(e, table)?;
    for (key, value) in keys.into_iter().zip(values) {
        let key = e.coerce(key, table.key)?;
        let value = e.coerce(value, table.value.ok_or(Stop::Unknown)?)?;
        call_at(e, "__setitem__", [made, key], &[value])?;
    }
    Ok(made)
}

/// A dict of values of several types, whose keys are constant texts and which nobody changes.
fn with_known_keys<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    keys: &[Val<'c, 'a>],
    values: &[Val<'c, 'a>],
) -> Option<Val<'c, 'a>> {
    let mut entries: Vec<(&'c str, Val)> = Vec::new();
    for (key, value) in keys.iter().zip(values) {
        let name = key.literal.and_then(|_| key.literal_str())?;
        match entries.iter_mut().find(|(known, _)| *known == name) {
            Some((_, before)) => *before = *value,
            None => entries.push((name, *value)),
        }
    }
    Some(packed_keywords::pack(e, &entries))
}

/// `{item, …}`.
pub(crate) fn build_set<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    wanted: Option<Type<'c>>,
    items: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let table = match wanted.and_then(Table::of) {
        Some(table) => table,
        None => Table {
            key: common(e, items, "items of a set")?,
            value: None,
        },
    };
    let made = new(e, table)?;
    for item in items {
        let item = e.coerce(*item, table.key)?;
        call_at(e, "add", [made, item], &[])?;
    }
    Ok(made)
}

/// `dict(…)`.
pub(crate) fn dict<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if !arguments.keywords.is_empty() {
        return with_names(e, arguments);
    }
    let empty = Table::empty(e.context(), true);
    match arguments.positional.as_slice() {
        [] => new(e, empty),
        &[entries] => match Table::of(entries.ty) {
            Some(_) => call_with(e, "copy", &[entries]),
            None => call_library(e, "dict", "of", arguments),
        },
        _ => Err(arguments.wrong_count("at most one argument")),
    }
}

/// `dict(…, name=value)`.
fn with_names<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let mut entries = Vec::new();
    let mut names = HashSet::new();
    for &(name, value) in &arguments.keywords {
        if !names.insert(name) {
            return stop(format!("dict() got multiple values for argument '{name}'"));
        }
        entries.extend([e.string(name), value]);
    }
    if arguments.positional.is_empty() {
        return build_dict(e, None, &entries, false);
    }
    let unnamed = Arguments {
        keywords: Vec::new(),
        ..arguments.clone()
    };
    let made = dict(e, &unnamed)?;
    let more = build_dict(e, None, &entries, false)?;
    call_with(e, "update", &[made, more])?;
    Ok(made)
}

/// `set(…)`.
pub(crate) fn set<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let empty = Table::empty(e.context(), false);
    if arguments.values().count() == 0 {
        return new(e, empty);
    }
    let items = arguments.one()?;
    match Table::of(items.ty) {
        Some(Table { value: None, .. }) => call_with(e, "copy", &[items]),
        _ => call_library(e, "set", "of", arguments),
    }
}

/// A new dict or set with the entries of one, which has entries of another type.
pub(crate) fn converted<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    table: Val<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let wanted = Table::of(ty).ok_or(Stop::Unknown)?;
    let made = new(e, wanted)?;
    if !Table::of(table.ty).is_some_and(Table::is_empty) {
        call_with(e, "update", &[made, table])?;
    }
    Ok(made)
}

/// Converts to a dict or set of a type; nothing when none is asked for.
///
/// A conversion would hide changes from other names, so it is to have the type where it is made.
pub(crate) fn coerce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Option<Typing<Val<'c, 'a>>> {
    Table::of(ty)?;
    Table::of(operand.ty)?;
    e.wish(operand, ty);
    if !e.is_emitting() {
        return Some(Ok(Val::new(ty, None)));
    }
    let message = format!(
        "{} can't be seen as {}: both would change",
        display(operand.ty),
        display(ty)
    );
    Some(Err(Stop::issue(message).hint(
        "make it with keys and values of one type, or copy it",
    )))
}

/// The dict or set as one of a type. What isn't one is to be one where it is made.
pub(super) fn as_table<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    table: Val<'c, 'a>,
    wanted: Table<'c>,
) -> Typing<Val<'c, 'a>> {
    check_key(e, wanted.key)?;
    wanted.value.map_or(Ok(()), check_value)?;
    let ty = wanted.to_type(e.context());
    if table.ty == ty {
        return Ok(table);
    }
    e.wish(table, ty);
    if !e.is_emitting() {
        return Ok(Val::new(ty, None));
    }
    Err(Stop::issue(format!(
        "{} can't become {}: it isn't known here where it is made",
        display(table.ty),
        display(ty)
    ))
    .hint("make it with keys and values of one type, or copy it"))
}

/// The table for what is put in: its key or item, and its value.
pub(super) fn holding<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    table: Val<'c, 'a>,
    key: Type<'c>,
    value: Option<Type<'c>>,
) -> Typing<(Val<'c, 'a>, Table<'c>)> {
    let context = e.context();
    let held = Table::of(table.ty).ok_or(Stop::Unknown)?;
    let join = |before: Type<'c>, put: Type<'c>| {
        let put = changing(context, put)?;
        join_items(context, before, put)
    };
    let refuse = |e: &mut Emit<'_, 'c, 'a>, put: Type<'c>, what: &str, before: Type<'c>| {
        let wanted = Table {
            key,
            value: value.or(held.value),
        };
        e.clash(table, wanted.to_type(context));
        Stop::issue(format!(
            "{} can't be put into {}: its {what} are {}",
            display(put),
            display(table.ty),
            display(before)
        ))
        .hint(format!(
            "all {what} of a {} have one type",
            before_class(table.ty)
        ))
    };
    let what = match held.value {
        Some(_) => "keys",
        None => "items",
    };
    let wanted = Table {
        key: join(held.key, key).ok_or_else(|| refuse(e, key, what, held.key))?,
        value: match (held.value, value) {
            (Some(before), Some(put)) => {
                Some(join(before, put).ok_or_else(|| refuse(e, put, "values", before))?)
            }
            (before, _) => before,
        },
    };
    Ok((as_table(e, table, wanted)?, wanted))
}

fn before_class(ty: Type) -> &'static str {
    Table::of(ty).map_or("dict", Table::class)
}
