//! Errors, calls, launches and reference counts. Those that may raise stay, with converted types,
//! until `typed-to-abi`.

use super::{
    Lowered, Site,
    array::{owners, parts},
};
use crate::{
    infra::{
        CmpInt, OperationExt, ValueExt,
        ops::{arith, marks, parfor, typed},
    },
    lowering::{emit::Emit, types::convert},
    types::layout::{element_size, stride_unit},
};
use melior::ir::{
    Type, Value,
    attribute::{ArrayAttribute, StringAttribute, TypeAttribute},
};
use pyopt_dialects::typed::{ArrayType, array_type};
use std::ops::Range;

/// The pointers of the owners in the operands at some positions: what is behind `releasing`.
pub(super) fn released<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    positions: Range<usize>,
) -> Vec<Value<'c, 'a>> {
    positions
        .flat_map(|at| owners(&site.emit, site.operand_type(at), &site.operands[at]))
        .collect()
}

/// Lowers `typed.variable`: the same with converted values.
pub(super) fn variable<'c, 'a>(
    op: typed::Variable<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let values = site.operands[op.value_range()].concat();
    let variable = typed::Variable::create(&site.emit, op.name(), &values);
    variable.set_argument(op.argument());
    variable.set_type(op.r#type());
    Ok(Vec::new())
}

/// Lowers `typed.raise_if`.
pub(super) fn raise_if<'c, 'a>(
    op: typed::RaiseIf<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let condition = site.one(typed::RaiseIf::CONDITION_OPERAND)?;
    let values = site.operands[op.values_range()].concat();
    let owned = released(site, op.owned_range());
    let raise = typed::RaiseIf::create(&site.emit, condition, op.exception(), &values, &owned);
    raise.set_message(op.message());
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
    raise_with(e, condition, exception, (message, &[]), owners);
}

/// The same with a template for the message, and the words that it has places for.
pub(super) fn raise_with<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    condition: Value<'c, 'a>,
    exception: &str,
    (template, words): (&str, &[Value<'c, 'a>]),
    owners: &[Value<'c, 'a>],
) {
    let exception = StringAttribute::new(e.context(), exception).into();
    let raise = typed::RaiseIf::create(e, condition, exception, words, owners);
    raise.set_message(Some(template));
}

/// Lowers `typed.require_equal`.
pub(super) fn require_equal<'c, 'a>(
    op: typed::RequireEqual<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let index = |at| super::text::cast_to_index(e, site.one(at)?, site.operand_type(at));
    let lhs = index(typed::RequireEqual::LHS_OPERAND)?;
    let rhs = index(typed::RequireEqual::RHS_OPERAND)?;
    let differ = e.cmpi(CmpInt::Ne, lhs, rhs);
    let sizes = [lhs, rhs].map(|size| e.index_cast(size, e.i(64)));
    raise_with(e, differ, "ValueError", (op.message(), &sizes), &[]);
    Ok(vec![])
}

/// Splits the values that an operation's results became by result.
pub(super) fn by_result<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    values: Vec<Value<'c, 'a>>,
) -> Vec<Vec<Value<'c, 'a>>> {
    let mut values = values.into_iter();
    let types = site.op.result_types().into_iter();
    types
        .map(|r#type| {
            let count = convert(site.emit.context(), r#type).map_or(0, |types| types.len());
            values.by_ref().take(count).collect()
        })
        .collect()
}

/// What the types of results become.
pub(super) fn result_types<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    results: &[Value<'c, 'a>],
) -> Vec<Type<'c>> {
    results
        .iter()
        .flat_map(|result| convert(site.emit.context(), result.ty()).unwrap_or_default())
        .collect()
}

/// Lowers `typed.call`: the same with converted types.
pub(super) fn call<'c, 'a>(op: typed::Call<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let inputs = site.operands[op.inputs_range()].concat();
    let owned = released(site, op.owned_range());
    let types = result_types(site, &op.results());
    let call = typed::Call::create(&site.emit, op.callee(), &inputs, &owned, &types);
    Ok(by_result(site, call.results()))
}

/// Lowers `parfor.launch`: the same with converted types. The typed ones say how to combine.
pub(super) fn launch<'c, 'a>(
    op: parfor::Launch<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let group = |positions: Range<usize>| site.operands[positions].concat();
    let launch = parfor::Launch::create(
        &site.emit,
        op.body(),
        &group(op.extents_range()),
        &group(op.args_range()),
        &group(op.init_vals_range()),
        group(op.work_range()).pop(),
        &released(site, op.owned_range()),
        &op.reductions(),
        &result_types(site, &op.results()),
    );
    let types: Vec<_> = op
        .result_types()
        .into_iter()
        .map(|r#type| TypeAttribute::new(r#type).into())
        .collect();
    launch.set_attr(
        marks::TYPES,
        ArrayAttribute::new(site.emit.context(), &types),
    );
    if let Some(schedule) = op.attr(marks::SCHEDULE) {
        launch.set_attr(marks::SCHEDULE, schedule);
    }
    Ok(by_result(site, launch.results()))
}

/// Lowers `parfor.offload`: the same with converted types. Arrays become what they reach.
pub(super) fn offload<'c, 'a>(
    op: parfor::Offload<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let offload = parfor::Offload::create(
        &site.emit,
        op.kernel(),
        &site.operands[op.grid_range()].concat(),
        &site.operands[op.threads_range()].concat(),
        &reached(site, op.args_range()),
        &op.access(),
        &released(site, op.owned_range()),
    );
    offload.set_sites(op.sites().as_deref());
    offload.set_split(op.split());
    Ok(vec![])
}

/// Lowers `parfor.fence`: the same with converted types. Arrays become what they reach.
pub(super) fn fence<'c, 'a>(op: parfor::Fence<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let arrays = reached(site, op.arrays_range());
    let owned = released(site, op.owned_range());
    let fence = parfor::Fence::create(&site.emit, &arrays, &owned);
    fence.set_check(op.check());
    fence.set_write(op.write());
    fence.set_for_loop(op.for_loop());
    Ok(vec![])
}

/// Lowers `parfor.enter_device`: the same with converted types.
pub(super) fn enter_device<'c, 'a>(
    op: parfor::EnterDevice<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let owned = released(site, op.owned_range());
    parfor::EnterDevice::create(&site.emit, op.device(), &owned);
    Ok(vec![])
}

/// Lowers `parfor.leave_device`: the same with converted types.
pub(super) fn leave_device<'c, 'a>(
    op: parfor::LeaveDevice<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    parfor::LeaveDevice::create(&site.emit, &released(site, op.owned_range()));
    Ok(vec![])
}

/// Lowers `parfor.on_device`.
pub(super) fn on_device<'c, 'a>(
    op: parfor::OnDevice<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let driver = op.driver().as_bytes();
    let operands = [e.data(driver.to_vec()), e.i64(driver.len() as i64)];
    let found = e.call_value("pyopt_device_in_use", &operands, e.i(8));
    let found = e.cmpi(CmpInt::Ne, found, e.int(e.i(8), 0));
    Ok(vec![vec![found]])
}

/// Lowers `parfor.trap_if`: the same with converted types.
pub(super) fn trap_if<'c, 'a>(
    op: parfor::TrapIf<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let condition = site.one(parfor::TrapIf::CONDITION_OPERAND)?;
    let status = site.one(parfor::TrapIf::STATUS_OPERAND)?;
    let word = site.one(parfor::TrapIf::WORD_OPERAND)?;
    let values = site.operands[op.values_range()].concat();
    parfor::TrapIf::create(&site.emit, condition, status, word, &values);
    Ok(vec![])
}

/// The operands at some positions, of arrays what they reach.
fn reached<'c, 'a>(site: &Site<'_, 'c, 'a>, positions: Range<usize>) -> Vec<Value<'c, 'a>> {
    let mut values = Vec::new();
    for at in positions {
        match array_type(site.operand_type(at)) {
            Some(array) => values.extend(reach(&site.emit, array, &site.operands[at])),
            None => values.extend(&site.operands[at]),
        }
    }
    values
}

/// The address of an array, and the bytes relative to it at which what its elements take begins and
/// ends.
fn reach<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    values: &[Value<'c, 'a>],
) -> [Value<'c, 'a>; 3] {
    let parts = parts(e, array, values);
    let (zero, unit) = (e.i64(0), e.i64(stride_unit(array)));
    let (mut low, mut high) = (zero, e.i64(element_size(array.element)));
    let mut empty = e.bool(false);
    for (size, stride) in parts.sizes.iter().zip(&parts.strides) {
        let last = e.bin(arith::SubI::NAME, *size, e.i64(1));
        let bytes = e.bin(arith::MulI::NAME, *stride, unit);
        let distance = e.bin(arith::MulI::NAME, last, bytes);
        let (down, up) = (arith::MinSI::NAME, arith::MaxSI::NAME);
        low = e.bin(arith::AddI::NAME, low, e.bin(down, distance, zero));
        high = e.bin(arith::AddI::NAME, high, e.bin(up, distance, zero));
        empty = e.or(empty, e.cmpi(CmpInt::Sle, *size, zero));
    }
    [
        parts.data,
        e.select(empty, zero, low),
        e.select(empty, zero, high),
    ]
}

/// Lowers `parfor.chunks`.
pub(super) fn chunks<'c, 'a>(
    op: parfor::Chunks<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let extent = e.index_cast(site.one(parfor::Chunks::EXTENT_OPERAND)?, e.i(64));
    let work = match op.work_range().next() {
        None => e.i64(0),
        Some(at) => e.index_cast(site.one(at)?, e.i(64)),
    };
    let count = e.call_value("pyopt_chunks", &[extent, work], e.i(64));
    Ok(vec![vec![e.index_cast(count, e.index_type())]])
}

/// Lowers `typed.acquire`.
pub(super) fn acquire<'c, 'a>(
    _: typed::Acquire<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    count(site, typed::Acquire::VALUE_OPERAND, "pyopt_acquire")
}

/// Lowers `typed.release`.
pub(super) fn release<'c, 'a>(
    _: typed::Release<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    count(site, typed::Release::VALUE_OPERAND, "pyopt_release")
}

fn count<'c, 'a>(site: &Site<'_, 'c, 'a>, value: usize, function: &str) -> Lowered<'c, 'a> {
    for owner in released(site, value..value + 1) {
        site.emit.call(function, &[owner], &[]);
    }
    Ok(vec![])
}
