//! `expand-elementary`: versions of exp, sin, pow and the like that vectorise.
//!
//! LLVM has no vector versions of libm's functions, so a loop that calls them stays scalar. In
//! loops the calls are replaced by calls of branch-free functions in our own IR (`elementary`),
//! which LLVM inlines and vectorises with the loop.

use super::elementary::{Callees, Target, define_remainder};
use crate::infra::{
    BlockExt, Builder, OperationExt, OperationInterfaces, OptionSpec, PassContext, PassResult,
    PassSpec, RegionExt, StatisticSpec, ValueExt,
    loop_annotations::{self, annotate_loop},
    ops::{AnyOp, arith, func, scf, typed},
};
use melior::ir::{OperationRef, Type, TypeLike, Value};
use pyopt_dialects::enums::FastMathFlags;
use std::collections::BTreeMap;

/// The `expand-elementary` pass.
pub static PASS: PassSpec = PassSpec {
    description: "In the innermost of `scf.for` loops, operations of `math` and calls of libm on f64 \
                  and f32 become calls of functions without branches, which are added to the \
                  module: each is exact to less than one unit in the last place. Sines, cosines and \
                  tangents of numbers beyond 2^30 are still libm's. Elsewhere, and in \
                  loops that can't be vectorised, the operations stay: \
                  one call of libm is less code than its expansion. With `device` all \
                  are expanded wherever they are, and what is called for large numbers is \
                  defined; exp, log and erf on f64 are shorter then, and erf is exact to less than 1.3 units. \
                  With `library` the device has the functions of C, so that only the others are.",
    options: &[
        OptionSpec::bool(
            "device",
            "there is no libm: expand all, and remainders of floats",
            false,
        ),
        OptionSpec::bool(
            "library",
            "the device has the functions of C: expand what is none of them",
            false,
        ),
    ],
    dialects: &["arith", "builtin", "func", "llvm", "math", "pyopt", "scf"],
    statistics: &[StatisticSpec::new("expanded", "operations expanded")],
    ..PassSpec::new(
        "expand-elementary",
        "expand elementary functions in loops so that they vectorise",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let target = match (cx.options().bool("device"), cx.options().bool("library")) {
        (false, _) => Target::Host,
        (true, false) => Target::Device,
        (true, true) => Target::DeviceWithLibrary,
    };
    let mut callees = Callees::of(module, target);
    let mut used = BTreeMap::new();
    for operation in module.pre_order() {
        let Some(function) = callees.computed(operation) else {
            continue;
        };
        let r#type = operation.operand_value(0).ty();
        let single = r#type.is_f32();
        if !(single || r#type.is_f64()) {
            continue;
        }
        let r#loop = match target {
            Target::Host => vector_loop(&callees, operation),
            Target::Device | Target::DeviceWithLibrary => None,
        };
        if r#loop.is_some() || target != Target::Host {
            let symbol = function.symbol(single);
            expand(&builder, &symbol, operation);
            if let Some(r#loop) = r#loop {
                annotate_loop(&builder, *r#loop, loop_annotations::PREDICATED);
            }
            callees.add(&symbol);
            used.insert(symbol, (function, single));
            cx.bump("expanded", 1);
        }
    }
    for (function, single) in used.into_values() {
        function.define(cx, &builder, module, single, target)?;
    }
    if target == Target::Device {
        expand_remainders(cx, &builder, module)?;
    }
    if target != Target::Host {
        // There is nothing that they could be linked to.
        callees.erase_unused(&builder, module);
    }
    Ok(())
}

/// Replaces remainders of floats, which devices compute with rounding, by calls of an exact one.
fn expand_remainders<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
) -> PassResult {
    for remainder in module.nested_ops::<arith::RemF>() {
        let symbol = define_remainder(cx, builder, module)?;
        expand(builder, symbol, *remainder);
        cx.bump("expanded", 1);
    }
    Ok(())
}

/// The nearest loop around an operation, if it may become one over vectors.
fn vector_loop<'c: 'a, 'a>(
    callees: &Callees<'c>,
    operation: OperationRef<'c, 'a>,
) -> Option<scf::For<'c, 'a>> {
    let mut around = operation.parent()?;
    while around.isa::<scf::If>() {
        around = around.parent()?;
    }
    scf::For::of(around).filter(|r#loop| !keeps_scalar(callees, *r#loop))
}

/// Whether something in a loop keeps it from being vectorised: another loop, a way out of it, or a
/// sum of floats whose order counts.
fn keeps_scalar<'c>(callees: &Callees<'c>, r#loop: scf::For<'c, '_>) -> bool {
    let inside = r#loop.pre_order();
    let stops = |operation: &OperationRef<'c, '_>| match AnyOp::of(*operation) {
        _ if operation.is_loop() => *operation != *r#loop,
        AnyOp::Func(func::Op::Call(call)) => {
            callees.computed(*call).is_none() && !callees.is_expanded(call)
        }
        AnyOp::Typed(typed::Op::RaiseIf(_) | typed::Op::Call(_)) => true,
        _ => false,
    };
    let end = (r#loop.region().entry())
        .and_then(BlockExt::terminator_op)
        .and_then(scf::Yield::of);
    let carried = end.into_iter().flat_map(scf::Yield::results);
    inside.iter().any(stops) || carried.into_iter().any(is_ordered_sum)
}

/// Whether a loop-carried float takes part in an operation that may not be reassociated.
fn is_ordered_sum(value: Value) -> bool {
    let is_float = value.ty().is_f64() || value.ty().is_f32();
    let regrouped = value.defining_op().is_some_and(|operation| {
        operation
            .attr(arith::AddF::FASTMATH_ATTR)
            .and_then(FastMathFlags::from_attribute)
            .is_some_and(|flags| flags.contains(FastMathFlags::REASSOC))
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
            false => arith::ExtF::create(builder, argument, double).out(),
        })
        .collect();
    let call = func::Call::create(builder, symbol, &arguments, &[double]);
    let value = call.part0()[0];
    let value = match result == double {
        true => value,
        false => arith::TruncF::create(builder, value, result).out(),
    };
    builder.replace_op(operation, &[value]);
}
