//! Lowers Python's and NumPy's types: typed operations become upstream's on signless types.

use super::abi::object::is_host_function;
use super::{
    alive,
    emit::Emit,
    externals::Externals,
    operations::{OPERATIONS, Site},
    types,
};
use crate::infra::{
    Builder, Conversion, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, TypeConverter,
    ops::{AnyOp, arith, builtin, func, marks, parfor, typed, ub},
};
use melior::{
    Context,
    ir::{
        OperationRef,
        attribute::{StringAttribute, TypeAttribute},
        operation::OperationLike,
    },
};
use std::collections::BTreeSet;

/// Typed operations to arith, math, memref and llvm.
pub static PASS: PassSpec = PassSpec {
    description: "Converts types (an array becomes a memref and the pointer to its owner, a tuple \
                  its elements' values) and writes every typed operation in upstream's dialects, \
                  without undefined behaviour: shifts, divisions and conversions are guarded. \
                  What may raise stays: `typed.raise_if`, `typed.stack_exhausted`, `typed.call`, \
                  what makes and catches exceptions, `typed.variable`, `parfor.launch`, `parfor.offload` and \
                  `parfor.fence`, with converted types, \
                  for `typed-to-abi`. A function keeps \
                  its typed signature as the attribute `pyopt.signature`.",
    dialects: &[
        "arith", "builtin", "cf", "complex", "func", "llvm", "math", "memref", "pyopt", "scf", "ub",
    ],
    ..PassSpec::new(
        "typed-to-memref",
        "convert typed values and operations to upstream's",
        run,
    )
};

/// The prefix of Python functions' symbols from here on, so that they don't collide with those of
/// libm or the runtime.
pub(super) const FUNCTION_PREFIX: &str = "py.";

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let types = types::converter(cx.context());
    let externals = Externals::default();

    rename_functions(cx.context(), module, &types);
    alive::mark(module);

    let mut conversion = Conversion::new(cx.context(), module, &types);
    conversion
        .convert_func()
        .convert_scf()
        .convert_cf()
        .illegal_dialects(&["typed"])
        .illegal_ops(&[parfor::Chunks::NAME, parfor::OnDevice::NAME])
        .ops_legal_if_types_are(&[
            typed::RaiseIf::NAME,
            typed::StackExhausted::NAME,
            typed::Call::NAME,
            typed::TryCall::NAME,
            typed::Exception::NAME,
            typed::Catch::NAME,
            typed::ExcMatch::NAME,
            typed::RaiseValueIf::NAME,
            typed::Variable::NAME,
            parfor::Offload::NAME,
            parfor::Fence::NAME,
            parfor::EnterDevice::NAME,
            parfor::LeaveDevice::NAME,
            parfor::TrapIf::NAME,
            arith::Select::NAME,
            ub::Poison::NAME,
        ])
        // What says how to combine must be noted even where no type changes.
        .op_legal_if(parfor::Launch::NAME, |launch: OperationRef| {
            launch.attr(marks::TYPES).is_some() && types.is_legal(launch)
        })
        .op_legal_if(
            builtin::UnrealizedConversionCast::NAME,
            |cast: OperationRef<'c, '_>| {
                types.is_legal(cast) || !types::cancels_out(cx.context(), cast)
            },
        )
        .legal_ops(&[builtin::Module::NAME])
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

/// Whether a function is of Python's: it is marked so, or has something for this pass to convert. Functions that others have written in upstream's dialects keep their names.
fn is_python<'c: 'a, 'a>(function: func::Func<'c, 'a>, types: &TypeConverter<'c>) -> bool {
    let mut attributes = OperationLike::attributes(&*function);
    let marked = attributes.any(|(name, _)| {
        let name = name.as_string_ref();
        name.as_str().is_ok_and(|name| name.starts_with("pyopt."))
    });
    let mut operations = function.pre_order().into_iter();
    marked
        || operations.any(|operation| match AnyOp::of(operation) {
            AnyOp::Typed(_) | AnyOp::Parfor(_) => true,
            _ => !types.is_legal(operation),
        })
}

/// Notes the signatures of what the host calls or runs, and renames functions of Python's that have a body.
fn rename_functions<'c>(
    context: &'c Context,
    module: OperationRef<'c, '_>,
    types: &TypeConverter<'c>,
) {
    let mut defined = BTreeSet::new();
    for function in module.nested_ops::<func::Func>() {
        if function.flag_attr(marks::ENTRY) || is_host_function(function) {
            function.set_attr(
                marks::SIGNATURE,
                TypeAttribute::new(function.function_type()),
            );
        }
        let is_kernel = function.flag_attr(marks::DEVICE);
        if !function.body().is_empty() && !is_kernel && is_python(function, types) {
            let name = function.sym_name();
            defined.insert(name);
            if function.flag_attr(marks::ENTRY) {
                let known_as = StringAttribute::new(context, name);
                function.set_attr(marks::ENTRY, known_as);
            }
            function.set_sym_name(&format!("{FUNCTION_PREFIX}{name}"));
        }
    }
    let rename = |name: &str, set: &dyn Fn(&str)| {
        if defined.contains(name) {
            set(&format!("{FUNCTION_PREFIX}{name}"));
        }
    };
    for operation in module.pre_order() {
        match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::Call(call)) => {
                rename(call.callee(), &|name| call.set_callee(name));
            }
            AnyOp::Typed(typed::Op::TryCall(call)) => {
                rename(call.callee(), &|name| call.set_callee(name));
            }
            AnyOp::Func(func::Op::Call(call)) => {
                rename(call.callee(), &|name| call.set_callee(name));
            }
            AnyOp::Func(func::Op::Constant(constant)) => {
                rename(constant.value(), &|name| constant.set_value(name));
            }
            AnyOp::Parfor(parfor::Op::Launch(launch)) => {
                rename(launch.body(), &|name| launch.set_body(name));
            }
            AnyOp::Parfor(parfor::Op::Combiner(combiner)) => {
                rename(combiner.identity(), &|name| combiner.set_identity(name));
                rename(combiner.combine(), &|name| combiner.set_combine(name));
            }
            _ => {}
        }
    }
}
