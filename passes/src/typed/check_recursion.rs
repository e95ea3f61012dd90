//! Keeps runaway recursion from ending the process: a call that may come back to its caller looks
//! at the stack first.

use crate::infra::{
    Builder, Dominance, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, StatisticSpec,
};
use melior::ir::{
    OperationRef, attribute::StringAttribute, operation::OperationLike, r#type::IntegerType,
};
use std::collections::{BTreeMap, BTreeSet};

/// The `typed-check-recursion` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Before a call that is part of a cycle of calls (directly, over other functions, \
                  or over the body of a parallel loop) it makes a `typed.raise_if` that raises \
                  CPython's RecursionError when the thread's stack is nearly used up. A function \
                  that a check dominates in the caller needs no second one: all its calls start \
                  from the same frame. Functions outside of cycles stay as they are. Runs before \
                  `typed-insert-ownership`, which has the checks release what is held.",
    dialects: &["typed"],
    statistics: &[StatisticSpec::new("checks", "calls that look at the stack")],
    ..PassSpec::new(
        "typed-check-recursion",
        "raise RecursionError before the stack ends",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let functions: Vec<_> = module
        .nested("func.func")
        .into_iter()
        .filter(|function| !function.region_at(0).is_empty())
        .collect();
    let calls: Calls = functions
        .iter()
        .map(|function| {
            let callees = function.pre_order().into_iter().filter_map(callee);
            (
                function.symbol_name().unwrap_or_default(),
                callees.collect(),
            )
        })
        .collect();
    let reached: BTreeMap<_, _> = calls
        .keys()
        .map(|name| (*name, reachable(name, &calls)))
        .collect();

    let builder = Builder::new(cx.context(), module);
    for function in functions {
        let name = function.symbol_name().unwrap_or_default();
        if !reached[name].contains(name) {
            continue;
        }
        let dominance = Dominance::new(function);
        let mut checks: Vec<OperationRef> = Vec::new();
        for call in function.nested("typed.call") {
            let comes_back = callee(call)
                .and_then(|callee| reached.get(callee).map(|reached| (callee, reached)))
                .is_some_and(|(callee, reached)| callee == name || reached.contains(name));
            let checked = checks.iter().any(|check| dominance.operation(*check, call));
            if comes_back && !checked {
                checks.push(check(&builder, call));
                cx.bump("checks", 1);
            }
        }
    }
    Ok(())
}

/// The functions that each function calls.
type Calls<'c> = BTreeMap<&'c str, BTreeSet<&'c str>>;

/// The function that an operation calls or has called by threads.
fn callee<'c>(operation: OperationRef<'c, '_>) -> Option<&'c str> {
    match operation.full_name() {
        "typed.call" => operation.symbol_attr("callee"),
        "parfor.launch" => operation.symbol_attr("body"),
        _ => None,
    }
}

/// The functions that one or more calls lead to.
fn reachable<'c>(from: &str, calls: &Calls<'c>) -> BTreeSet<&'c str> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(name) = waiting.pop() {
        for callee in calls.get(name).into_iter().flatten() {
            if found.insert(*callee) {
                waiting.push(callee);
            }
        }
    }
    found
}

/// Makes the check before a call.
fn check<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    call: OperationRef<'c, 'a>,
) -> OperationRef<'c, 'a> {
    let context = builder.context();
    let text = |text: &str| StringAttribute::new(context, text).into();
    let bool = IntegerType::new(context, 1).into();
    builder.before(call).at(call.location());
    let exhausted = builder.value("typed.stack_exhausted", &[], bool, &[]);
    builder.op(
        "typed.raise_if",
        &[exhausted],
        &[],
        &[
            ("exception", text("RecursionError")),
            ("message", text("maximum recursion depth exceeded")),
        ],
    )
}
