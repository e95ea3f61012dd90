//! Fresh arrays.

use super::{
    Lowered, Site,
    array::{Parts, assemble, contiguous_strides},
    control::{raise, released},
    refuse,
    text::cast_to_index,
};
use crate::{
    infra::{
        CmpInt,
        ops::{arith, llvm, typed},
    },
    lowering::{
        emit::Emit,
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
    let call = e.call("pyopt_alloc", &inputs, &[e.ptr()]);
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

/// Raises MemoryError after releasing owners.
pub(super) fn raise_unallocated<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    failed: Value<'c, 'a>,
    owned: &[Value<'c, 'a>],
) {
    raise(
        e,
        failed,
        "MemoryError",
        "unable to allocate an array",
        owned,
    );
}

/// An element type that address computations accept.
pub(super) fn unit<'c>(e: &Emit<'_, 'c, '_>, element: Type<'c>) -> Type<'c> {
    match complex_part(element) {
        Some(part) => llvm_type::r#struct(e.context(), &[part, part], false),
        None => memory_element(e.context(), element),
    }
}
