//! Fresh arrays.

use super::{
    Lowered, Site,
    array::{Parts, assemble, contiguous_strides, operand_array, parts},
    control::{raise, raise_with, released},
    element::{load_at, store_at},
    refuse,
    text::cast_to_index,
};
use crate::{
    infra::{
        CmpInt,
        messages::shapes_differ,
        ops::{arith, llvm, typed},
    },
    lowering::{
        emit::Emit,
        externals::Known,
        types::{is_unsigned, memory_element},
    },
    types::layout::{complex_part, element_size},
};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{Type, Value},
};
use pyopt_dialects::typed::{ArrayType, Layout, array_type};

/// Bytes of the header before the data: the runtime's `Owner`.
pub(super) const HEADER: i32 = 64;

/// Lowers `typed.broadcast_size`.
pub(super) fn broadcast_size<'c, 'a>(
    _: typed::BroadcastSize<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let x = site.one(typed::BroadcastSize::LHS_OPERAND)?;
    let y = site.one(typed::BroadcastSize::RHS_OPERAND)?;
    let repeats = e.cmpi(CmpInt::Eq, x, e.index(1));
    Ok(vec![vec![e.select(repeats, y, x)]])
}

/// Lowers `typed.empty`.
pub(super) fn empty<'c, 'a>(op: typed::Empty<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let Some(array) = array_type(site.result_type()) else {
        return refuse("the result is no array");
    };
    let owned = released(site, op.owned_range());
    let mut sizes = Vec::new();
    let mut negative = None;
    for at in op.sizes_range() {
        let from = site.operand_type(at);
        let size = e.index_cast(cast_to_index(e, site.one(at)?, from)?, e.i(64));
        sizes.push(size);
        if !is_unsigned(from) {
            let this = e.cmpi(CmpInt::Slt, size, e.i64(0));
            negative = Some(negative.map_or(this, |others| e.or(others, this)));
        }
    }
    if let Some(negative) = negative {
        raise(
            e,
            negative,
            "ValueError",
            "negative dimensions are not allowed",
            &owned,
        );
    }
    let fresh = allocate(e, array, sizes, op.zeroed(), &owned);
    Ok(vec![assemble(e, array, &fresh)])
}

/// Allocates an array; raises MemoryError after releasing owners.
fn allocate<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    sizes: Vec<Value<'c, 'a>>,
    zeroed: bool,
    owned: &[Value<'c, 'a>],
) -> Parts<'c, 'a> {
    let pair = llvm_type::r#struct(e.context(), &[e.i(64), e.i(1)], false);
    let mut bytes = e.i64(element_size(array.element));
    let mut too_large = e.bool(false);
    for size in &sizes {
        let product = e.intrinsic_value("llvm.umul.with.overflow.i64", &[bytes, *size], pair);
        bytes = e.extract(product, &[0], e.i(64));
        too_large = e.or(too_large, e.extract(product, &[1], e.i(1)));
    }
    // The runtime refuses a negative number of bytes.
    let bytes = e.select(too_large, e.i64(-1), bytes);
    let zeroed = e.int(e.i(32), zeroed.into());
    let inputs = [bytes, zeroed];
    let call = e.call_known("pyopt_alloc", Known::ReturnsFresh, &inputs, &[e.ptr()]);
    let owner = call.part0()[0];
    let null = e.zero(e.ptr());
    let failed = llvm::ICmp::create(e, llvm::ICmpPredicate::Eq, owner, null).res();
    raise_unallocated(e, failed, owned);
    let mut strides = contiguous_strides(e, array.layout, &sizes);
    if array.layout == Layout::Bytes {
        let size = e.i64(element_size(array.element));
        for stride in &mut strides {
            *stride = e.bin(arith::MulI::NAME, *stride, size);
        }
    }
    Parts {
        data: e.offset_by(owner, HEADER, e.i(8)),
        strides,
        sizes,
        owner,
    }
}

/// Lowers `typed.broadcast`: the array itself where its sizes are right and its form is the
/// result's, otherwise a copy.
pub(super) fn broadcast<'c, 'a>(
    op: typed::Broadcast<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let array = typed::Broadcast::ARRAY_OPERAND;
    let from = operand_array(site, array)?;
    let Some(to) = array_type(site.result_type()) else {
        return refuse("the result is no array");
    };
    let source = parts(e, from, &site.operands[array]);
    let owned = released(site, op.owned_range());
    let one = e.i64(1);

    let mut sizes = Vec::new();
    let mut same = e.bool(true);
    let mut wrong = e.bool(false);
    let mut steps = Vec::new();
    for (dimension, at) in op.sizes_range().enumerate() {
        let size = e.index_cast(site.one(at)?, e.i(64));
        let old = source.sizes[dimension];
        let differs = e.cmpi(CmpInt::Ne, old, size);
        wrong = e.or(wrong, e.and(differs, e.cmpi(CmpInt::Ne, old, one)));
        same = e.and(same, e.not(differs));
        steps.push(e.select(differs, e.i64(0), source.strides[dimension]));
        sizes.push(size);
    }
    let shapes = [&sizes[..], &source.sizes[..]].concat();
    let message = shapes_differ([sizes.len(), source.sizes.len()]);
    raise_with(e, wrong, "ValueError", (&message, &shapes), &owned);

    let copy = || {
        let fresh = allocate(e, to, sizes.clone(), false, &owned);
        let mut repeated = source.clone();
        repeated.strides.clone_from(&steps);
        copy_elements(e, (from, &repeated), (to, &fresh));
        assemble(e, to, &fresh)
    };
    if !is_form_of(from, to) {
        return Ok(vec![copy()]);
    }
    let types =
        crate::lowering::types::convert(e.context(), site.result_type()).unwrap_or_default();
    let values = e.if_else(
        same,
        &types,
        || {
            e.call("pyopt_acquire", &[source.owner], &[]);
            assemble(e, to, &source)
        },
        copy,
    );
    Ok(vec![values])
}

/// Lowers `typed.repeat`: the runtime's loop goes over rows and columns in the order of the result's
/// memory. A dimension that is repeated has a step of 0.
pub(super) fn repeat<'c, 'a>(
    op: typed::Repeat<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let at = typed::Repeat::ARRAY_OPERAND;
    let from = operand_array(site, at)?;
    let Some(to) = array_type(site.result_type()) else {
        return refuse("the result is no array");
    };
    let source = parts(e, from, &site.operands[at]);
    let item = e.i64(element_size(to.element));
    let mut sizes = Vec::new();
    let mut dimensions = Vec::new();
    for (dimension, at) in op.sizes_range().enumerate() {
        let size = e.index_cast(site.one(at)?, e.i(64));
        let stride = source.strides[dimension];
        let step = match from.layout {
            Layout::Bytes => stride,
            _ => e.bin(arith::MulI::NAME, stride, item),
        };
        let is_whole = e.cmpi(CmpInt::Eq, source.sizes[dimension], size);
        dimensions.push([size, e.select(is_whole, step, e.i64(0))]);
        sizes.push(size);
    }
    if dimensions.len() == 1 {
        dimensions.insert(0, [e.i64(1), e.i64(0)]);
    }
    if to.layout == Layout::F {
        dimensions.reverse();
    }
    let mut inputs = vec![source.data, item];
    inputs.extend(dimensions.as_flattened());
    let call = e.call_known("pyopt_repeat", Known::ReturnsFresh, &inputs, &[e.ptr()]);
    let owner = call.part0()[0];
    let failed = llvm::ICmp::create(e, llvm::ICmpPredicate::Eq, owner, e.zero(e.ptr())).res();
    raise_unallocated(e, failed, &released(site, op.owned_range()));
    let fresh = Parts {
        data: e.offset_by(owner, HEADER, e.i(8)),
        strides: contiguous_strides(e, to.layout, &sizes),
        sizes,
        owner,
    };
    Ok(vec![assemble(e, to, &fresh)])
}

/// Raises MemoryError after releasing owners.
fn raise_unallocated<'c, 'a>(e: &Emit<'_, 'c, 'a>, failed: Value<'c, 'a>, owned: &[Value<'c, 'a>]) {
    raise(
        e,
        failed,
        "MemoryError",
        "unable to allocate an array",
        owned,
    );
}

/// Whether an array of one type is valid as one of another type without conversion.
fn is_form_of(from: ArrayType, to: ArrayType) -> bool {
    from.layout == to.layout || (to.layout == Layout::A && from.layout != Layout::Bytes)
}

/// Copies all elements of an array to another of the sizes of the second.
fn copy_elements<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    (from, source): (ArrayType<'c>, &Parts<'c, 'a>),
    (to, target): (ArrayType<'c>, &Parts<'c, 'a>),
) {
    let memory = memory_element(e.context(), to.element);
    copy_dimensions(
        e,
        Side::new(e, from, source),
        Side::new(e, to, target),
        &target.sizes,
        memory,
    );
}

/// A side of an array copy: address, strides, their unit, and the alignment.
struct Side<'c, 'a> {
    address: Value<'c, 'a>,
    strides: Vec<Value<'c, 'a>>,
    unit: Type<'c>,
    alignment: Option<i64>,
}

impl<'c, 'a> Side<'c, 'a> {
    fn new(e: &Emit<'_, 'c, 'a>, array: ArrayType<'c>, parts: &Parts<'c, 'a>) -> Self {
        let bytes = array.layout == Layout::Bytes;
        Self {
            address: parts.data,
            strides: parts.strides.clone(),
            unit: if bytes {
                e.i(8)
            } else {
                unit(e, array.element)
            },
            alignment: bytes.then_some(1),
        }
    }

    /// The subarray at an index of the first dimension.
    fn at(&self, e: &Emit<'_, 'c, 'a>, index: Value<'c, 'a>) -> Self {
        let distance = e.bin(arith::MulI::NAME, index, self.strides[0]);
        Self {
            address: e.offset(self.address, distance, self.unit),
            strides: self.strides[1..].to_vec(),
            unit: self.unit,
            alignment: self.alignment,
        }
    }
}

fn copy_dimensions<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    source: Side<'c, 'a>,
    target: Side<'c, 'a>,
    sizes: &[Value<'c, 'a>],
    memory: Type<'c>,
) {
    let Some((size, rest)) = sizes.split_first() else {
        let element = load_at(e, source.address, memory, source.alignment);
        return store_at(e, element, target.address, target.alignment);
    };
    let count = e.index_cast(*size, e.index_type());
    e.for_each(count, &[], |index, _| {
        let index = e.index_cast(index, e.i(64));
        copy_dimensions(e, source.at(e, index), target.at(e, index), rest, memory);
        vec![]
    });
}

/// An element type that address computations accept.
pub(super) fn unit<'c>(e: &Emit<'_, 'c, '_>, element: Type<'c>) -> Type<'c> {
    match complex_part(element) {
        Some(part) => llvm_type::r#struct(e.context(), &[part, part], false),
        None => memory_element(e.context(), element),
    }
}
