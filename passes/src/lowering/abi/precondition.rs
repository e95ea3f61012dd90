//! What `typed-to-abi` takes: functions with branches, whose values have machine types.

use super::raising::{self, inputs, results};
use crate::{
    infra::{
        OperationAttributes, OperationExt, PassContext, PassFailure, PassResult, TypeConverter,
        ops::{AnyOp, func, marks, parfor, typed},
    },
    lowering::types,
};
use melior::ir::{OperationRef, Type, operation::OperationLike, r#type::FunctionType};

/// Refuses a module that the pass can't convert, at the operation that is in the way.
pub(in crate::lowering) fn require<'c>(
    cx: &PassContext<'c>,
    module: OperationRef<'c, '_>,
) -> PassResult {
    if module.attr(marks::SITES).is_some() {
        return Err(cx.error(
            module.location(),
            "the module has the calling convention of compiled code already",
        ));
    }
    let types = types::converter(cx.context());
    for function in raising::functions(module) {
        check_signature(cx, function)?;
        for operation in function.pre_order() {
            check(cx, &types, function, operation)?;
        }
    }
    Ok(())
}

/// Refuses a function that takes or returns other values than those its signature is lowered to.
fn check_signature<'c>(cx: &PassContext<'c>, function: func::Func<'c, '_>) -> PassResult {
    let Some(signature) = function.type_attr(marks::SIGNATURE) else {
        return Ok(());
    };
    let typed = FunctionType::try_from(signature)?;
    let own = FunctionType::try_from(function.function_type())?;
    let lowered = |types: Vec<Type<'c>>| -> Option<Vec<Type<'c>>> {
        let types = types.into_iter();
        let lowered: Option<Vec<_>> = types.map(|ty| types::convert(cx.context(), ty)).collect();
        Some(lowered?.concat())
    };
    // What can't be lowered is refused where it is read or written.
    let differs = |typed, own| lowered(typed).is_some_and(|lowered| lowered != own);
    if differs(inputs(typed), inputs(own)) || differs(results(typed), results(own)) {
        let message = format!(
            "the function is {own}, which isn't what its 'pyopt.signature' {typed} becomes"
        );
        return Err(cx.error(function.location(), message));
    }
    Ok(())
}

fn check<'c>(
    cx: &PassContext<'c>,
    types: &TypeConverter<'c>,
    function: func::Func<'c, '_>,
    operation: OperationRef<'c, '_>,
) -> PassResult {
    let refuse = |message: &str| -> PassResult {
        let name = operation.full_name();
        let error: PassFailure = cx.error(operation.location(), format!("'{name}' {message}"));
        Err(error)
    };
    let in_function = match AnyOp::of(operation) {
        AnyOp::Typed(
            typed::Op::RaiseIf(_)
            | typed::Op::RaiseValueIf(_)
            | typed::Op::Exception(_)
            | typed::Op::Catch(_)
            | typed::Op::TryCall(_)
            | typed::Op::StackExhausted(_)
            | typed::Op::Call(_),
        )
        | AnyOp::Func(func::Op::Return(_))
        | AnyOp::Parfor(
            parfor::Op::Launch(_)
            | parfor::Op::Offload(_)
            | parfor::Op::Fence(_)
            | parfor::Op::EnterDevice(_)
            | parfor::Op::LeaveDevice(_),
        ) => true,
        AnyOp::Typed(typed::Op::ExcMatch(_) | typed::Op::Variable(_)) => false,
        AnyOp::Typed(_) | AnyOp::Parfor(_) => {
            return refuse("isn't lowered yet; run 'typed-to-memref' before");
        }
        _ => false,
    };
    if !types.is_legal(operation) {
        return refuse("has values of Python's types; run 'typed-to-memref' before");
    }
    if in_function && operation.parent_operation().as_deref() != Some(&**function) {
        return refuse("is inside of a region; run 'lower-structured-control-flow' before");
    }
    Ok(())
}
