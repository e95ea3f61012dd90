//! Turns stack overflow into RecursionError: a call in a cycle of the call graph checks the
//! remaining stack first.

use crate::{
    infra::{
        BlockExt, Builder, Dominance, OperationAttributes, OperationExt, PassContext, PassResult,
        PassSpec, RegionExt, StatisticSpec, ValueExt,
    },
    parfor::emit::Emit,
};
use melior::ir::{
    OperationRef, Region,
    attribute::{FlatSymbolRefAttribute, StringAttribute},
    operation::OperationLike,
    r#type::IntegerType,
};
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
        for call in function.nested("typed.try_call") {
            if comes_back(call, name, &reached) {
                wrap(&builder, module, call)?;
                cx.bump("checks", 1);
            }
        }
        let dominance = Dominance::new(function);
        let mut checks: Vec<OperationRef> = Vec::new();
        for call in function.nested("typed.call") {
            let checked = checks.iter().any(|check| dominance.operation(*check, call));
            if !checked && comes_back(call, name, &reached) {
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
    match operation.full_name() {
        "typed.call" | "typed.try_call" => operation.symbol_attr("callee"),
        "parfor.launch" => operation.symbol_attr("body"),
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
    call: OperationRef<'c, 'a>,
) -> PassResult {
    let context = builder.context();
    let callee = call.required("callee", call.symbol_attr("callee"))?;
    let name = format!("{callee}.checked");
    if module.lookup_symbol(&name).is_none() {
        let function = call.required("callee", module.lookup_symbol(callee))?;
        let text = |text: &str| StringAttribute::new(context, text).into();
        let ty = function.required("function_type", function.attr("function_type"))?;
        let mut attributes = vec![
            ("sym_name", text(&name)),
            ("function_type", ty),
            ("sym_visibility", text("private")),
        ];
        let python_name = call
            .parent_named("func.func")
            .and_then(|caller| caller.attr("pyopt.function"));
        attributes.extend(python_name.map(|name| ("pyopt.function", name)));
        builder.after(function).at(call.location());
        let wrapper = builder.op_with("func.func", &[], &[], &attributes, |operation| {
            operation.add_regions([Region::new()])
        });
        let inputs: Vec<_> = call.operand_values().iter().map(|v| v.ty()).collect();
        let entry = builder.append_block(wrapper.region_at(0), &inputs);
        let inner = builder.typed_call(callee, &entry.argument_values(), &call.result_types()[1..]);
        builder.op("func.return", &inner.result_values(), &[], &[]);
        check(builder, inner);
    }
    call.set_attr("callee", FlatSymbolRefAttribute::new(context, &name));
    Ok(())
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
