//! What makes, catches and raises exceptions: stays, with converted types, until `typed-to-abi`.

use super::{
    Lowered, Site,
    control::{by_result, released, result_types},
};
use crate::infra::{
    OperationExt, ValueExt,
    ops::{marks, typed},
};
use melior::ir::attribute::{ArrayAttribute, TypeAttribute};

/// Lowers `typed.try_call`.
pub(super) fn try_call<'c, 'a>(
    op: typed::TryCall<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let inputs = site.operands[op.inputs_range()].concat();
    let types = result_types(site, &op.results());
    let call = typed::TryCall::create(e, op.callee(), &inputs, op.status().ty(), &types);
    Ok(by_result(site, call.result_values()))
}

/// Lowers `typed.exception`. The typed types of the arguments say how the host makes objects of
/// them; the owners in them follow them.
pub(super) fn exception<'c, 'a>(
    op: typed::Exception<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let arguments = op.arguments_range();
    let operands = [
        site.operands[arguments.clone()].concat(),
        released(site, arguments),
    ]
    .concat();
    let types = result_types(site, &op.result());
    let made = typed::Exception::create(e, op.exception(), &operands, &types);
    made.set_message(op.message());
    let types: Vec<_> = op
        .arguments()
        .into_iter()
        .map(|argument| TypeAttribute::new(argument.ty()).into())
        .collect();
    if !types.is_empty() {
        made.set_attr(marks::TYPES, ArrayAttribute::new(e.context(), &types));
    }
    Ok(vec![made.result()])
}

/// Lowers `typed.catch`.
pub(super) fn catch<'c, 'a>(op: typed::Catch<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let status = site.one(typed::Catch::STATUS_OPERAND)?;
    let types = result_types(site, &op.result());
    let catch = typed::Catch::create(&site.emit, status, &types);
    Ok(by_result(site, catch.result()))
}

/// Lowers `typed.exc_match`.
pub(super) fn exc_match<'c, 'a>(
    op: typed::ExcMatch<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let exception = site.operands[op.exception_range()].concat();
    let found = typed::ExcMatch::create(&site.emit, &exception, &op.classes());
    Ok(vec![vec![found.result()]])
}

/// Lowers `typed.raise_value_if`.
pub(super) fn raise_value_if<'c, 'a>(
    op: typed::RaiseValueIf<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let condition = site.one(typed::RaiseValueIf::CONDITION_OPERAND)?;
    let exception = site.operands[op.exception_range()].concat();
    let owned = released(site, op.owned_range());
    typed::RaiseValueIf::create(&site.emit, condition, &exception, &owned);
    Ok(vec![])
}
