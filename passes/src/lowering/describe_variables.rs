//! Says in LLVM's debug information which variable is where.

use super::subprogram::Subprogram;
use crate::{
    infra::{
        AttributeExt, Builder, OperationAttributes, OperationExt, PassContext, PassFailure,
        PassResult, PassSpec,
        ops::{llvm, marks},
    },
    types::debug_layout::Shape,
};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, OperationRef, attribute::StringAttribute,
        operation::OperationLike,
    },
};
use mlir_sys::mlirLLVMDILocalVariableAttrGet;
use pyopt_frontend::location::SourcePosition;
use std::collections::HashMap;

/// Places of variables to `llvm.intr.dbg.declare`.
pub static PASS: PassSpec = PassSpec {
    description: "Runs where functions are described, so behind \
                  `ensure-debug-info-scope-on-llvm-func`: each place that `store-variables` made \
                  gets an `llvm.intr.dbg.declare` with the variable's name, line and type. Complex \
                  numbers are structs of `real` and `imag`, arrays of `data`, `shape` and \
                  `strides` in bytes, tuples of `f0`, `f1` and so on. A variable that has several \
                  types is one variable for each, `x` and `x$1`.",
    dialects: &["llvm"],
    ..PassSpec::new("describe-variables", "describe variables to debuggers", run)
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    for function in module.nested_ops::<llvm::LLVMFunc>() {
        let Some(scope) = Subprogram::of(*function) else {
            continue;
        };
        let mut counts = HashMap::new();
        for place in function.nested_ops::<llvm::Alloca>() {
            let Some(name) = place.str_attr(marks::VARIABLE) else {
                continue;
            };
            let count = counts.entry(name).and_modify(|count| *count += 1);
            let shown = match *count.or_insert(0) {
                0 => name.to_owned(),
                number => format!("{name}${number}"),
            };
            let variable = variable(cx.context(), scope, *place, &shown)?;
            builder.after(*place);
            llvm::DbgDeclare::create(&builder, place.res(), variable);
            for attribute in [marks::VARIABLE, marks::VARIABLE_TYPE, marks::ARGUMENT] {
                place.remove_attr(attribute);
            }
        }
    }
    Ok(())
}

fn variable<'c>(
    context: &'c Context,
    scope: Subprogram<'c>,
    place: OperationRef<'c, '_>,
    name: &str,
) -> PassResult<Attribute<'c>> {
    let r#type = place.required(marks::VARIABLE_TYPE, place.type_attr(marks::VARIABLE_TYPE))?;
    let shape = Shape::of(r#type);
    let shape = shape.ok_or_else(|| {
        PassFailure::Message(format!("debuggers are told nothing of type {type}"))
    })?;
    let description = Attribute::parse(context, &shape.description());
    let description = description
        .ok_or_else(|| PassFailure::Message(format!("malformed description of type {type}")))?;
    let name: Attribute = StringAttribute::new(context, name).into();
    let position = SourcePosition::of(place.location());
    let line = position.map_or(0, |position| position.line as u32);
    let argument = place
        .attr(marks::ARGUMENT)
        .and_then(AttributeExt::integer_value);
    // SAFETY: all are valid attributes of the context.
    Ok(unsafe {
        Attribute::from_raw(mlirLLVMDILocalVariableAttrGet(
            context.to_raw(),
            scope.attribute().to_raw(),
            name.to_raw(),
            scope.file().to_raw(),
            line,
            argument.unwrap_or(0) as u32,
            0,
            description.to_raw(),
            0,
        ))
    })
}
