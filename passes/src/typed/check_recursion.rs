//! Turns stack overflow into RecursionError: a call in a cycle of the call graph checks the
//! remaining stack first.

use crate::infra::{
    BlockExt, Builder, Dominance, OperationAttributes, OperationExt, PassContext, PassResult,
    PassSpec, RegionExt, StatisticSpec, ValueExt,
    ops::{AnyOp, func, marks, parfor, typed},
};
use melior::ir::{OperationRef, attribute::StringAttribute, operation::OperationLike};
use std::collections::{BTreeMap, BTreeSet};

/// The `typed-check-recursion` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Before a call that is part of a cycle of calls (directly, over other functions, \
                  or over the body of a parallel loop) it makes a `typed.raise_if` that raises \
                  CPython's RecursionError when the thread's stack is nearly used up. A function \
                  that a check dominates in the caller needs no second one: all its calls start \
                  from the same frame. A `typed.try_call` gets a function that makes the check and \
                  calls in its place, so that it sees that error, too. Functions outside of cycles stay as they are. Runs before \
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
        .nested_ops::<func::Func>()
        .into_iter()
        .filter(|function| !function.body().is_empty())
        .collect();
    let calls: Calls = functions
        .iter()
        .map(|function| {
            let callees = function.pre_order().into_iter().filter_map(callee);
            (function.sym_name(), callees.collect())
        })
        .collect();
    let reached: BTreeMap<_, _> = calls
        .keys()
        .map(|name| (*name, reachable(name, &calls)))
        .collect();

    let builder = Builder::new(cx.context(), module);
    for function in functions {
        let name = function.sym_name();
        if !reached[name].contains(name) {
            continue;
        }
        for call in function.nested_ops::<typed::TryCall>() {
            if comes_back(*call, name, &reached) {
                wrap(&builder, module, call)?;
                cx.bump("checks", 1);
            }
        }
        let dominance = Dominance::new(*function);
        let mut checks: Vec<typed::RaiseIf> = Vec::new();
        for call in function.nested_ops::<typed::Call>() {
            let checked = checks
                .iter()
                .any(|check| dominance.operation(**check, *call));
            if !checked && comes_back(*call, name, &reached) {
                checks.push(check(&builder, call));
                cx.bump("checks", 1);
            }
        }
    }
    Ok(())
}

/// The functions that each function calls.
type Calls<'c> = BTreeMap<&'c str, BTreeSet<&'c str>>;

/// The callee of a call, or the body of a launch.
fn callee<'c>(operation: OperationRef<'c, '_>) -> Option<&'c str> {
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Call(call)) => Some(call.callee()),
        AnyOp::Typed(typed::Op::TryCall(call)) => Some(call.callee()),
        AnyOp::Parfor(parfor::Op::Launch(launch)) => Some(launch.body()),
        _ => None,
    }
}

/// The functions reachable through one or more calls.
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

/// Whether a call may lead back to its caller.
fn comes_back<'c>(
    call: OperationRef<'c, '_>,
    name: &str,
    reached: &BTreeMap<&'c str, BTreeSet<&'c str>>,
) -> bool {
    callee(call)
        .and_then(|callee| reached.get(callee).map(|reached| (callee, reached)))
        .is_some_and(|(callee, reached)| callee == name || reached.contains(name))
}

/// Replaces the callee of a `typed.try_call` by a wrapper that makes the check, so that the handler
/// also sees the check's error.
fn wrap<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    call: typed::TryCall<'c, 'a>,
) -> PassResult {
    let callee = call.callee();
    let name = format!("{callee}.checked");
    if module.lookup_symbol(&name).is_none() {
        let function = module.lookup_symbol(callee).and_then(func::Func::of);
        let function = call.required(typed::TryCall::CALLEE_ATTR, function)?;
        builder.after(*function).at(call.location());
        let wrapper = func::Func::create(builder, &name, function.function_type());
        wrapper.set_sym_visibility(Some("private"));
        let python_name = call
            .ancestor::<func::Func>()
            .and_then(|caller| caller.attr(marks::FUNCTION));
        if let Some(name) = python_name {
            wrapper.set_attr(marks::FUNCTION, name);
        }
        let inputs: Vec<_> = call.inputs().into_iter().map(ValueExt::ty).collect();
        let results: Vec<_> = call.results().into_iter().map(ValueExt::ty).collect();
        let entry = builder.append_block(wrapper.body(), &inputs);
        let inner = typed::Call::create(builder, callee, &entry.argument_values(), &[], &results);
        func::Return::create(builder, &inner.results());
        check(builder, inner);
    }
    call.set_callee(&name);
    Ok(())
}

/// Makes the check before a call.
fn check<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    call: typed::Call<'c, 'a>,
) -> typed::RaiseIf<'c, 'a> {
    builder.before(*call).at(call.location());
    let exhausted = typed::StackExhausted::create(builder).result();
    let exception = StringAttribute::new(builder.context(), "RecursionError").into();
    let check = typed::RaiseIf::create(builder, exhausted, exception, &[], &[]);
    check.set_message(Some("maximum recursion depth exceeded"));
    check
}
