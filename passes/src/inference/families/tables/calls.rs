//! Calls of the library's functions for dicts and sets.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Typing, stop},
        rules,
        val::Val,
    },
    infra::ops::typed,
    library,
    types::tables::Table,
};
use pyopt_dialects::typed::TypedType;

/// Calls the library's function for a method of a dict or set, which is the first operand.
pub(super) fn call_with<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    operands: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let class = Table::of(operands[0].ty).map_or("", Table::class);
    call_library(e, class, name, &Arguments::new(operands, None))
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
