//! What nopython mode refuses before it looks at types: by name, at its place, with what to write
//! instead.
//!
//! Classes, coroutines and the like have no typed form. A function that is asked for and uses them is
//! refused as a whole, so that the message doesn't depend on which of its paths are reached. One that it
//! refers to is refused where a call gets to what has no form: it may stand in a branch for other types.

use crate::{
    inference::{
        families::patterns::REST_OF_DICT,
        issue::{Stop, Typing},
        program::Program,
    },
    infra::{OperationExt, PassContext, PassResult, Report, Severity, ValueExt, ops::py},
    py::mentions,
};
use melior::ir::{Location, OperationRef, operation::OperationLike};
use pyopt_dialects::enums::FunctionKind;
use std::{
    borrow::Cow,
    collections::{BTreeSet, HashSet},
};

/// What is refused, where, and what to do instead.
struct Refusal<'c> {
    location: Location<'c>,
    message: String,
    hint: Option<&'static str>,
}

/// Refuses functions that the requests of a module can reach.
pub(crate) fn check<'c>(
    cx: &PassContext<'c>,
    program: &mut Program<'c, '_>,
    requests: Vec<&'c str>,
) -> PassResult {
    let mut wanted = requests.clone();
    // What is asked for, and the functions that it makes.
    let mut asked: BTreeSet<_> = requests.into_iter().collect();
    let mut seen = BTreeSet::new();
    let mut refused = HashSet::new();
    let mut result = Ok(());
    while let Some(symbol) = wanted.pop() {
        let Some(function) = program.function(symbol).filter(|_| seen.insert(symbol)) else {
            continue;
        };
        let operations = function.operation.pre_order();
        match refusal(function.operation, &operations) {
            Some(_) if !asked.contains(symbol) => {
                refused.insert(symbol);
            }
            Some(Refusal {
                location,
                message,
                hint,
            }) => {
                let report = Report::new(Severity::Error, location, message);
                let noted = hint
                    .into_iter()
                    .fold(report, |report, hint| report.note(location, hint));
                result = Err(cx.fail(noted));
                continue;
            }
            None => {}
        }
        for operation in operations {
            let mentioned = match py::Op::of(operation) {
                Some(py::Op::Global(global)) => Some(global.binding()),
                Some(py::Op::FreeCell(cell)) => Some(cell.binding()),
                Some(py::Op::MakeFunction(maker)) => {
                    if asked.contains(symbol) {
                        asked.insert(maker.code());
                    }
                    Some(maker.code())
                }
                _ => None,
            };
            if let Some(symbol) = mentioned {
                let bound = program.binding(symbol).map(mentions::in_value);
                let bound = bound.filter(|found| !found.is_empty());
                wanted.extend(bound.unwrap_or_else(|| vec![symbol]));
            }
        }
        wanted.extend(mentions::in_defaults(function.operation.operation()));
    }
    program.refused = refused;
    result
}

/// The problem of an operation of a function that has no typed form as a whole.
pub(super) fn stop_at(operation: OperationRef, kind: FunctionKind) -> Typing<()> {
    check_kind(kind)?;
    operation_refusal(operation).map_or(Ok(()), stop)
}

/// Refuses to read a variable of a function that isn't compiled, where the reader assigns it too.
pub(super) fn check_read(load: py::LoadCell) -> Typing<()> {
    let mut users = load.cell().users().into_iter();
    let assignment = users.find(|user| user.isa::<py::StoreCell>());
    assignment.and_then(operation_refusal).map_or(Ok(()), stop)
}

/// The problem of a function that is a coroutine, which a caller may have as an argument.
pub(super) fn check_kind(kind: FunctionKind) -> Typing<()> {
    match kind {
        FunctionKind::Function | FunctionKind::Generator => Ok(()),
        _ => stop(COROUTINES),
    }
}

fn stop((what, hint): (Cow<'static, str>, Option<&'static str>)) -> Typing<()> {
    let stop = Stop::issue(format!("{what} not supported"));
    Err(hint.into_iter().fold(stop, Stop::hint))
}

/// What all of a coroutine is refused as.
const COROUTINES: (Cow<'static, str>, Option<&'static str>) =
    (Cow::Borrowed("coroutines are"), Some("write a generator"));

fn refusal<'c>(
    function: py::Func<'c, '_>,
    operations: &[OperationRef<'c, '_>],
) -> Option<Refusal<'c>> {
    if !matches!(
        function.kind(),
        FunctionKind::Function | FunctionKind::Generator
    ) {
        return Some(Refusal {
            location: function.location(),
            message: format!("{} not supported", COROUTINES.0),
            hint: COROUTINES.1,
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
    let (what, hint) = match py::Op::of(operation)? {
        py::Op::EnterContext(_) | py::Op::EnterAsyncContext(_) => (
            "'with' is",
            Some("enter the context in the caller, in Python"),
        ),
        py::Op::ExcGroupMatch(_) => (
            "'except*' is",
            Some("catch exceptions of a class with 'except'"),
        ),
        py::Op::LoadBuildClass(_) | py::Op::LoadClassDeref(_) => (
            "a class defined in a compiled function is",
            Some("define it in the module"),
        ),
        py::Op::Send(_) | py::Op::GetYieldFromIter(_) => (
            "'yield from' with a value is",
            Some("yield the items in a loop"),
        ),
        py::Op::ImportStar(_) => (
            "'from … import *' is",
            Some("import the names that are used"),
        ),
        py::Op::Intrinsic(intrinsic) => match intrinsic.name() {
            // What a pattern binds to what else a dict holds.
            REST_OF_DICT => return None,
            "typealias" => (
                "a type alias in a function is",
                Some("define it in the module"),
            ),
            name if name == "template" || name.contains("interpolation") => {
                ("a template string is", Some("write an f-string"))
            }
            _ => (
                "an inner function with type parameters is",
                Some("leave them out, or define it in the module"),
            ),
        },
        py::Op::DeleteGlobal(_) => ("'del' of a global is", None),
        py::Op::DeleteCell(_) => ("'del' of a variable that an inner function uses is", None),
        py::Op::Namespace(_) => (
            "the body of a module or class is",
            Some("only functions are compiled"),
        ),
        py::Op::StoreCell(store) => {
            let cell = py::FreeCell::defining(store.cell())?;
            let name = cell.binding().rsplit('.').next().unwrap_or_default();
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
