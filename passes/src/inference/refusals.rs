//! What nopython mode refuses before it looks at types: by name, at its place, with what to write
//! instead.
//!
//! Generators, classes and the like have no typed form. A function that uses them is
//! refused as a whole, so that the message doesn't depend on which of its paths are reached.

use super::program::Program;
use crate::infra::{
    OperationAttributes, OperationExt, PassContext, PassResult, Report, Severity, ValueExt,
};
use crate::py::mentions;
use melior::ir::{Location, OperationRef, operation::OperationLike};
use pyopt_dialects::enums::FunctionKind;
use std::{borrow::Cow, collections::BTreeSet};

/// What is refused, where, and what to do instead.
struct Refusal<'c> {
    location: Location<'c>,
    message: String,
    hint: Option<&'static str>,
}

/// Refuses functions that the requests of a module can reach.
pub(crate) fn check<'c>(
    cx: &PassContext<'c>,
    program: &Program<'c, '_>,
    requests: Vec<&'c str>,
) -> PassResult {
    let mut wanted = requests;
    let mut seen = BTreeSet::new();
    let mut result = Ok(());
    while let Some(symbol) = wanted.pop() {
        let Some(function) = program.function(symbol).filter(|_| seen.insert(symbol)) else {
            continue;
        };
        let operations = function.operation.pre_order();
        if let Some(Refusal {
            location,
            message,
            hint,
        }) = refusal(function.operation, &operations)
        {
            let report = Report::new(Severity::Error, location, message);
            let noted = hint
                .into_iter()
                .fold(report, |report, hint| report.note(location, hint));
            result = Err(cx.fail(noted));
            continue;
        }
        for operation in operations {
            let symbol = match operation.full_name() {
                "py.global" | "py.free_cell" => operation.symbol_attr("binding"),
                "py.make_function" => operation.symbol_attr("code"),
                _ => None,
            };
            if let Some(symbol) = symbol {
                let bound = program.binding(symbol).map(mentions::in_value);
                let bound = bound.filter(|found| !found.is_empty());
                wanted.extend(bound.unwrap_or_else(|| vec![symbol]));
            }
        }
        wanted.extend(mentions::in_defaults(function.operation));
    }
    result
}

fn refusal<'c>(
    function: OperationRef<'c, '_>,
    operations: &[OperationRef<'c, '_>],
) -> Option<Refusal<'c>> {
    let kind = function.attr("kind").and_then(FunctionKind::from_attribute);
    let is_compiled = |kind| matches!(kind, FunctionKind::Function | FunctionKind::Generator);
    if !kind.is_none_or(is_compiled) {
        return Some(Refusal {
            location: function.location(),
            message: "coroutines are not supported".into(),
            hint: Some("write a generator"),
        });
    }
    operations.iter().find_map(|operation| {
        let (what, hint) = operation_refusal(*operation)?;
        Some(Refusal {
            location: operation.location(),
            message: format!("{what} not supported"),
            hint,
        })
    })
}

/// What an operation is refused as, and what to do instead.
fn operation_refusal(operation: OperationRef) -> Option<(Cow<'static, str>, Option<&'static str>)> {
    let (what, hint) = match operation.full_name() {
        "py.enter_context" | "py.enter_async_context" => (
            "'with' is",
            Some("enter the context in the caller, in Python"),
        ),
        "py.exc_group_match" => (
            "'except*' is",
            Some("catch exceptions of a class with 'except'"),
        ),
        "py.load_build_class" | "py.load_class_deref" => (
            "a class defined in a compiled function is",
            Some("define it in the module"),
        ),
        "py.match_class" | "py.match_keys" | "py.match_mapping" | "py.match_sequence"
        | "py.get_len" => (
            "'match' on patterns is",
            Some("compare with 'if' and 'elif'"),
        ),
        "py.send" | "py.get_yield_from_iter" => (
            "'yield from' in 'try', or with a value, is",
            Some("yield the items in a loop"),
        ),
        "py.import_star" => (
            "'from … import *' is",
            Some("import the names that are used"),
        ),
        "py.delete_global" => ("'del' of a global is", None),
        "py.delete_cell" => ("'del' of a variable that an inner function uses is", None),
        "py.namespace" => (
            "the body of a module or class is",
            Some("only functions are compiled"),
        ),
        "py.store_cell" => {
            let cell = operation.operand_value(0).defined_by("py.free_cell")?;
            let symbol = cell.symbol_attr("binding").unwrap_or_default();
            let name = symbol.rsplit('.').next().unwrap_or_default();
            let what = format!("assignment to '{name}' of an enclosing function is");
            return Some((
                what.into(),
                Some(
                    "return the new value and assign it in the enclosing function instead of using 'nonlocal'",
                ),
            ));
        }
        _ => return None,
    };
    Some((what.into(), hint))
}
