//! Arrays and their parts: decomposition, assembly, sizes.

use super::{Lowered, Site, cast, refuse, text::cast_to_index};
use crate::{
    infra::{
        AttributeExt, CmpInt, PassResult, ValueExt,
        ops::{arith, llvm, memref, typed},
    },
    lowering::{
        emit::Emit,
        types::{self, descriptor, is_unsigned},
    },
    types::layout::{element_size, tuple_elements},
};
use melior::ir::{Type, TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::typed::{ArrayType, Layout, TypedType, array_type};
use std::ops::Range;

/// The parts of an array. Strides are in elements, for layout `bytes` in bytes.
#[derive(Clone, Debug)]
pub(in crate::lowering) struct Parts<'c, 'a> {
    pub data: Value<'c, 'a>,
    pub sizes: Vec<Value<'c, 'a>>,
    pub strides: Vec<Value<'c, 'a>>,
    pub owner: Value<'c, 'a>,
}

/// Lowers `typed.constant_array`.
pub(super) fn constant<'c, 'a>(
    op: typed::ConstantArray<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let r#type = site.result_type();
    let Some(array) = array_type(r#type) else {
        return refuse("the constant is no array");
    };
    let value = op.value();
    let size = element_size(array.element) as usize;
    let Some(bytes) = value.dense_bytes(size) else {
        return refuse("only dense elements make an array");
    };
    let extents = value.shape().unwrap_or_default();
    let stride = |dimension: usize| e.i64(extents[dimension + 1..].iter().product());
    let parts = Parts {
        data: e.data(bytes),
        sizes: extents.iter().map(|extent| e.i64(*extent)).collect(),
        strides: (0..extents.len()).map(stride).collect(),
        owner: e.zero(e.ptr()),
    };
    Ok(vec![assemble(e, array, &parts)])
}

/// Decomposes an array.
pub(in crate::lowering) fn parts<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    values: &[Value<'c, 'a>],
) -> Parts<'c, 'a> {
    let rank = array.rank;
    let owner = values[values.len() - 1];
    if array.layout == Layout::Bytes {
        return Parts {
            data: values[0],
            sizes: values[1..=rank].to_vec(),
            strides: values[1 + rank..=2 * rank].to_vec(),
            owner,
        };
    }
    let whole = e.reinterpret(values[0], descriptor(e.context(), rank));
    let number = |field, at| e.extract(whole, &[field, at as i64], e.i(64));
    Parts {
        // The offset is always 0: views move the pointer.
        data: e.extract(whole, &[1], e.ptr()),
        sizes: (0..rank).map(|at| number(3, at)).collect(),
        strides: (0..rank)
            .map(|at| {
                if array.layout == Layout::C && at + 1 == rank {
                    e.i64(1)
                } else {
                    number(4, at)
                }
            })
            .collect(),
        owner,
    }
}

/// Assembles an array.
pub(in crate::lowering) fn assemble<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    parts: &Parts<'c, 'a>,
) -> Vec<Value<'c, 'a>> {
    let Some(memref) = types::memref(e.context(), array) else {
        let numbers = parts.sizes.iter().chain(&parts.strides).copied();
        return [parts.data]
            .into_iter()
            .chain(numbers)
            .chain([parts.owner])
            .collect();
    };
    let mut whole = llvm::Poison::create(e, descriptor(e.context(), array.rank)).res();
    whole = e.insert_field(whole, &[0], parts.data);
    whole = e.insert_field(whole, &[1], parts.data);
    whole = e.insert_field(whole, &[2], e.i64(0));
    for (field, numbers) in [(3, &parts.sizes), (4, &parts.strides)] {
        for (at, number) in numbers.iter().enumerate() {
            whole = e.insert_field(whole, &[field, at as i64], *number);
        }
    }
    vec![e.reinterpret(whole, memref), parts.owner]
}

/// The strides of a contiguous array of these sizes, in elements.
pub(super) fn contiguous_strides<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    layout: Layout,
    sizes: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let mut strides = vec![e.i64(1); sizes.len()];
    let mut stride = e.i64(1);
    let order: Vec<_> = match layout {
        Layout::F => (0..sizes.len()).collect(),
        _ => (0..sizes.len()).rev().collect(),
    };
    for at in order {
        strides[at] = stride;
        stride = e.bin(arith::MulI::NAME, stride, sizes[at]);
    }
    strides
}

/// The size of one dimension, as `index`.
pub(super) fn size<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    values: &[Value<'c, 'a>],
    dimension: usize,
) -> Value<'c, 'a> {
    if array.layout == Layout::Bytes {
        return e.index_cast(values[1 + dimension], e.index_type());
    }
    let dimension = e.index(dimension as i64);
    memref::Dim::create(e, values[0], dimension).result()
}

/// The array type of an operand.
pub(super) fn operand_array<'c>(
    site: &Site<'_, 'c, '_>,
    index: usize,
) -> PassResult<ArrayType<'c>> {
    let r#type = site.operand_type(index);
    array_type(r#type).map_or_else(|| refuse(format!("{type} is no array")), Ok)
}

/// Lowers `typed.dim`.
pub(super) fn dim<'c, 'a>(op: typed::Dim<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let at = typed::Dim::ARRAY_OPERAND;
    let (array, values) = (operand_array(site, at)?, &site.operands[at]);
    let size = size(&site.emit, array, values, op.dimension() as usize);
    length(site, size)
}

/// Lowers `typed.stride`.
pub(super) fn stride<'c, 'a>(
    op: typed::Stride<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let at = typed::Stride::ARRAY_OPERAND;
    let array = operand_array(site, at)?;
    let stride = parts(e, array, &site.operands[at]).strides[op.dimension() as usize];
    length(site, to_bytes(e, array, stride))
}

/// A distance in bytes that is in the unit of an array's strides.
pub(super) fn to_bytes<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    distance: Value<'c, 'a>,
) -> Value<'c, 'a> {
    match array.layout {
        Layout::Bytes => distance,
        _ => e.bin(
            arith::MulI::NAME,
            distance,
            e.i64(element_size(array.element)),
        ),
    }
}

/// A length as the result's type.
pub(super) fn length<'c, 'a>(site: &Site<'_, 'c, 'a>, length: Value<'c, 'a>) -> Lowered<'c, 'a> {
    let from = if length.ty().is_index() {
        length.ty()
    } else {
        IntegerType::signed(site.emit.context(), 64).into()
    };
    match cast::cast(&site.emit, length, from, site.result_type()) {
        Some(length) => Ok(vec![vec![length]]),
        None => refuse(format!("a length can't be {}", site.result_type())),
    }
}

/// Lowers `typed.len`.
pub(super) fn len<'c, 'a>(_: typed::Len<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let values = &site.operands[typed::Len::OPERAND_OPERAND];
    let r#type = site.operand_type(typed::Len::OPERAND_OPERAND);
    match TypedType::from(r#type) {
        TypedType::Array(array) if array.rank > 0 => length(site, size(e, array, values, 0)),
        TypedType::Str | TypedType::Bytes => length(site, values[1]),
        TypedType::Range(element) => {
            let [start, stop, step] = values[..] else {
                return refuse("a range is three numbers");
            };
            let count = range_length(e, is_unsigned(element), start, stop, step);
            match cast::cast(e, count, unsigned(e, count.ty()), site.result_type()) {
                Some(count) => Ok(vec![vec![count]]),
                None => refuse(format!("a length can't be {}", site.result_type())),
            }
        }
        _ => match tuple_elements(r#type) {
            Some(elements) => length(site, e.index(elements.len() as i64)),
            None => refuse(format!("{type} has no length")),
        },
    }
}

/// The unsigned integer type of the width of a signless one.
fn unsigned<'c>(e: &Emit<'_, 'c, '_>, r#type: Type<'c>) -> Type<'c> {
    let width = IntegerType::try_from(r#type).map_or(64, |integer| integer.width());
    IntegerType::unsigned(e.context(), width).into()
}

/// The number of items from `start` to `stop`; also of a slice whose bounds are adjusted.
pub(super) fn range_length<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    unsigned: bool,
    start: Value<'c, 'a>,
    stop: Value<'c, 'a>,
    step: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let zero = e.int(step.ty(), 0);
    let one = e.int(step.ty(), 1);
    let sub = |x, y| e.bin(arith::SubI::NAME, x, y);
    let (less, forward) = if unsigned {
        (CmpInt::Ult, e.bool(true))
    } else {
        (CmpInt::Slt, e.cmpi(CmpInt::Sgt, step, zero))
    };
    let low = e.select(forward, start, stop);
    let high = e.select(forward, stop, start);
    let magnitude = e.select(forward, step, sub(zero, step));
    // A step of 0 has been refused; dividing by it must only not be undefined.
    let is_zero = e.cmpi(CmpInt::Eq, step, zero);
    let magnitude = e.select(is_zero, one, magnitude);
    // The distance and the magnitude are right as unsigned numbers, whatever overflowed.
    let last = e.bin(arith::DivUI::NAME, sub(sub(high, low), one), magnitude);
    let count = e.bin(arith::AddI::NAME, last, one);
    e.select(e.cmpi(less, low, high), count, zero)
}

/// How an access takes a negative index.
#[derive(Clone, Copy)]
pub(super) enum WrapAround {
    /// There is none.
    Never,
    /// It is expected not to come: what waits for the element only waits for a comparison then.
    Rarely,
    /// Nothing waits for the access, so a predicted branch would only be more instructions.
    Unawaited,
}

/// The indices of an element access, which are the operands at some positions, as `index`.
pub(super) fn indices<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    (array, array_values): (ArrayType<'c>, &[Value<'c, 'a>]),
    positions: Range<usize>,
    wraparound: WrapAround,
) -> PassResult<Vec<Value<'c, 'a>>> {
    let e = &site.emit;
    let index = |(dimension, at)| {
        let from = site.operand_type(at);
        let index = cast_to_index(e, site.one(at)?, from)?;
        if is_unsigned(from) {
            return Ok(index);
        }
        let size = || size(e, array, array_values, dimension);
        Ok(match wraparound {
            WrapAround::Never => index,
            WrapAround::Rarely => wrap_rarely(e, index, size()),
            WrapAround::Unawaited => wrap(e, index, size()),
        })
    };
    positions.enumerate().map(index).collect()
}

/// An index of an element after wrap-around. Few indices are negative.
fn wrap_rarely<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    index: Value<'c, 'a>,
    size: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let negative = e.cmpi(CmpInt::Slt, index, e.int(index.ty(), 0));
    let negative = e.expect(negative, false);
    e.select(negative, e.bin(arith::AddI::NAME, index, size), index)
}

/// An index after Python's wrap-around.
pub(super) fn wrap<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    index: Value<'c, 'a>,
    size: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let negative = e.cmpi(CmpInt::Slt, index, e.int(index.ty(), 0));
    e.select(negative, e.bin(arith::AddI::NAME, index, size), index)
}

/// The owners among the values that a typed value was converted to.
pub(in crate::lowering) fn owners<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    r#type: Type<'c>,
    values: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    match TypedType::from(r#type) {
        TypedType::Array(_) | TypedType::Str | TypedType::Bytes => {
            values.last().copied().into_iter().collect()
        }
        TypedType::Exception => vec![values[1]],
        TypedType::Generator(..) => vec![values[0]],
        TypedType::List(_) | TypedType::Dict(_) | TypedType::Set(_) | TypedType::DictView(..) => {
            values.to_vec()
        }
        // The flag is the last value.
        TypedType::Unbound(inner) | TypedType::Optional(inner) => {
            owners(e, inner, &values[..values.len() - 1])
        }
        _ => {
            let mut rest = values;
            let mut found = Vec::new();
            for element in tuple_elements(r#type).unwrap_or_default() {
                let count = types::convert(e.context(), element).map_or(0, |types| types.len());
                let (own, others) = rest.split_at(count);
                found.extend(owners(e, element, own));
                rest = others;
            }
            found
        }
    }
}
