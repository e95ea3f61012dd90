//! Outlining: moves consecutive operations to a function of their own.

use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassResult, RegionExt, ValueExt,
    ops::{func, marks, typed},
    types_of,
};
use melior::ir::{OperationRef, Value, operation::OperationLike, r#type::FunctionType};

/// Moves consecutive operations of a block to a private function and returns the call that replaces
/// them. The function's name begins with that of the function they come from.
pub(crate) fn outline<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: func::Func<'c, 'a>,
    name: &str,
    operations: &[OperationRef<'c, 'a>],
) -> PassResult<typed::Call<'c, 'a>> {
    let (first, last) = (operations[0], operations[operations.len() - 1]);
    let is_inside = |operation: OperationRef<'c, 'a>| {
        operations.iter().any(|outer| operation.is_within(*outer))
    };
    let inputs = inputs(operations, &|value| {
        let definition = match value.defining_op() {
            Some(definition) => Some(definition),
            None => value.defining_block().parent(),
        };
        definition.is_some_and(is_inside)
    });
    let outputs: Vec<_> = operations
        .iter()
        .flat_map(|operation| operation.result_values())
        .filter(|value| value.users().into_iter().any(|user| !is_inside(user)))
        .collect();
    builder.at(first.location());
    let made = private_function(builder, module, function, name, &inputs, &outputs)?;
    let call = call(builder.after(last), made, &inputs, &outputs);
    for (output, result) in outputs.iter().zip(call.results()) {
        output.replace_uses_if(result, |r#use| !is_inside(r#use.user));
    }

    let entry = made.required("entry", made.body().entry())?;
    for (input, argument) in inputs.iter().zip(entry.argument_values()) {
        input.replace_uses_if(argument, |r#use| is_inside(r#use.user));
    }
    for operation in operations {
        operation.place_at_end(entry);
    }
    copy_constants(builder, made);
    builder.at_end(entry).at(last.location());
    func::Return::create(builder, &outputs);
    Ok(call)
}

/// Makes a private function with an empty entry block, whose parameters have the types of `inputs`
/// and whose results those of `outputs`, values of another function. Its name begins with that of
/// the other function.
pub(crate) fn private_function<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: func::Func<'c, 'a>,
    name: &str,
    inputs: &[Value<'c, 'a>],
    outputs: &[Value<'c, 'a>],
) -> PassResult<func::Func<'c, 'a>> {
    let symbol = format!("{}.{name}", function.sym_name());
    let ty = FunctionType::new(builder.context(), &types_of(inputs), &types_of(outputs));
    let body = module.required("body", module.region_at(0).entry())?;
    let location = builder.location();
    builder.at_end(body).at(location);
    let made = func::Func::create(builder, &symbol, ty.into());
    made.set_sym_visibility(Some("private"));
    if let Some(python_name) = function.attr(marks::FUNCTION) {
        made.set_attr(marks::FUNCTION, python_name);
    }
    builder.append_block(made.body(), &types_of(inputs));
    Ok(made)
}

/// Makes the call of a function.
pub(crate) fn call<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: func::Func<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    outputs: &[Value<'c, 'a>],
) -> typed::Call<'c, 'a> {
    typed::Call::create(
        builder,
        function.sym_name(),
        inputs,
        &[],
        &types_of(outputs),
    )
}

/// The values that operations use and don't define (their live-ins), constants aside.
pub(crate) fn inputs<'c: 'a, 'a>(
    operations: &[OperationRef<'c, 'a>],
    is_inside: &dyn Fn(Value<'c, 'a>) -> bool,
) -> Vec<Value<'c, 'a>> {
    let mut inputs = Vec::new();
    for operation in operations.iter().flat_map(|outer| outer.pre_order()) {
        for value in operation.operand_values() {
            if !is_inside(value) && constant(value).is_none() && !inputs.contains(&value) {
                inputs.push(value);
            }
        }
    }
    inputs
}

/// The defining operation of a value, if it has no operands and no effects.
fn constant<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let operation = value.defining_op()?;
    (operation.operand_values().is_empty() && operation.is_pure()).then_some(operation)
}

/// Clones into a function the constants of other functions that it uses.
pub(crate) fn copy_constants<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: func::Func<'c, 'a>) {
    let Some(first) = function.body().entry().and_then(BlockExt::first) else {
        return;
    };
    for operation in function.pre_order() {
        for (index, value) in operation.operand_values().into_iter().enumerate() {
            if let Some(constant) = constant(value)
                && !constant.is_within(*function)
            {
                let copy = builder.before(first).clone_op(constant, &[]);
                operation.set_operand_value(index, copy.result_value(value.position()));
            }
        }
    }
}
