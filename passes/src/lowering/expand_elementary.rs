//! `expand-elementary`: exp, sin, pow and the like that vectorise.
//!
//! LLVM has no vectors of what libm computes, so a loop that calls libm is done element by element.
//! In loops those functions become calls of ones in our own IR, without branches, which LLVM inlines
//! and vectorises with the loop: those of `elementary`.

use super::{PREDICATED, elementary};
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, StatisticSpec, ValueExt,
};
use melior::ir::{
    Attribute, OperationRef, Type, TypeLike, Value, attribute::FlatSymbolRefAttribute,
};
use std::collections::BTreeMap;

/// The `expand-elementary` pass.
pub static PASS: PassSpec = PassSpec {
    description: "In the innermost of `scf.for` loops, operations of `math` and calls of libm on f64 \
                  and f32 become calls of functions without branches, which are added to the \
                  module: each is exact to less than one unit in the last place. Sines, cosines and \
                  tangents of numbers beyond 2^30 are still libm's. Elsewhere, and in \
                  loops that can't be vectorised, the operations stay: \
                  one call of libm is less code than its expansion.",
    dialects: &["arith", "builtin", "func", "llvm", "math", "scf"],
    statistics: &[StatisticSpec::new("expanded", "operations expanded")],
    ..PassSpec::new(
        "expand-elementary",
        "expand elementary functions in loops so that they vectorise",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let mut used = BTreeMap::new();
    let predicated = Attribute::parse(cx.context(), PREDICATED).expect("it is well-formed");
    for operation in module.pre_order() {
        let Some(function) = elementary::of(operation) else {
            continue;
        };
        let r#type = operation.operand_value(0).ty();
        let single = r#type.is_f32();
        if !(single || r#type.is_f64()) {
            continue;
        }
        if let Some(r#loop) = vector_loop(operation) {
            let symbol = function.symbol(single);
            expand(&builder, &symbol, operation);
            r#loop.set_attr("loop_annotation", predicated);
            used.insert(symbol, (function, single));
            cx.bump("expanded", 1);
        }
    }
    for (function, single) in used.into_values() {
        function.define(cx, &builder, module, single)?;
    }
    Ok(())
}

/// The nearest loop around an operation, if it may become one over vectors.
fn vector_loop<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut around = operation.parent()?;
    while around.is("scf.if") {
        around = around.parent()?;
    }
    (around.is("scf.for") && !keeps_scalar(around)).then_some(around)
}

/// Whether something in a loop keeps it from being vectorised: another loop, a way out of it, or a
/// sum of floats whose order counts.
fn keeps_scalar(r#loop: OperationRef) -> bool {
    let inside = r#loop.pre_order();
    let stops = |operation: &OperationRef| match operation.full_name() {
        "scf.for" => operation != &r#loop,
        "func.call" => elementary::of(*operation).is_none() && !is_elementary(*operation),
        "scf.while" | "typed.raise_if" | "typed.call" => true,
        _ => false,
    };
    let end = (r#loop.region_at(0).entry()).and_then(BlockExt::terminator_op);
    let carried = end.into_iter().flat_map(OperationExt::operand_values);
    inside.iter().any(stops) || carried.into_iter().any(is_ordered_sum)
}

/// Whether an operation is a call that this pass made.
fn is_elementary(call: OperationRef) -> bool {
    call.symbol_attr("callee")
        .is_some_and(|callee| callee.starts_with(elementary::PREFIX))
}

/// Whether a carried value is a float that takes part in an operation that can't be regrouped.
fn is_ordered_sum(value: Value) -> bool {
    let is_float = value.ty().is_f64() || value.ty().is_f32();
    let regrouped = value.defining_op().is_some_and(|operation| {
        operation
            .attr("fastmath")
            .is_some_and(|flags| flags.to_string().contains("reassoc"))
    });
    is_float && !regrouped
}

/// Calls a function of doubles instead.
fn expand<'c: 'a, 'a>(builder: &Builder<'c, 'a>, symbol: &str, operation: OperationRef<'c, 'a>) {
    builder.before(operation);
    let double = Type::float64(builder.context());
    let result = operation.result_value(0).ty();
    let arguments: Vec<_> = operation
        .operand_values()
        .into_iter()
        .map(|argument| match result == double {
            true => argument,
            false => builder.value("arith.extf", &[argument], double, &[]),
        })
        .collect();
    let callee = FlatSymbolRefAttribute::new(builder.context(), symbol).into();
    let value = builder.value("func.call", &arguments, double, &[("callee", callee)]);
    let value = match result == double {
        true => value,
        false => builder.value("arith.truncf", &[value], result, &[]),
    };
    builder.replace_op(operation, &[value]);
}
