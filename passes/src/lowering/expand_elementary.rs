//! `expand-elementary`: versions of exp, sin, pow and the like that vectorise.
//!
//! LLVM has no vector versions of libm's functions, so a loop that calls them stays scalar. In
//! loops the calls are replaced by calls of branch-free functions in our own IR (`elementary`),
//! which LLVM inlines and vectorises with the loop.

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

/// The innermost loop around an operation, if it is a candidate for vectorisation.
fn vector_loop<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut around = operation.parent()?;
    while around.is("scf.if") {
        around = around.parent()?;
    }
    (around.is("scf.for") && !keeps_scalar(around)).then_some(around)
}

/// Whether something in a loop prevents its vectorisation: another loop, an early exit, or a
/// reduction of floats that may not be reassociated.
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

/// Whether a loop-carried float takes part in an operation that may not be reassociated.
fn is_ordered_sum(value: Value) -> bool {
    let is_float = value.ty().is_f64() || value.ty().is_f32();
    let regrouped = value.defining_op().is_some_and(|operation| {
        operation
            .attr("fastmath")
            .is_some_and(|flags| flags.to_string().contains("reassoc"))
    });
    is_float && !regrouped
}

/// Calls the double-precision function instead.
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
