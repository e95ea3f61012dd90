//! Keywords of calls with stars: CPython collects them in dicts, `f(*a, b=1)` and `f(**{"b": 1})`.
//!
//! Such a dict is known where it is used: a call takes the names and values that were put into it.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{overloads, packed_keywords, spread},
        issue::{Stop, Typing},
        program::environment::Environment,
        rules,
        val::Val,
    },
    infra::{AttributeExt, Dominance, OperationExt, ValueExt, ops::py},
    types::{display::display, tables::Table, tuples::elements},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::{enums::ExtendKind, typed::TypedType};
use pyopt_library as library;
use std::cmp::Ordering;

/// Whether a dict only becomes the keywords of a call.
pub(super) fn is_collection(built: py::BuildMap) -> bool {
    let users = built.result().users();
    let is_called =
        |user: &OperationRef| user.isa::<py::CallEx>() || py::Extend::of(*user).is_some_and(merges);
    users.iter().any(is_called)
        && users
            .iter()
            .all(|user| is_called(user) || py::MapAdd::of(*user).is_some_and(adds))
}

/// Whether an operation puts a keyword into a dict that was made for it: calls with many keywords are compiled
/// so. In a comprehension it would be in a block of its own, which may run several times or never.
pub(super) fn adds(entry: py::MapAdd) -> bool {
    let built = py::BuildMap::defining(entry.map());
    built.is_some_and(|built| {
        built.parent_block() == entry.parent_block() && name_of(entry.key()).is_some()
    })
}

/// The keywords that are put into a dict after it was made, in their order, which users don't have.
fn entries_of<'c, 'a>(built: py::BuildMap<'c, 'a>) -> Vec<py::MapAdd<'c, 'a>> {
    let users = built.result().users().into_iter();
    let count = users.filter(|user| user.isa::<py::MapAdd>()).count();
    let behind = std::iter::successors(Some(*built), OperationLike::next_in_block);
    let entries = behind.filter_map(py::MapAdd::of);
    let own = entries.filter(|entry| entry.map() == built.result());
    own.take(count).collect()
}

/// Whether an entry is put into what only becomes the keywords of a call.
pub(super) fn is_collected(entry: py::MapAdd) -> bool {
    py::BuildMap::defining(entry.map()).is_some_and(is_collection)
}

/// Whether a dict is only asked for items by constant texts: then each item can have a type of its own.
pub(super) fn is_record(built: py::BuildMap) -> bool {
    let dict = built.result();
    let users = dict.users();
    !users.is_empty()
        && users.into_iter().all(|user| {
            py::GetItem::of(user)
                .is_some_and(|get| get.object() == dict && name_of(get.index()).is_some())
        })
}

/// The name that a constant text is.
fn name_of<'c>(key: Value<'c, '_>) -> Option<&'c str> {
    let constant = py::Constant::defining(key).map(py::Constant::value);
    constant.and_then(AttributeExt::string_value)
}

/// Whether an operation adds keywords to those of a call.
pub(super) fn merges(extension: py::Extend) -> bool {
    extension.kind() == ExtendKind::DictMerge
}

/// `py.call_ex`.
pub(super) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    call: py::CallEx<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let callee = environment.val(call.callee())?;
    let positional = environment.val(call.args())?;
    let mut keywords = Vec::new();
    if let Some(dict) = call.kwargs() {
        collect(e, environment, dict, &mut keywords)?;
    }
    let Some(items) = e.unpack(positional) else {
        if is_zip(callee)
            && keywords.is_empty()
            && let Some(columns) = columns(e, call, positional)?
        {
            return Ok(columns);
        }
        return call_with_any_number(e, callee, positional, keywords);
    };
    if is_zip(callee)
        && keywords.is_empty()
        && is_unpacked(call)
        && let Some(columns) = known_columns(e, &items)
    {
        return Ok(columns);
    }
    let mut arguments = Arguments::new(&items, None);
    arguments.keywords = keywords;
    rules::call(e, callee, arguments)
}

fn is_zip(callee: Val) -> bool {
    matches!(TypedType::from(callee.ty), TypedType::Named("builtins.zip"))
}

/// `zip(*rows)` of so many rows as there are at run time; `None` where their items have several types and aren't
/// unpacked: what gives them one after the other gives one type.
fn columns<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    call: py::CallEx<'c, 'a>,
    rows: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    if let Some(columns) = overloads::columns(e, rows)? {
        return Ok(Some(columns));
    }
    match is_unpacked(call) {
        true => overloads::unpacked_columns(e, rows),
        false => Ok(None),
    }
}

/// Whether the result of a call is unpacked, and nothing else is done with it.
fn is_unpacked(call: py::CallEx) -> bool {
    let users = call.result().users();
    users.iter().all(|user| user.isa::<py::Unpack>())
}

/// The columns of as many rows as are known; `None` where the items of each have one type.
fn known_columns<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, rows: &[Val<'c, 'a>]) -> Option<Val<'c, 'a>> {
    let types = rows.iter().map(|row| elements(row.ty));
    let types: Vec<_> = types.collect::<Option<_>>()?;
    let width = types.iter().map(Vec::len).min()?;
    if types
        .iter()
        .all(|row| row.windows(2).all(|two| two[0] == two[1]))
    {
        return None;
    }
    let rows: Vec<_> = (rows.iter().map(|row| e.unpack(*row))).collect::<Option<_>>()?;
    let columns: Vec<_> = (0..width)
        .map(|at| e.tuple(&rows.iter().map(|row| row[at]).collect::<Vec<_>>()))
        .collect();
    Some(e.tuple(&columns))
}

/// Calls a function with so many arguments as there are at run time: one of those for which the library says,
/// under the name with `(*)` behind it, what that gives.
fn call_with_any_number<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    items: Val<'c, 'a>,
    keywords: Vec<(&'c str, Val<'c, 'a>)>,
) -> Typing<Val<'c, 'a>> {
    if let TypedType::Named(name) = TypedType::from(callee.ty)
        && let Some(source) = library::find(&format!("{name}(*)"))
    {
        let mut arguments = Arguments::new(&[items], None);
        arguments.keywords = keywords;
        return rules::call_library(e, source, &arguments);
    }
    if let TypedType::Method(receiver, name) = TypedType::from(callee.ty)
        && let Some(class) = Table::of(receiver).map(Table::class)
        && let Some(source) = library::find(&format!("{class}.{name}(*)"))
    {
        let receiver = Val {
            ty: receiver,
            ..callee
        };
        return rules::call_library(e, source, &Arguments::new(&[receiver, items], None));
    }
    if keywords.is_empty()
        && let Some(result) = spread::call(e, callee, items)?
    {
        return Ok(result);
    }
    Err(Stop::issue(format!(
        "the arguments behind '*' must be a tuple, not {}",
        display(items.ty)
    ))
    .hint("the number of arguments must be known, or that of the function's parameters"))
}

/// Whether a dict may have other entries than it was made of, merged keywords aside.
fn is_changed(built: py::BuildMap) -> bool {
    const READING: &[&str] = &["copy", "get", "items", "keys", "values"];
    let mut users = built.result().users().into_iter();
    !users.all(|user| match py::Op::of(user) {
        Some(
            py::Op::CallEx(_)
            | py::Op::Compare(_)
            | py::Op::Contains(_)
            | py::Op::GetItem(_)
            | py::Op::GetIter(_)
            | py::Op::Is(_),
        ) => true,
        Some(py::Op::GetAttr(get)) => READING.contains(&get.name()),
        Some(py::Op::Extend(extension)) => merges(extension),
        Some(py::Op::MapAdd(entry)) => adds(entry),
        _ => false,
    })
}

/// Finds the names and values in a dict, in their order.
fn collect<'c: 'a, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    dict: Value<'c, 'a>,
    found: &mut Vec<(&'c str, Val<'c, 'a>)>,
) -> Typing<()> {
    let unknown = || {
        Stop::issue("the names of the arguments behind '**' aren't known")
            .hint("pass keywords by their names, or a dict of constant names as it is written: '**{\"a\": x}'")
    };
    let Some(built) = py::BuildMap::defining(dict) else {
        let packed = environment.val(dict)?;
        found.extend(packed_keywords::unpack(e, packed).ok_or_else(unknown)?);
        return Ok(());
    };
    if is_changed(built) {
        return Err(unknown());
    }
    for item in built.elements().chunks_exact(2) {
        let name = name_of(item[0]).ok_or_else(unknown)?;
        found.push((name, environment.val(item[1])?));
    }
    for entry in entries_of(built) {
        let name = name_of(entry.key()).ok_or_else(unknown)?;
        found.push((name, environment.val(entry.value())?));
    }
    for extension in merges_of(dict) {
        collect(e, environment, extension.item(), found)?;
    }
    Ok(())
}

/// The merges of keywords into a dict, in their order, which users don't have: a dict behind `**` has its
/// entries in it. All run before the call, some in blocks before others.
fn merges_of<'c, 'a>(dict: Value<'c, 'a>) -> Vec<py::Extend<'c, 'a>> {
    let users = dict.users().into_iter().filter_map(py::Extend::of);
    let mut merged: Vec<_> = users
        .filter(|extension| merges(*extension) && extension.container() == dict)
        .collect();
    if merged.len() > 1
        && let Some(function) = merged[0].parent()
    {
        let dominance = Dominance::new(function);
        merged.sort_by(|a, b| match (**a, **b) {
            (a, b) if a == b => Ordering::Equal,
            (a, b) if dominance.operation(a, b) => Ordering::Less,
            _ => Ordering::Greater,
        });
    }
    merged
}
