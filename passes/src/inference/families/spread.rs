//! `function(*items)` with so many items as there are at run time: a function of the program takes a known number
//! of them, or one of several known ones.

use super::{lists, overloads, unpacking::is_iterated};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    types::functions::function,
};
use pyopt_dialects::typed::TypedType;
use pyopt_library as library;

/// The library's function that calls one with the items.
const CALL: &str = "function.__call__(*)";

/// Calls a function of the program; nothing for one that takes any number of arguments, and for anything else.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    items: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    let symbol = match TypedType::from(callee.ty) {
        TypedType::Function(symbol) => Some(symbol),
        _ => function(callee.ty),
    };
    let Some(called) = symbol.and_then(|symbol| e.program.function(symbol)) else {
        return Ok(None);
    };
    if called.varargs {
        return Ok(None);
    }
    let positional = called.defaults.len() - called.keyword_only;
    let own = called.captures..positional;
    let is_required = |at: &usize| {
        let is_captured = called.captured_defaults.iter().any(|(own, _)| own == at);
        called.defaults[*at].is_none() && !is_captured
    };
    let least = own.clone().filter(is_required).count();
    let name = e.string(called.called_name());
    let names: Vec<_> = own
        .clone()
        .map(|at| e.string(called.parameters[at]))
        .collect();
    // An empty tuple has no item type, where the names are never asked for.
    let names = match names.is_empty() {
        true => e.tuple(&[name]),
        false => e.tuple(&names),
    };
    let items = overloads::iterable(e, items)?.unwrap_or(items);
    let items = match is_iterated(items.ty) {
        true => lists::convert(e, items)?,
        false => items,
    };
    let counts = [least, own.len()].map(|count| e.int(count as i64));
    let source = library::find(CALL).ok_or(Stop::Unknown)?;
    let operands = [callee, items, name, names, counts[0], counts[1]];
    rules::call_library(e, source, &Arguments::new(&operands, None)).map(Some)
}
