//! `expand-elementary`: exp and log that vectorise.
//!
//! LLVM has no vectors of what libm computes, so a loop that calls libm is done element by element.
//! In loops those functions become calls of ones in our own IR, without branches, which LLVM inlines
//! and vectorises with the loop. They lie beside this file, with the method and its error.

use crate::infra::{
    Builder, OperationExt, PassContext, PassFailure, PassResult, PassSpec, RegionExt,
    StatisticSpec, ValueExt, parse_operation,
};
use melior::ir::{OperationRef, Type, TypeLike, attribute::FlatSymbolRefAttribute};
use std::collections::BTreeSet;

/// The `expand-elementary` pass.
pub static PASS: PassSpec = PassSpec {
    description: "In the innermost of `scf.for` loops, `math.exp` and `math.log` of f64 and f32 \
                  become calls of functions without branches, which are added to the module: each \
                  is exact to less than one unit in the last place. Elsewhere the operations stay: \
                  one call of libm is less code than its expansion.",
    dialects: &["arith", "builtin", "func", "math", "scf"],
    statistics: &[StatisticSpec::new("expanded", "operations expanded")],
    ..PassSpec::new(
        "expand-elementary",
        "expand elementary functions in loops so that they vectorise",
        run,
    )
};

/// The attribute of the functions that the pass adds.
pub(crate) const ELEMENTARY: &str = "pyopt.elementary";

/// A function of ours.
struct Elementary {
    /// What it replaces.
    operation: &'static str,
    /// Its symbol.
    symbol: &'static str,
    /// Its definition.
    source: &'static str,
}

static FUNCTIONS: &[Elementary] = &[
    Elementary {
        operation: "math.exp",
        symbol: "pyopt.exp",
        source: include_str!("elementary/exp.mlir"),
    },
    Elementary {
        operation: "math.log",
        symbol: "pyopt.log",
        source: include_str!("elementary/log.mlir"),
    },
];

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let mut used = BTreeSet::new();
    for (index, function) in FUNCTIONS.iter().enumerate() {
        for operation in module.nested(function.operation) {
            if is_float(operation) && in_innermost_loop(operation) {
                expand(&builder, function, operation);
                used.insert(index);
                cx.bump("expanded", 1);
            }
        }
    }
    for index in used {
        define(cx, &builder, module, &FUNCTIONS[index])?;
    }
    Ok(())
}

fn is_float(operation: OperationRef) -> bool {
    let r#type = operation.result_value(0).ty();
    r#type.is_f64() || r#type.is_f32()
}

/// Whether the nearest loop around an operation may become one over vectors.
fn in_innermost_loop(operation: OperationRef) -> bool {
    let mut around = operation.parent();
    while let Some(parent) = around {
        match parent.full_name() {
            "scf.for" => {
                return !parent.pre_order().into_iter().any(|inner| {
                    inner != parent && matches!(inner.full_name(), "scf.for" | "scf.while")
                });
            }
            "scf.if" => around = parent.parent(),
            _ => return false,
        }
    }
    false
}

fn expand<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: &Elementary,
    operation: OperationRef<'c, 'a>,
) {
    builder.before(operation);
    let double = Type::float64(builder.context());
    let argument = operation.operand_value(0);
    let narrow = argument.ty();
    let wide = match narrow == double {
        true => argument,
        false => builder.value("arith.extf", &[argument], double, &[]),
    };
    let callee = FlatSymbolRefAttribute::new(builder.context(), function.symbol).into();
    let value = builder.value("func.call", &[wide], double, &[("callee", callee)]);
    let value = match narrow == double {
        true => value,
        false => builder.value("arith.truncf", &[value], narrow, &[]),
    };
    builder.replace_op(operation, &[value]);
}

/// Adds a function to the module.
fn define<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: &Elementary,
) -> PassResult {
    if module.lookup_symbol(function.symbol).is_some() {
        return Ok(());
    }
    let name = format!("{}.mlir", function.symbol);
    let definition = parse_operation(cx.context(), function.source, &name)
        .ok_or_else(|| PassFailure::Message(format!("{name} does not parse")))?;
    let body = module.region_at(0).entry().expect("a module has a block");
    builder.at_end(body).insert(definition);
    Ok(())
}
