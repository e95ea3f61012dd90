//! Errors, calls, launches and reference counts. Those that may raise stay, with converted types,
//! until `typed-to-abi`.

use super::{Lowered, Site, array::owners};
use crate::{
    infra::{CmpInt, OperationAttributes, OperationExt},
    lowering::{emit::Emit, types::convert},
    parfor::SCHEDULE,
};
use melior::ir::{
    Attribute, OperationRef, Type, Value,
    attribute::{ArrayAttribute, DenseI32ArrayAttribute, StringAttribute, TypeAttribute},
};

/// The values behind `releasing` become the pointers of their owners.
pub(super) fn released<'c, 'a>(site: &Site<'_, 'c, 'a>, first: usize) -> Vec<Value<'c, 'a>> {
    (first..site.operands.len())
        .flat_map(|at| owners(&site.emit, site.operand_type(at), &site.operands[at]))
        .collect()
}

/// Lowers `typed.variable`: the same with converted values.
pub(super) fn variable<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let names = ["name", "argument", "type"].into_iter();
    let attributes: Vec<_> = names
        .filter_map(|name| Some((name, site.op.attr(name)?)))
        .collect();
    let values = site.operands.concat();
    site.emit.op("typed.variable", &values, &[], &attributes);
    Ok(Vec::new())
}

/// Lowers `typed.raise_if`.
pub(super) fn raise_if<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let operands: Vec<_> = [site.one(0)?]
        .into_iter()
        .chain(released(site, 1))
        .collect();
    let attributes: Vec<_> = ["exception", "message"]
        .into_iter()
        .filter_map(|name| Some((name, site.op.attr(name)?)))
        .collect();
    site.emit.op("typed.raise_if", &operands, &[], &attributes);
    Ok(vec![])
}

/// Raises an exception when a condition holds, after the release of owners.
pub(super) fn raise<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    condition: Value<'c, 'a>,
    exception: &str,
    message: &str,
    owners: &[Value<'c, 'a>],
) {
    let text = |text| StringAttribute::new(e.context(), text).into();
    let operands = [&[condition], owners].concat();
    e.op(
        "typed.raise_if",
        &operands,
        &[],
        &[("exception", text(exception)), ("message", text(message))],
    );
}

/// Lowers `typed.require_equal`.
pub(super) fn require_equal<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let index = |at| super::text::cast_to_index(e, site.one(at)?, site.operand_type(at));
    let differ = e.cmpi(CmpInt::Ne, index(0)?, index(1)?);
    raise(
        e,
        differ,
        "ValueError",
        site.op.str_attr("message").unwrap_or(""),
        &[],
    );
    Ok(vec![])
}

/// The number of operands in each segment.
pub(crate) fn segment_sizes(operation: OperationRef) -> Vec<usize> {
    let sizes = operation.attr("operandSegmentSizes");
    let text = sizes.map(|sizes| sizes.to_string()).unwrap_or_default();
    let numbers = text
        .trim_start_matches("array<i32")
        .trim_matches([':', '>', ' ']);
    numbers
        .split(',')
        .filter_map(|number| number.trim().parse().ok())
        .collect()
}

/// Splits the values that an operation's results became by result.
pub(super) fn by_result<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    types: &[Type<'c>],
    values: Vec<Value<'c, 'a>>,
) -> Vec<Vec<Value<'c, 'a>>> {
    let mut values = values.into_iter();
    types
        .iter()
        .map(|r#type| {
            let count = convert(e.context(), *r#type).map_or(0, |types| types.len());
            values.by_ref().take(count).collect()
        })
        .collect()
}

/// The converted types of all results.
pub(super) fn result_types<'c>(site: &Site<'_, 'c, '_>) -> Vec<Type<'c>> {
    site.op
        .result_types()
        .into_iter()
        .flat_map(|r#type| convert(site.emit.context(), r#type).unwrap_or_default())
        .collect()
}

pub(super) fn sizes<'c>(e: &Emit<'_, 'c, '_>, sizes: &[usize]) -> Attribute<'c> {
    let sizes: Vec<_> = sizes.iter().map(|size| *size as i32).collect();
    DenseI32ArrayAttribute::new(e.context(), &sizes).into()
}

/// Lowers `typed.call`: the same with converted types.
pub(super) fn call<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let inputs = segment_sizes(site.op)[0];
    let mut operands = site.operands[..inputs].concat();
    let passed = operands.len();
    operands.extend(released(site, inputs));
    let mut attributes = vec![(
        "operandSegmentSizes",
        sizes(e, &[passed, operands.len() - passed]),
    )];
    attributes.extend(site.op.attr("callee").map(|callee| ("callee", callee)));
    let call = e.op("typed.call", &operands, &result_types(site), &attributes);
    Ok(by_result(e, &site.op.result_types(), call.result_values()))
}

/// Lowers `parfor.launch`: the same with converted types. The typed ones say how to combine.
pub(super) fn launch<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let mut segments = segment_sizes(site.op);
    // The last one is what is released.
    segments.pop();
    let mut operands = Vec::new();
    let mut lengths = Vec::new();
    let mut first = 0;
    for count in &segments {
        let before = operands.len();
        operands.extend(site.operands[first..first + count].concat());
        lengths.push(operands.len() - before);
        first += count;
    }
    let owned = released(site, first);
    lengths.push(owned.len());
    operands.extend(owned);

    let types: Vec<_> = site
        .op
        .result_types()
        .into_iter()
        .map(|r#type| TypeAttribute::new(r#type).into())
        .collect();
    let mut attributes = vec![
        ("operandSegmentSizes", sizes(e, &lengths)),
        (
            REDUCTION_TYPES,
            ArrayAttribute::new(e.context(), &types).into(),
        ),
    ];
    for name in ["body", "reductions", SCHEDULE] {
        attributes.extend(site.op.attr(name).map(|value| (name, value)));
    }
    let launch = e.op("parfor.launch", &operands, &result_types(site), &attributes);
    Ok(by_result(
        e,
        &site.op.result_types(),
        launch.result_values(),
    ))
}

/// Lowers `parfor.chunks`.
pub(super) fn chunks<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let extent = e.index_cast(site.one(0)?, e.i(64));
    let work = match site.operands.len() {
        1 => e.i64(0),
        _ => e.index_cast(site.one(1)?, e.i(64)),
    };
    let count = e.call_value("pyopt_chunks", &[extent, work], e.i(64));
    Ok(vec![vec![e.index_cast(count, e.index_type())]])
}

/// On a converted `parfor.launch`: the typed types of its reductions.
pub(in crate::lowering) const REDUCTION_TYPES: &str = "pyopt.types";

/// Lowers `typed.acquire`.
pub(super) fn acquire<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    count(site, "pyopt_acquire")
}

/// Lowers `typed.release`.
pub(super) fn release<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    count(site, "pyopt_release")
}

fn count<'c, 'a>(site: &Site<'_, 'c, 'a>, function: &str) -> Lowered<'c, 'a> {
    for owner in released(site, 0) {
        site.emit.call(function, &[owner], &[]);
    }
    Ok(vec![])
}

/// The owners behind `releasing`, the last segment of an operation's operands.
pub(super) fn released_segment<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Vec<Value<'c, 'a>> {
    let owned = segment_sizes(site.op).last().copied().unwrap_or(0);
    released(site, site.operands.len() - owned)
}
