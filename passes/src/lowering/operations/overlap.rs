//! Whether arrays share memory.

use super::{
    Lowered, Site,
    array::{operand_array, parts, to_bytes},
};
use crate::{
    infra::{
        CmpInt, PassResult,
        ops::{arith, llvm, typed},
    },
    lowering::emit::Emit,
    types::layout::element_size,
};
use melior::ir::Value;
use pyopt_dialects::typed::{ArrayType, Layout};

/// Lowers `typed.overlaps`.
pub(super) fn lower<'c, 'a>(
    _: typed::Overlaps<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let bounds = |operand: usize| -> PassResult<Bounds<'c, 'a>> {
        Ok(bounds(
            e,
            operand_array(site, operand)?,
            &site.operands[operand],
        ))
    };
    let one = bounds(typed::Overlaps::LHS_OPERAND)?;
    let other = bounds(typed::Overlaps::RHS_OPERAND)?;
    // One comparison, as LLVM compares each with all others of a condition.
    let first = e.bin(arith::MaxUI::NAME, one.first, other.first);
    let end = e.bin(arith::MinUI::NAME, one.end, other.end);
    Ok(vec![vec![e.cmpi(CmpInt::Ult, first, end)]])
}

/// The memory that an array lies in.
struct Bounds<'c, 'a> {
    /// The address of the first byte.
    first: Value<'c, 'a>,
    /// The address behind the last byte: the same, if there are no elements.
    end: Value<'c, 'a>,
}

fn bounds<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    values: &[Value<'c, 'a>],
) -> Bounds<'c, 'a> {
    let array_parts = parts(e, array, values);
    let address = e.to(llvm::PtrToInt::NAME, array_parts.data, e.i(64));
    let (zero, one) = (e.i64(0), e.i64(1));
    let bytes = |distance| to_bytes(e, array, distance);
    let sizes = array_parts.sizes.iter().copied();
    if matches!(array.layout, Layout::C | Layout::F) {
        let product = sizes.reduce(|count, size| e.bin(arith::MulI::NAME, count, size));
        let count = product.unwrap_or(one);
        return Bounds {
            first: address,
            end: e.bin(arith::AddI::NAME, address, bytes(count)),
        };
    }
    let (mut before, mut behind, mut filled) = (zero, zero, e.bool(true));
    for (size, stride) in sizes.zip(&array_parts.strides) {
        let steps = e.bin(arith::SubI::NAME, size, one);
        let reach = e.bin(arith::MulI::NAME, steps, *stride);
        before = e.bin(
            arith::AddI::NAME,
            before,
            e.bin(arith::MinSI::NAME, reach, zero),
        );
        behind = e.bin(
            arith::AddI::NAME,
            behind,
            e.bin(arith::MaxSI::NAME, reach, zero),
        );
        filled = e.and(filled, e.cmpi(CmpInt::Ne, size, zero));
    }
    let first = e.bin(arith::AddI::NAME, address, bytes(before));
    let last = e.bin(arith::AddI::NAME, address, bytes(behind));
    let end = e.bin(arith::AddI::NAME, last, e.i64(element_size(array.element)));
    Bounds {
        first,
        end: arith::Select::create(e, filled, end, first).result(),
    }
}
