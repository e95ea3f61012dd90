//! Tuples, slices, ranges and locals: values that are converted to a list of values.

use super::{Lowered, Site, refuse};
use crate::{
    infra::{CmpInt, OperationAttributes, ValueExt},
    lowering::{
        emit::Emit,
        types::{self, tuple_elements},
    },
};
use melior::ir::{Type, TypeLike, Value};
use pyopt_dialects::typed::TypedType;

/// Lowers a value of a type without data: to an empty list.
pub(super) fn nothing<'c, 'a>(_: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    Ok(vec![vec![]])
}

/// Concatenates the converted operands.
pub(super) fn concat<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    Ok(vec![site.operands.concat()])
}

/// Lowers `typed.tuple`.
pub(super) fn tuple<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    concat(site)
}

/// The offset of each element of a tuple in its list of values, and the total length.
fn bounds<'c>(site: &Site<'_, 'c, '_>) -> Option<Vec<usize>> {
    let mut bounds = vec![0];
    let parts = match TypedType::from(site.operand_type(0)) {
        TypedType::Slice(parts) => parts.to_vec(),
        _ => tuple_elements(site.operand_type(0))?,
    };
    for element in parts {
        let values = types::convert(site.emit.context(), element)?.len();
        bounds.push(bounds[bounds.len() - 1] + values);
    }
    Some(bounds)
}

/// Lowers `typed.tuple_get` and `typed.slice_get`.
pub(super) fn tuple_get<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let position = site
        .op
        .int_attr("position")
        .and_then(|at| usize::try_from(at).ok());
    match (position, bounds(site)) {
        (Some(at), Some(bounds)) if at + 1 < bounds.len() => {
            Ok(vec![site.operands[0][bounds[at]..bounds[at + 1]].to_vec()])
        }
        _ => refuse("the tuple has no such element"),
    }
}

/// Lowers `typed.range_get` to one of the three parts.
pub(super) fn range_get<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let position = site.op.int_attr("position").unwrap_or_default();
    let part = site.operands[0].get(position as usize);
    match part {
        Some(part) => Ok(vec![vec![*part]]),
        None => refuse("the range has no such part"),
    }
}

/// Lowers `typed.tuple_item` to a chain of selections.
pub(super) fn tuple_item<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let position = site.one(1)?;
    let Some(bounds) = bounds(site).filter(|bounds| bounds.len() > 1) else {
        return refuse("an empty tuple has no items");
    };
    let element = |at: usize| &site.operands[0][bounds[at]..bounds[at + 1]];
    let mut item = element(0).to_vec();
    for at in 1..bounds.len() - 1 {
        let here = e.cmpi(CmpInt::Eq, position, e.int(position.ty(), at as i64));
        for (value, other) in item.iter_mut().zip(element(at)) {
            *value = e.select(here, *other, *value);
        }
    }
    Ok(vec![item])
}

/// Lowers `typed.unbound` and `typed.optional_none`: zeros, so that releasing it does nothing.
pub(super) fn unbound<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    zeros(site)
}

/// Lowers `ub.poison` of a typed type. Owners are null, so that releasing it does nothing.
pub(super) fn poison<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    zeros(site)
}

fn zeros<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
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
    if let Some(part) = types::complex_part(r#type) {
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

/// Lowers `typed.bind` and `typed.optional_some`.
pub(super) fn bind<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let mut values = site.operands[0].clone();
    values.push(site.emit.bool(true));
    Ok(vec![values])
}

/// Lowers `typed.is_bound` and `typed.is_some`.
pub(super) fn is_bound<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    match site.operands[0].split_last() {
        Some((bound, _)) => Ok(vec![vec![*bound]]),
        None => refuse("the value has no flag"),
    }
}

/// Lowers `typed.bound_value` and `typed.optional_value`.
pub(super) fn bound_value<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    match site.operands[0].split_last() {
        Some((_, value)) => Ok(vec![value.to_vec()]),
        None => refuse("the value has no flag"),
    }
}

/// Lowers `arith.select` between typed values.
pub(super) fn select<'c, 'a>(site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let condition = site.one(0)?;
    let values = site.operands[1]
        .iter()
        .zip(&site.operands[2])
        .map(|(x, y)| site.emit.select(condition, *x, *y))
        .collect();
    Ok(vec![values])
}
