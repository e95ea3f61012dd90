//! What makes, catches and raises exceptions: stays, with converted types, until `typed-to-abi`.

use super::{
    Lowered, Site,
    control::{by_result, released, result_types, sizes},
    segment_sizes,
};
use crate::infra::{OperationExt, ValueExt};
use melior::ir::{
    Attribute,
    attribute::{ArrayAttribute, TypeAttribute},
};

/// On a converted `typed.exception`: the typed types of its arguments.
pub(in crate::lowering) const ARGUMENT_TYPES: &str = "pyopt.types";

/// An operation with what its operands and results became and some of its attributes.
fn converted<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    names: &[&'static str],
    more: &[(&str, Attribute<'c>)],
) -> Lowered<'c, 'a> {
    let named = names
        .iter()
        .filter_map(|name| Some((*name, site.op.attr(name)?)));
    let attributes: Vec<_> = named.chain(more.iter().copied()).collect();
    let made = site.emit.op(
        site.op.full_name(),
        &site.operands.concat(),
        &result_types(site),
        &attributes,
    );
    Ok(by_result(
        &site.emit,
        &site.op.result_types(),
        made.result_values(),
    ))
}

/// Lowers `typed.try_call`.
pub(super) fn try_call<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    converted(site, &["callee"], &[])
}

/// Lowers `typed.exception`. The typed types of the arguments say how the host makes objects of
/// them; the owners in them follow them.
pub(super) fn exception<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let types: Vec<_> = site
        .op
        .operand_values()
        .into_iter()
        .map(|argument| TypeAttribute::new(argument.ty()).into())
        .collect();
    let types = ArrayAttribute::new(site.emit.context(), &types).into();
    let more = [(ARGUMENT_TYPES, types)];
    let more = if site.operands.is_empty() {
        &[]
    } else {
        &more[..]
    };
    let attributes: Vec<_> = ["exception", "message"]
        .into_iter()
        .filter_map(|name| Some((name, site.op.attr(name)?)))
        .chain(more.iter().copied())
        .collect();
    let operands = [site.operands.concat(), released(site, 0)].concat();
    let types = result_types(site);
    let made = site
        .emit
        .op("typed.exception", &operands, &types, &attributes);
    Ok(vec![made.result_values()])
}

/// Lowers `typed.catch`.
pub(super) fn catch<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    converted(site, &[], &[])
}

/// Lowers `typed.exc_match`.
pub(super) fn exc_match<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    converted(site, &["classes"], &[])
}

/// Lowers `typed.raise_value_if`.
pub(super) fn raise_value_if<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let first_owned = segment_sizes(site.op)[..2].iter().sum();
    let mut operands = site.operands[..first_owned].concat();
    let exception = operands.len() - 1;
    let owned = released(site, first_owned);
    let segments = sizes(&site.emit, &[1, exception, owned.len()]);
    operands.extend(owned);
    let attributes = [("operandSegmentSizes", segments)];
    site.emit
        .op("typed.raise_value_if", &operands, &[], &attributes);
    Ok(vec![])
}
