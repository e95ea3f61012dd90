//! `py-literals`: `literally(x)` becomes the value that x is known to be.
//!
//! Numba's `FindLiterallyCalls`. A value is known from the program, or from a literal type in
//! `py.specialize`. Of a parameter it is known where the function is called: such parameters are
//! marked, and those of callers that are passed on to them. Inference specialises the functions for
//! the values, and the dispatcher compiles once for each.

use super::{
    bindings::{Bindings, erase_known},
    fixup_args::{argument_type, known_value},
};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
    Report, Severity, StatisticSpec, ValueExt,
    ops::{marks, py},
};
use melior::ir::{
    OperationRef, Value, ValueLike, attribute::DenseI64ArrayAttribute, operation::OperationLike,
};
use pyopt_dialects::typed::TypedType;
use std::collections::{BTreeMap, BTreeSet};

/// `literally`.
pub static PASS: PassSpec = PassSpec {
    description: "A call of `literally` becomes the constant that its argument is on every path. \
                  Where that is a parameter it becomes the parameter, and \
                  `pyopt.literal_parameters` notes it, also on callers that pass on one of \
                  theirs. Any other argument is an error.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new(
        "literals",
        "calls that became constants",
    )],
    ..PassSpec::new("py-literals", "replace literally() by constants", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    if !bindings.mentions("literally") {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), root);
    let mut literals = Parameters::new();
    for call in root.nested_ops::<py::Call>() {
        let callee = call.callee();
        if !bindings.is_ours(callee, "literally") {
            continue;
        }
        let location = call.location();
        let &[argument] = call.args().as_slice() else {
            return Err(cx.error(location, "literally() takes one argument"));
        };
        if call.keywords().is_some() {
            return Err(cx.error(location, "literally() takes no keyword arguments"));
        }
        if let Some((function, position)) = parameter(root, argument) {
            literals.entry(function).or_default().insert(position);
            builder.replace_op(*call, &[argument]);
            erase_known([callee]);
            cx.bump("literals", 1);
            continue;
        }
        let Some(value) = known_value(&bindings, argument) else {
            let message = "literally() needs a value that is known when the function is compiled";
            let hint = "hint: make it a global constant, or a closure variable of the function";
            let report = Report::new(Severity::Error, location, message);
            return Err(cx.fail(report.note(location, hint)));
        };
        builder.before(*call);
        let constant = py::Constant::create(&builder, value).result();
        builder.replace_op(*call, &[constant]);
        erase_known([callee, argument]);
        cx.bump("literals", 1);
    }
    add_callers(root, &bindings, &mut literals);
    for function in root.nested_ops::<py::Func>() {
        if let Some(positions) = literals.get(function.sym_name()) {
            let positions: Vec<_> = positions.iter().map(|at| *at as i64).collect();
            let positions = DenseI64ArrayAttribute::new(cx.context(), &positions);
            function.set_attr(marks::LITERAL_PARAMETERS, positions);
        }
    }
    Ok(())
}

/// The numbers of parameters, by the symbols of their functions.
type Parameters<'c> = BTreeMap<&'c str, BTreeSet<usize>>;

/// The function that a value is a parameter of, and its number; nothing for a function in another
/// one, which gets further parameters later, and for a parameter whose type says its value.
fn parameter<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
) -> Option<(&'c str, usize)> {
    let value = written_once(value);
    if !value.is_block_argument() {
        return None;
    }
    let block = value.defining_block();
    let function = py::Func::of(block.parent()?)?;
    let is_parameter = function.body().entry() == Some(block);
    let makers = root.nested_ops::<py::MakeFunction>();
    let is_inner = makers
        .into_iter()
        .any(|maker| maker.code() == function.sym_name());
    let is_known =
        argument_type(value).is_some_and(|ty| matches!(TypedType::from(ty), TypedType::Literal(_)));
    (is_parameter && !is_inner && !is_known).then(|| (function.sym_name(), value.position()))
}

/// What a variable that an inlined closure shares holds, if that is what it was made with.
fn written_once<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let maker = py::LoadCell::defining(value).and_then(|load| py::MakeCell::defining(load.cell()));
    let is_read_alone = |maker: &py::MakeCell<'c, 'a>| {
        let mut users = maker.result().users().into_iter();
        users.all(|user| user.isa::<py::LoadCell>())
    };
    let initial = maker.filter(is_read_alone).and_then(py::MakeCell::initial);
    initial.unwrap_or(value)
}

/// Adds the parameters that functions pass on to such ones.
fn add_callers<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    bindings: &Bindings<'c, 'a>,
    literals: &mut Parameters<'c>,
) {
    let calls = root.nested_ops::<py::Call>();
    let mut changed = !literals.is_empty();
    while changed {
        changed = false;
        for call in &calls {
            let Some(callee) = bindings.callee(call.callee()) else {
                continue;
            };
            let Some(positions) = literals.get(callee.sym_name()) else {
                continue;
            };
            let passed: Vec<_> = passed_to(*call, callee)
                .into_iter()
                .filter(|(position, _)| positions.contains(position))
                .filter_map(|(_, argument)| parameter(root, argument))
                .collect();
            for (function, position) in passed {
                changed |= literals.entry(function).or_default().insert(position);
            }
        }
    }
}

/// The arguments of a call with the numbers of the parameters that they are for: keywords come last.
fn passed_to<'c: 'a, 'a>(
    call: py::Call<'c, 'a>,
    callee: py::Func<'c, 'a>,
) -> Vec<(usize, Value<'c, 'a>)> {
    let arguments = call.args();
    let keywords = call.keywords().unwrap_or_default().into_iter();
    let keywords: Vec<_> = keywords.filter_map(AttributeExt::string_value).collect();
    let first = arguments.len() - keywords.len();
    let names: Vec<_> = callee.arg_names().into_iter().collect();
    let place = |at: usize| match at.checked_sub(first) {
        Some(keyword) => names
            .iter()
            .position(|name| name.string_value() == Some(keywords[keyword])),
        None => Some(at),
    };
    let arguments = arguments.into_iter().enumerate();
    arguments
        .filter_map(|(at, argument)| Some((place(at)?, argument)))
        .collect()
}
