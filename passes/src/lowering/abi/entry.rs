//! The functions the host calls.

use super::raising::{inputs, results};
use crate::{
    infra::{
        CmpInt, OperationAttributes, OperationExt, PassContext, PassResult,
        ops::{func, llvm, marks},
    },
    lowering::{emit::Emit, slots::Slots},
};
use melior::ir::{
    Attribute, OperationRef, Value,
    attribute::{StringAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::FunctionType,
};
use pyopt_dialects::upstream;

/// What the names of entry points begin with; the name of the function follows.
const ENTRY_PREFIX: &str = "pyopt_entry_";

/// A function with more results is inlined however large it is: LLVM would return them in a record
/// on the stack and take them out one by one, in blocks whose length code generation takes the
/// square of.
const MOST_RETURNED: usize = 16;

/// Defines `int32_t pyopt_entry_f(int64_t *ret, PyoptError *err, const int64_t *args)` for a
/// function: takes the arguments from their slots, calls, and puts the results into theirs.
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
    let refuse = |r#type| {
        cx.error(
            function.location(),
            format!("a value of type {type} can't cross the border of compiled code"),
        )
    };

    e.at(function.location());
    let r#type = FunctionType::new(e.context(), &[e.ptr(); 3], &[e.i(32)]);
    let name = function.str_attr(marks::ENTRY).unwrap_or(callee);
    let (entry, arguments) = e.define(module, &format!("{ENTRY_PREFIX}{name}"), r#type);
    expose(entry);
    entry.set_attr(marks::SIGNATURE, TypeAttribute::new(signature));
    if let Some(python) = function.str_attr(marks::FUNCTION) {
        entry.set_attr(marks::FUNCTION, StringAttribute::new(e.context(), python));
    }
    function.remove_attr(marks::SIGNATURE);
    function.remove_attr(marks::ENTRY);
    entry.set_attr(marks::ENTRY, StringAttribute::new(e.context(), name));

    let mut slots = Slots::new(e, arguments[2]);
    let mut operands = Vec::new();
    for r#type in inputs(typed) {
        operands.extend(slots.read(r#type).ok_or_else(|| refuse(r#type))?);
    }
    if raises {
        operands.push(arguments[1]);
    }
    let call = e.call_symbol(callee, &operands, &inner_results);
    if inner_results.len() > MOST_RETURNED {
        call.set_attr(llvm::Call::ALWAYS_INLINE_ATTR, Attribute::unit(e.context()));
    }
    let values = call.result_values();

    let mut values = &values[..];
    if raises {
        let status = values[0];
        values = &values[1..];
        leave_if_failed(e, entry, status, || {
            func::Return::create(e, &[status]);
        });
    }
    let mut slots = Slots::new(e, arguments[0]);
    for r#type in results(typed) {
        let count =
            crate::lowering::types::convert(e.context(), r#type).map_or(0, |types| types.len());
        let (own, rest) = values.split_at(count);
        slots.write(r#type, own).ok_or_else(|| refuse(r#type))?;
        values = rest;
    }
    let zero = e.int(e.i(32), 0);
    func::Return::create(e, &[zero]);
    Ok(())
}

/// Has the host find a function that was defined for this module alone.
pub(super) fn expose(entry: func::Func) {
    entry.set_sym_visibility(None);
    entry.remove_attr(upstream::LINKAGE);
}

/// Leaves an entry point by `leave`, which returns, where the status of the call says that it raised.
pub(super) fn leave_if_failed<'c: 'a, 'a>(
    e: &Emit<'_, 'c, 'a>,
    entry: func::Func<'c, 'a>,
    status: Value<'c, 'a>,
    leave: impl FnOnce(),
) {
    let from = e.block();
    let failed = e.append_block(entry.body(), &[]);
    leave();
    let succeeded = e.append_block(entry.body(), &[]);
    e.at_end(from);
    let condition = e.cmpi(CmpInt::Ne, status, e.int(e.i(32), 0));
    e.branch_if(condition, true, (failed, &[]), (succeeded, &[]));
    e.at_end(succeeded);
}
