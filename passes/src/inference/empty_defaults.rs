//! `d.get(key, ())` of a dict of lists, sets or dicts: where what it gives is only gone through, an empty tuple
//! stands for what has no items.

use crate::{
    inference::{
        emit::Emit, families::tables, issue::Typing, program::environment::Environment, val::Val,
    },
    infra::{ValueExt, ops::py},
    types::{lists::is_any_list, tables::Table, tuples::elements},
};
use melior::ir::{OperationRef, Type, Value};
use pyopt_dialects::typed::TypedType;

/// Gives a call of `get` or `pop` that has an empty tuple as its default one of the type of the dict's values,
/// unless somebody could tell the two apart. `operands` are the callee and the arguments.
pub(super) fn fit<'c: 'a, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    call: py::Call<'c, 'a>,
    operands: &mut [Val<'c, 'a>],
) -> Typing<()> {
    let [callee, _, default] = operands else {
        return Ok(());
    };
    let TypedType::Method(dict, "get" | "pop") = TypedType::from(callee.ty) else {
        return Ok(());
    };
    let is_empty = elements(default.ty).is_some_and(|items| items.is_empty());
    let value = Table::of(dict).and_then(|table| table.value);
    if let Some(value) = value
        && is_empty
        && !is_any_list(default.ty)
        && is_gone_through(environment, call.result())
    {
        *default = nothing_of(e, value)?.unwrap_or(*default);
    }
    Ok(())
}

/// A container without items that becomes one of a type; `None` for what is none.
fn nothing_of<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, ty: Type<'c>) -> Typing<Option<Val<'c, 'a>>> {
    Ok(match Table::of(ty) {
        _ if is_any_list(ty) => Some(e.list(&[])),
        Some(table) if table.value.is_some() => Some(tables::build_dict(e, Some(ty), &[], false)?),
        Some(_) => Some(tables::build_set(e, Some(ty), &[])?),
        None => None,
    })
}

/// Whether all that is done with a value is to go through its items, and to ask for them and how many there are.
fn is_gone_through<'c: 'a, 'a>(environment: &Environment<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let is_read = |user: OperationRef<'c, 'a>| match py::Op::of(user) {
        Some(py::Op::GetIter(_)) => true,
        Some(py::Op::Contains(contains)) => contains.item() != value,
        Some(py::Op::Call(call)) => {
            let callee = environment.slot(call.callee()).fact.ty;
            callee.is_some_and(|ty| reads_items(TypedType::from(ty)))
        }
        _ => false,
    };
    value.users().into_iter().all(is_read)
}

/// Whether a function does nothing with an argument but to go through its items, or count them.
fn reads_items(function: TypedType) -> bool {
    const FUNCTIONS: [&str; 9] = [
        "all", "any", "len", "list", "max", "min", "set", "sorted", "sum",
    ];
    let TypedType::Named(name) = function else {
        return false;
    };
    let builtin = name.strip_prefix("builtins.");
    builtin.is_some_and(|name| FUNCTIONS.contains(&name))
}
