//! Lowers Python's and NumPy's types: typed operations become upstream's on signless types.

use super::abi::object::is_host_function;
use super::{
    emit::Emit,
    externals::Externals,
    operations::{OPERATIONS, REDUCTION_TYPES, Site},
    types,
};
use crate::infra::{
    Builder, Conversion, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt,
};
use melior::ir::{
    OperationRef,
    attribute::{FlatSymbolRefAttribute, StringAttribute},
};
use std::collections::BTreeSet;

/// Typed operations to arith, math, memref and llvm.
pub static PASS: PassSpec = PassSpec {
    description: "Converts types (an array becomes a memref and the pointer to its owner, a tuple \
                  its elements' values) and writes every typed operation in upstream's dialects, \
                  without undefined behaviour: shifts, divisions and conversions are guarded. \
                  What may raise stays: `typed.raise_if`, `typed.stack_exhausted`, `typed.call`, \
                  what makes and catches exceptions, `typed.variable` and `parfor.launch`, with converted types, \
                  for `typed-to-abi`. A function keeps \
                  its typed signature as the attribute `pyopt.signature`.",
    dialects: &[
        "arith", "builtin", "cf", "complex", "func", "llvm", "math", "memref", "scf", "ub",
    ],
    ..PassSpec::new(
        "typed-to-memref",
        "convert typed values and operations to upstream's",
        run,
    )
};

/// On a function: its type before the conversion.
pub(crate) const SIGNATURE: &str = "pyopt.signature";

/// The prefix of Python functions' symbols from here on, so that they don't collide with those of
/// libm or the runtime.
pub(super) const FUNCTION_PREFIX: &str = "py.";

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let types = types::converter(cx.context());
    let externals = Externals::default();

    rename_functions(cx, module);

    let mut conversion = Conversion::new(cx.context(), module, &types);
    conversion
        .convert_func()
        .convert_scf()
        .convert_cf()
        .illegal_dialects(&["typed"])
        .illegal_ops(&["parfor.chunks"])
        .ops_legal_if_types_are(&[
            "typed.raise_if",
            "typed.stack_exhausted",
            "typed.call",
            "typed.try_call",
            "typed.exception",
            "typed.catch",
            "typed.exc_match",
            "typed.raise_value_if",
            "typed.variable",
            "arith.select",
            "ub.poison",
        ])
        // The typed types of reductions must be recorded even where no type changes.
        .op_legal_if("parfor.launch", |launch: OperationRef| {
            launch.attr(REDUCTION_TYPES).is_some() && types.is_legal(launch)
        })
        .legal_ops(&["builtin.module", "builtin.unrealized_conversion_cast"])
        .others_legal_if_types_are();
    for (name, lower) in OPERATIONS {
        let externals = &externals;
        conversion.pattern(name, move |op, operands, rewriter| {
            let site = Site {
                op,
                operands,
                emit: Emit::new(rewriter, externals),
            };
            let values = lower(&site)?;
            rewriter.replace(op, &values);
            Ok(())
        });
    }
    conversion.apply_partial()?;

    externals.declare(&Builder::new(cx.context(), module), module);
    Ok(())
}

/// Records the signatures of functions that the host calls or runs, and renames all functions with
/// a body.
fn rename_functions<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) {
    let mut defined = BTreeSet::new();
    for function in module.nested("func.func") {
        if let Some(signature) = function.attr("function_type")
            && (function.flag_attr("pyopt.entry") || is_host_function(function))
        {
            function.set_attr(SIGNATURE, signature);
        }
        if let Some(name) = function.symbol_name()
            && !function.region_at(0).is_empty()
        {
            defined.insert(name);
            let name = format!("{FUNCTION_PREFIX}{name}");
            function.set_attr("sym_name", StringAttribute::new(cx.context(), &name));
        }
    }
    for operation in module.pre_order() {
        let attributes: &[&str] = match operation.full_name() {
            "typed.call" | "typed.try_call" | "func.call" => &["callee"],
            "parfor.launch" => &["body"],
            "parfor.combiner" => &["identity", "combine"],
            _ => continue,
        };
        for attribute in attributes {
            if let Some(name) = operation.symbol_attr(attribute)
                && defined.contains(name)
            {
                let name = format!("{FUNCTION_PREFIX}{name}");
                operation.set_attr(attribute, FlatSymbolRefAttribute::new(cx.context(), &name));
            }
        }
    }
}
