//! Tuples, slices, ranges and locals: values that are converted to a list of values.

use super::{Lowered, Site, refuse};
use crate::{
    infra::{
        CmpInt, OpView, OperationExt, PassResult, ValueExt,
        ops::{arith, builtin, typed},
    },
    lowering::{emit::Emit, types},
    types::layout::{complex_part, tuple_elements},
};
use melior::ir::{Type, TypeLike, Value};
use pyopt_dialects::typed::TypedType;

/// A value that is no values.
pub(super) fn nothing<'c, 'a>(
    _: typed::Singleton<'c, 'a>,
    _: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    Ok(vec![vec![]])
}

/// The parts side by side.
pub(super) fn concat<'c, 'a>(_: impl OpView<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    Ok(vec![site.operands.concat()])
}

/// Lowers `builtin.unrealized_conversion_cast` that cancels out: each result is its share of the values.
pub(super) fn cast<'c, 'a>(
    _: builtin::UnrealizedConversionCast<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let mut values = site.operands.iter().flatten().copied();
    let results = site.op.result_values();
    let share = |result: &Value<'c, 'a>| {
        let count = types::convert(site.emit.context(), result.ty())?.len();
        Some(values.by_ref().take(count).collect())
    };
    match results.iter().map(share).collect() {
        Some(shares) => Ok(shares),
        None => refuse("a cast to a type without a run-time form"),
    }
}

/// Where each element of a tuple or slice begins among its values, and the end of the last one.
fn bounds<'c>(site: &Site<'_, 'c, '_>, tuple: usize) -> Option<Vec<usize>> {
    let mut bounds = vec![0];
    let parts = match TypedType::from(site.operand_type(tuple)) {
        TypedType::Slice(parts) => parts.to_vec(),
        _ => tuple_elements(site.operand_type(tuple))?,
    };
    for element in parts {
        let values = types::convert(site.emit.context(), element)?.len();
        bounds.push(bounds[bounds.len() - 1] + values);
    }
    Some(bounds)
}

/// Lowers `typed.tuple_get`.
pub(super) fn tuple_get<'c, 'a>(
    op: typed::TupleGet<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    part(site, typed::TupleGet::TUPLE_OPERAND, op.position())
}

/// Lowers `typed.slice_get`.
pub(super) fn slice_get<'c, 'a>(
    op: typed::SliceGet<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    part(site, typed::SliceGet::SLICE_OPERAND, op.position())
}

/// The part at a position of the tuple or slice that is an operand.
fn part<'c, 'a>(site: &Site<'_, 'c, 'a>, tuple: usize, position: i64) -> Lowered<'c, 'a> {
    match (usize::try_from(position), bounds(site, tuple)) {
        (Ok(at), Some(bounds)) if at + 1 < bounds.len() => {
            let values = &site.operands[tuple][bounds[at]..bounds[at + 1]];
            Ok(vec![values.to_vec()])
        }
        _ => refuse("the tuple has no such element"),
    }
}

/// Lowers `typed.range_get` to one of the three parts.
pub(super) fn range_get<'c, 'a>(
    op: typed::RangeGet<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let part = site.operands[typed::RangeGet::RANGE_OPERAND].get(op.position() as usize);
    match part {
        Some(part) => Ok(vec![vec![*part]]),
        None => refuse("the range has no such part"),
    }
}

/// Lowers `typed.tuple_item` to a chain of selections.
pub(super) fn tuple_item<'c, 'a>(
    _: typed::TupleItem<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let tuple = typed::TupleItem::TUPLE_OPERAND;
    let position = site.one(typed::TupleItem::POSITION_OPERAND)?;
    let Some(bounds) = bounds(site, tuple).filter(|bounds| bounds.len() > 1) else {
        return refuse("an empty tuple has no items");
    };
    let element = |at: usize| &site.operands[tuple][bounds[at]..bounds[at + 1]];
    let mut item = element(0).to_vec();
    for at in 1..bounds.len() - 1 {
        let here = e.cmpi(CmpInt::Eq, position, e.int(position.ty(), at as i64));
        for (value, other) in item.iter_mut().zip(element(at)) {
            *value = e.select(here, *other, *value);
        }
    }
    Ok(vec![item])
}

/// Lowers `typed.unbound`, `typed.optional_none` and `ub.poison` of a typed type: zeros. Owners are
/// null, so that releasing it does nothing.
pub(super) fn zeros<'c, 'a>(_: impl OpView<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let Some(types) = types::convert(e.context(), site.result_type()) else {
        return refuse(format!("{} has no run-time form", site.result_type()));
    };
    Ok(vec![
        types.into_iter().map(|r#type| zero(e, r#type)).collect(),
    ])
}

/// The zero of a converted type.
fn zero<'c, 'a>(e: &Emit<'_, 'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
    if let Some(part) = complex_part(r#type) {
        let zero = e.float(part, 0.0);
        return super::complex::create(e, r#type, zero, zero);
    }
    if r#type.is_index() || r#type.is_integer() {
        return e.int(r#type, 0);
    }
    if types::is_float(r#type) {
        return e.float(r#type, 0.0);
    }
    match types::memref_rank(r#type) {
        Some(rank) => {
            let descriptor = e.zero(types::descriptor(e.context(), rank));
            e.reinterpret(descriptor, r#type)
        }
        None => e.zero(r#type),
    }
}

/// Lowers `typed.bind`.
pub(super) fn bind<'c, 'a>(_: typed::Bind<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    with_flag(site, typed::Bind::VALUE_OPERAND)
}

/// Lowers `typed.optional_some`.
pub(super) fn optional_some<'c, 'a>(
    _: typed::OptionalSome<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    with_flag(site, typed::OptionalSome::VALUE_OPERAND)
}

/// Lowers `typed.is_bound`.
pub(super) fn is_bound<'c, 'a>(
    _: typed::IsBound<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let (flag, _) = split_flag(site, typed::IsBound::LOCAL_OPERAND)?;
    Ok(vec![vec![flag]])
}

/// Lowers `typed.is_some`.
pub(super) fn is_some<'c, 'a>(
    _: typed::IsSome<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let (flag, _) = split_flag(site, typed::IsSome::OPTIONAL_OPERAND)?;
    Ok(vec![vec![flag]])
}

/// Lowers `typed.bound_value`.
pub(super) fn bound_value<'c, 'a>(
    _: typed::BoundValue<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let (_, value) = split_flag(site, typed::BoundValue::LOCAL_OPERAND)?;
    Ok(vec![value])
}

/// Lowers `typed.optional_value`.
pub(super) fn optional_value<'c, 'a>(
    _: typed::OptionalValue<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let (_, value) = split_flag(site, typed::OptionalValue::OPTIONAL_OPERAND)?;
    Ok(vec![value])
}

/// A value that is there, and the flag that says so.
fn with_flag<'c, 'a>(site: &Site<'_, 'c, 'a>, value: usize) -> Lowered<'c, 'a> {
    let mut values = site.operands[value].clone();
    values.push(site.emit.bool(true));
    Ok(vec![values])
}

/// The flag of an operand that says whether there is a value, and the value.
fn split_flag<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    operand: usize,
) -> PassResult<(Value<'c, 'a>, Vec<Value<'c, 'a>>)> {
    match site.operands[operand].split_last() {
        Some((flag, value)) => Ok((*flag, value.to_vec())),
        None => refuse("the value has no flag"),
    }
}

/// Lowers `arith.select` between typed values.
pub(super) fn select<'c, 'a>(_: arith::Select<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let condition = site.one(arith::Select::CONDITION_OPERAND)?;
    let values = site.operands[arith::Select::TRUE_VALUE_OPERAND]
        .iter()
        .zip(&site.operands[arith::Select::FALSE_VALUE_OPERAND])
        .map(|(x, y)| site.emit.select(condition, *x, *y))
        .collect();
    Ok(vec![values])
}
