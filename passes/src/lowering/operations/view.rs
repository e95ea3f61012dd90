//! Views: other sizes and strides on the same memory.

use super::{
    Lowered, Site,
    alloc::unit,
    array::{
        Parts, assemble, contiguous_strides, operand_array, parts, range_length, to_bytes, wrap,
    },
    cast, refuse,
};
use crate::{
    infra::{
        CmpInt, PassResult,
        ops::{arith, typed},
    },
    lowering::{emit::Emit, types::convert},
    types::layout::element_size,
};
use melior::ir::{Type, Value, r#type::IntegerType};
use pyopt_dialects::typed::{ArrayType, Layout, TypedType, array_type};
use std::ops::Range;

/// Lowers `typed.view`.
pub(super) fn view<'c, 'a>(op: typed::View<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let (array, source) = operand_parts(site, typed::View::ARRAY_OPERAND)?;
    let mut view = Parts {
        data: source.data,
        sizes: vec![],
        strides: vec![],
        owner: source.owner,
    };
    let unit = stride_unit(e, array);

    let mut dimension = 0;
    for operand in op.subscripts_range() {
        let r#type = site.operand_type(operand);
        let values = &site.operands[operand];
        match TypedType::from(r#type) {
            TypedType::None => {
                view.sizes.push(e.i64(1));
                view.strides.push(e.i64(0));
                continue;
            }
            TypedType::Slice(types) => {
                let size = source.sizes[dimension];
                let slice = adjust(e, &slice_parts(e, types, values)?, size);
                let stride = source.strides[dimension];
                view.data = advance(e, view.data, slice.start, stride, unit);
                view.sizes.push(slice.length);
                view.strides
                    .push(e.bin(arith::MulI::NAME, stride, slice.step));
            }
            _ => {
                let index = to_i64(e, values[0], r#type)?;
                let index = wrap(e, index, source.sizes[dimension]);
                view.data = advance(e, view.data, index, source.strides[dimension], unit);
            }
        }
        dimension += 1;
    }
    view.sizes.extend(&source.sizes[dimension..]);
    view.strides.extend(&source.strides[dimension..]);
    finish(site, array, view)
}

/// The type of an array operand, and what it consists of.
fn operand_parts<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    operand: usize,
) -> PassResult<(ArrayType<'c>, Parts<'c, 'a>)> {
    let array = operand_array(site, operand)?;
    let parts = parts(&site.emit, array, &site.operands[operand]);
    Ok((array, parts))
}

/// The operands at some positions as `i64`.
fn numbers<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    positions: Range<usize>,
) -> PassResult<Vec<Value<'c, 'a>>> {
    let number = |at| to_i64(&site.emit, site.one(at)?, site.operand_type(at));
    positions.map(number).collect()
}

/// Puts a view together in the layout of the result.
fn finish<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    source: ArrayType<'c>,
    mut view: Parts<'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let Some(result) = array_type(site.result_type()) else {
        return refuse("a view is an array");
    };
    match (source.layout, result.layout) {
        (Layout::Bytes, Layout::Bytes) => {}
        (Layout::Bytes, _) => {
            return refuse(format!(
                "a view of {} can't be {}",
                source.to_type(e.context()),
                site.result_type()
            ));
        }
        (_, Layout::Bytes) => {
            for stride in &mut view.strides {
                *stride = to_bytes(e, source, *stride);
            }
        }
        _ => {}
    }
    Ok(vec![assemble(e, result, &view)])
}

/// The unit of strides: an element, or a byte.
fn stride_unit<'c>(e: &Emit<'_, 'c, '_>, array: ArrayType<'c>) -> Type<'c> {
    match array.layout {
        Layout::Bytes => e.i(8),
        _ => unit(e, array.element),
    }
}

fn advance<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    data: Value<'c, 'a>,
    index: Value<'c, 'a>,
    stride: Value<'c, 'a>,
    unit: Type<'c>,
) -> Value<'c, 'a> {
    e.offset(data, e.bin(arith::MulI::NAME, index, stride), unit)
}

fn to_i64<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    x: Value<'c, 'a>,
    from: Type<'c>,
) -> PassResult<Value<'c, 'a>> {
    let i64 = IntegerType::signed(e.context(), 64).into();
    match cast::cast(e, x, from, i64) {
        Some(value) => Ok(value),
        None => refuse(format!("{from} is no index")),
    }
}

/// The parts of a slice as `i64`; `None` where it holds Python's None.
fn slice_parts<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    types: [Type<'c>; 3],
    values: &[Value<'c, 'a>],
) -> PassResult<Vec<Option<Value<'c, 'a>>>> {
    let mut rest = values;
    types
        .into_iter()
        .map(|r#type| {
            if convert(e.context(), r#type).is_none_or(|types| types.is_empty()) {
                return Ok(None);
            }
            let value = rest[0];
            rest = &rest[1..];
            to_i64(e, value, r#type).map(Some)
        })
        .collect()
}

struct Slice<'c, 'a> {
    start: Value<'c, 'a>,
    step: Value<'c, 'a>,
    length: Value<'c, 'a>,
}

/// Fits a slice into a dimension, as CPython's `PySlice_AdjustIndices`.
fn adjust<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    parts: &[Option<Value<'c, 'a>>],
    size: Value<'c, 'a>,
) -> Slice<'c, 'a> {
    let zero = e.i64(0);
    let step = parts[2].unwrap_or_else(|| e.i64(1));
    let backward = parts[2].map(|step| e.cmpi(CmpInt::Slt, step, zero));
    let select = |back, forth| match backward {
        Some(backward) => e.select(backward, back, forth),
        None => forth,
    };

    let before = e.i64(-1);
    let last = e.bin(arith::SubI::NAME, size, e.i64(1));
    let (lowest, highest) = (select(before, zero), select(last, size));
    let clamp = |bound: Value<'c, 'a>| {
        let bound = wrap(e, bound, size);
        let low = e.cmpi(CmpInt::Slt, bound, lowest);
        let high = e.cmpi(CmpInt::Sgt, bound, highest);
        e.select(low, lowest, e.select(high, highest, bound))
    };
    let start = parts[0].map_or_else(|| select(last, zero), clamp);
    let stop = parts[1].map_or_else(|| select(before, size), clamp);
    let length = match backward {
        Some(_) => range_length(e, false, start, stop, step),
        None => {
            let distance = e.bin(arith::SubI::NAME, stop, start);
            e.bin(arith::MaxSI::NAME, distance, zero)
        }
    };
    Slice {
        start,
        step,
        length,
    }
}

/// Lowers `typed.transpose`.
pub(super) fn transpose<'c, 'a>(
    op: typed::Transpose<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let (array, mut view) = operand_parts(site, typed::Transpose::ARRAY_OPERAND)?;
    match op.permutation() {
        None => {
            view.sizes.reverse();
            view.strides.reverse();
        }
        Some(order) => {
            let permuted = |values: &[Value<'c, 'a>]| -> Option<Vec<_>> {
                let values = order.iter().map(|from| values.get(*from as usize).copied());
                values.collect()
            };
            let (Some(sizes), Some(strides)) = (permuted(&view.sizes), permuted(&view.strides))
            else {
                return refuse("the permutation is none of the dimensions");
            };
            (view.sizes, view.strides) = (sizes, strides);
        }
    }
    finish(site, array, view)
}

/// Lowers `typed.reshape`.
pub(super) fn reshape<'c, 'a>(
    op: typed::Reshape<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let (array, source) = operand_parts(site, typed::Reshape::ARRAY_OPERAND)?;
    let sizes = numbers(site, op.sizes_range())?;
    let strides = contiguous_strides(e, Layout::C, &sizes);
    let view = Parts {
        sizes,
        strides,
        ..source
    };
    finish(site, array, view)
}

/// Lowers `typed.strided`.
pub(super) fn strided<'c, 'a>(
    op: typed::Strided<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let (_, source) = operand_parts(site, typed::Strided::ARRAY_OPERAND)?;
    let Some(result) = array_type(site.result_type()) else {
        return refuse("a view is an array");
    };
    let view = Parts {
        sizes: numbers(site, op.sizes_range())?,
        strides: numbers(site, op.strides_range())?,
        ..source
    };
    Ok(vec![assemble(e, result, &view)])
}

/// Lowers `typed.reinterpret`.
pub(super) fn reinterpret<'c, 'a>(
    op: typed::Reinterpret<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let (array, mut view) = operand_parts(site, typed::Reinterpret::ARRAY_OPERAND)?;
    let Some(result) = array_type(site.result_type()) else {
        return refuse("a view is an array");
    };
    let offset = e.i64(op.offset());
    view.data = e.offset(view.data, offset, e.i(8));
    let (from, to) = (element_size(array.element), element_size(result.element));
    let is_dense = array.layout == Layout::C && op.sizes().is_none();
    if from != to && is_dense && matches!(result.layout, Layout::C | Layout::Bytes) {
        if let Some(last) = view.sizes.last_mut() {
            let bytes = e.bin(arith::MulI::NAME, *last, e.i64(from));
            *last = e.bin(arith::DivUI::NAME, bytes, e.i64(to));
        }
        view.strides = contiguous_strides(e, Layout::C, &view.sizes);
        if result.layout == Layout::Bytes {
            for stride in &mut view.strides {
                *stride = e.bin(arith::MulI::NAME, *stride, e.i64(to));
            }
        }
    } else if from != to && array.layout != Layout::Bytes {
        for stride in &mut view.strides {
            *stride = e.bin(arith::MulI::NAME, *stride, e.i64(from / to));
        }
    }
    if let Some(sizes) = op.sizes() {
        let sizes: Vec<_> = sizes.iter().map(|size| e.i64(*size)).collect();
        let unit = e.i64(to);
        let strides = contiguous_strides(e, Layout::C, &sizes);
        let strides = strides
            .into_iter()
            .map(|stride| e.bin(arith::MulI::NAME, stride, unit));
        view.strides.extend(strides);
        view.sizes.extend(sizes);
    }
    Ok(vec![assemble(e, result, &view)])
}

/// Lowers `typed.borrow`: the array with a null owner.
pub(super) fn borrow<'c, 'a>(_: typed::Borrow<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let mut values = site.operands[typed::Borrow::ARRAY_OPERAND].clone();
    // The owner is what an array ends with.
    values.pop();
    values.push(site.emit.zero(site.emit.ptr()));
    Ok(vec![values])
}

/// Lowers `typed.apart`, which only says what is known.
pub(super) fn apart<'c, 'a>(_: typed::Apart<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    Ok(vec![site.operands[typed::Apart::ARRAY_OPERAND].clone()])
}

/// Lowers `typed.with_shape`, which only says what is known.
pub(super) fn with_shape<'c, 'a>(
    _: typed::WithShape<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    Ok(vec![site.operands[typed::WithShape::ARRAY_OPERAND].clone()])
}
