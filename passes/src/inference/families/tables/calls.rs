//! Calls of the library's functions for dicts and sets.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::ops::typed,
    types::tables::Table,
};
use pyopt_dialects::typed::TypedType;
use pyopt_library as library;

/// Calls the library's function for a method of a dict or set, which is the first operand.
pub(super) fn call_with<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let class = Table::of(operands[0].ty).map_or("", Table::class);
    call_library(e, class, name, &Arguments::new(operands, None))
}

/// Looks a key up in a dict or set. Gives the slot, less than 0 if the key isn't there, and the part of
/// its hash: what functions take that do something with one key.
pub(super) fn lookup<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    table: Val<'c, 'a>,
    key: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let source = library::find("pyopt.library.lookup").ok_or(Stop::Unknown)?;
    rules::call_library(e, source, &Arguments::new(&[table, key], None))
}

/// Looks a key up and calls the library's function for what a dict or set does with that key. Further
/// operands come last.
pub(super) fn call_at<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    [table, key]: [Val<'c, 'a>; 2],
    others: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let found = lookup(e, table, key)?;
    call_with(e, name, &[&[table, key, found], others].concat())
}

/// Calls the library's function for a method of a class.
pub(super) fn call_library<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    class: &str,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match library::find(&format!("{class}.{name}")) {
        Some(source) => rules::call_library(e, source, arguments),
        None => stop(format!("a {class} has no '{name}' in compiled code")),
    }
}

/// The dict of a view; anything else as it is.
pub(crate) fn viewed<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, view: Val<'c, 'a>) -> Val<'c, 'a> {
    match TypedType::from(view.ty) {
        TypedType::DictView(dict, _) => Val {
            origin: view.origin,
            ..e.op(dict, |b| typed::ViewedDict::create(b, view.ir(), dict))
        },
        _ => view,
    }
}
