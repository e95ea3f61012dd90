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
use pyopt_dialects::typed::ArrayType;

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
    let reaches = e.and(
        e.cmpi(CmpInt::Ult, one.first, other.end),
        e.cmpi(CmpInt::Ult, other.first, one.end),
    );
    let empty = e.or(one.empty, other.empty);
    Ok(vec![vec![e.and(reaches, e.not(empty))]])
}

/// The memory that an array lies in.
struct Bounds<'c, 'a> {
    /// The address of the first byte.
    first: Value<'c, 'a>,
    /// The address behind the last byte.
    end: Value<'c, 'a>,
    /// Whether there are no elements.
    empty: Value<'c, 'a>,
}

fn bounds<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    array: ArrayType<'c>,
    values: &[Value<'c, 'a>],
) -> Bounds<'c, 'a> {
    let array_parts = parts(e, array, values);
    let element = e.i64(element_size(array.element));
    let address = e.to(llvm::PtrToInt::NAME, array_parts.data, e.i(64));
    let (zero, one) = (e.i64(0), e.i64(1));
    let (mut before, mut behind, mut empty) = (zero, zero, e.bool(false));
    for (size, stride) in array_parts.sizes.iter().zip(&array_parts.strides) {
        let steps = e.bin(arith::SubI::NAME, *size, one);
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
        empty = e.or(empty, e.cmpi(CmpInt::Eq, *size, zero));
    }
    let bytes = |distance| to_bytes(e, array, distance);
    let last = e.bin(arith::AddI::NAME, address, bytes(behind));
    Bounds {
        first: e.bin(arith::AddI::NAME, address, bytes(before)),
        end: e.bin(arith::AddI::NAME, last, element),
        empty,
    }
}
