//! Keywords of calls with stars: CPython collects them in dicts, `f(*a, b=1)` and `f(**{"b": 1})`.
//!
//! Such a dict is known where it is used: a call takes the names and values that were put into it.

use super::{
    calls,
    emit::Emit,
    emit::Val,
    flow::Environment,
    functions::Arguments,
    issue::{Stop, Typing},
    tuples,
};
use crate::infra::{AttributeExt, OperationExt, ValueExt};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::enums::ExtendKind;

/// Whether a dict only becomes the keywords of a call.
pub(super) fn is_collection(built: OperationRef) -> bool {
    let dict = built.result_value(0);
    let users = dict.users();
    !users.is_empty()
        && users
            .into_iter()
            .all(|user| user.is("py.call_ex") || merges(user))
}

/// Whether an operation adds keywords to those of a call.
pub(super) fn merges(operation: OperationRef) -> bool {
    operation.is("py.extend")
        && operation.attr("kind").and_then(ExtendKind::from_attribute)
            == Some(ExtendKind::DictMerge)
}

/// `py.call_ex`.
pub(super) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    environment: &Environment<'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let operands = operation.operand_values();
    let callee = environment.val(operands[0])?;
    let positional = environment.val(operands[1])?;
    let Some(positional) = tuples::unpack(e, positional) else {
        return Err(Stop::issue(format!(
            "the arguments behind '*' must be a tuple, not {}",
            super::display::display(positional.ty)
        )));
    };
    let mut arguments = Arguments::new(&positional, None);
    if let Some(keywords) = operands.get(2) {
        collect(environment, *keywords, &mut arguments.keywords)?;
    }
    calls::call(e, callee, arguments)
}

/// Finds the names and values in a dict, in their order.
fn collect<'c: 'a, 'a>(
    environment: &Environment<'c, 'a>,
    dict: Value<'c, 'a>,
    found: &mut Vec<(&'c str, Val<'c, 'a>)>,
) -> Typing<()> {
    let unknown = || {
        Stop::issue("the names of the arguments behind '**' aren't known")
            .hint("pass keywords by their names, or a dict of constant names as it is written: '**{\"a\": x}'")
    };
    let built = dict.defined_by("py.build_map").ok_or_else(unknown)?;
    for item in built.operand_values().chunks_exact(2) {
        let name = item[0]
            .defined_by("py.constant")
            .and_then(|one| one.attr("value"));
        let name = name
            .and_then(AttributeExt::string_value)
            .ok_or_else(unknown)?;
        found.push((name, environment.val(item[1])?));
    }
    // The order of users says nothing, but keywords are found by their names.
    let merged = dict
        .users()
        .into_iter()
        .filter(|user| merges(*user) && user.operand_value(0) == dict);
    for user in merged {
        collect(environment, user.operand_value(1), found)?;
    }
    Ok(())
}
