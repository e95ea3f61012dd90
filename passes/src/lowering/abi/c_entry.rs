//! The functions that C code calls.

use super::{
    entry::{expose, leave_if_failed},
    raising::{inputs, results},
};
use crate::{
    infra::{
        OperationAttributes, OperationExt, PassContext, PassResult,
        ops::{func, marks},
    },
    lowering::{c_abi, emit::Emit},
    types::addresses,
};
use melior::ir::{OperationRef, Type, operation::OperationLike, r#type::FunctionType};
use pyopt_dialects::typed::TypedType;

/// What the names of C entry points begin with; the name of the Python function follows.
const C_ENTRY_PREFIX: &str = "pyopt_c_entry.";

/// What an error record has room for: the runtime's `PyoptError`, in words.
const ERROR_WORDS: i64 = 37;

/// Defines a function of C's calling convention that calls `function`, which has the mark.
///
/// An exception has nobody to go to in C: the host is told of it, with the address of this function to
/// know it by, and the result is zero.
pub(in crate::lowering) fn define<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    e: &Emit<'_, 'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: func::Func<'c, 'a>,
    raises: bool,
) -> PassResult {
    let signature = function.required(marks::SIGNATURE, function.type_attr(marks::SIGNATURE))?;
    let typed = FunctionType::try_from(signature)?;
    let callee = function.sym_name();
    let inner_results = results(FunctionType::try_from(function.function_type())?);
    let c_type = |ty: Type<'c>| {
        let passed = addresses::is_passed_to_c(ty).then(|| c_abi::c_type(e, ty));
        passed.flatten().ok_or_else(|| {
            let message = format!("a C function doesn't take or return a value of type {ty}");
            cx.error(function.location(), message)
        })
    };
    let returned = results(typed).into_iter().next();
    let returned = returned.filter(|ty| TypedType::from(*ty) != TypedType::None);
    let types: Vec<_> = inputs(typed)
        .into_iter()
        .map(c_type)
        .collect::<Result<_, _>>()?;
    let result = returned.map(c_type).transpose()?;

    e.at(function.location());
    let results: Vec<_> = result.into_iter().collect();
    let r#type = FunctionType::new(e.context(), &types, &results);
    let name = function.str_attr(marks::FUNCTION).unwrap_or(callee);
    let name = format!("{C_ENTRY_PREFIX}{name}");
    let (entry, arguments) = e.define(module, &name, r#type);
    expose(entry);
    function.remove_attr(marks::C_ENTRY);

    let mut operands: Vec<_> = (arguments.iter().zip(inputs(typed)))
        .map(|(argument, ty)| c_abi::from_c(e, *argument, ty))
        .collect();
    let own = e.function_address(&name, r#type);
    let error = raises.then(|| {
        let error = e.alloca(e.i64(ERROR_WORDS), e.i(64), 8);
        // Only Python code has to be found.
        let host = match module.attr(marks::OBJECTS) {
            Some(_) => own,
            None => e.zero(e.ptr()),
        };
        e.call("pyopt_c_begin", &[host, error], &[]);
        error
    });
    operands.extend(error);
    let values = e
        .call_symbol(callee, &operands, &inner_results)
        .result_values();
    let mut values = &values[..];
    if let Some(error) = error {
        let status = values[0];
        values = &values[1..];
        leave_if_failed(e, entry, status, || {
            e.call("pyopt_c_failed", &[own, error, status], &[]);
            let zero: Vec<_> = result.map(|ty| e.zero(ty)).into_iter().collect();
            func::Return::create(e, &zero);
        });
    }
    let returned: Vec<_> = returned
        .map(|ty| c_abi::to_c(e, values[0], ty))
        .into_iter()
        .collect();
    func::Return::create(e, &returned);
    Ok(())
}
