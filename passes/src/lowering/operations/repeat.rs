//! Operands of a broadcast: one call of the runtime gives all of them the result's sizes.

use super::{
    Lowered, Site,
    alloc::raise_unallocated,
    array::{Parts, assemble, contiguous_strides, operand_array, parts},
    control::{raise_with, released},
    stack_words::StackWords,
};
use crate::{
    infra::{CmpInt, PassResult, messages::shapes_differ, ops::typed},
    types::layout::element_size,
};
use melior::ir::Value;
use pyopt_dialects::typed::{ArrayType, Layout};
use std::ops::Range;

/// Words of an operand's record before its sizes and strides: owner and data.
const FIELDS: usize = 2;

/// What the runtime returns when memory is short.
const NO_MEMORY: i64 = -1;

/// Lowers `typed.broadcast`.
pub(super) fn broadcast<'c, 'a>(
    op: typed::Broadcast<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let at = typed::Broadcast::ARRAY_OPERAND;
    lower(site, at..at + 1, op.sizes_range(), op.owned_range())
}

/// Lowers `typed.repeat`.
pub(super) fn repeat<'c, 'a>(
    op: typed::Repeat<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    lower(site, op.arrays_range(), op.sizes_range(), op.owned_range())
}

/// Writes the table that the runtime's `pyopt_repeat` describes, calls it, raises what it says and reads what the
/// operands have become.
fn lower<'c, 'a>(
    site: &Site<'_, 'c, 'a>,
    arrays: Range<usize>,
    sizes: Range<usize>,
    owned: Range<usize>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let sizes: Vec<_> = sizes
        .map(|at| Ok(e.index_cast(site.one(at)?, e.i(64))))
        .collect::<PassResult<_>>()?;
    let operands: Vec<_> = arrays
        .map(|at| {
            let array = operand_array(site, at)?;
            Ok((array, parts(e, array, &site.operands[at])))
        })
        .collect::<PassResult<_>>()?;
    let rank = sizes.len();
    let mut description = vec![rank as i64, operands.len() as i64];
    let mut records = Vec::new();
    let mut end = rank;
    for (array, _) in &operands {
        description.extend([array.rank as i64, element_size(array.element), form(*array)]);
        records.push(end);
        end += FIELDS + array.rank + if has_strides(*array) { array.rank } else { 0 };
    }
    let description = description.into_iter().flat_map(i64::to_le_bytes).collect();

    let table = StackWords::new(site, end)?;
    table.set(0, sizes.iter().copied());
    for ((array, parts), record) in operands.iter().zip(&records) {
        let strides = has_strides(*array).then_some(&parts.strides);
        let shape = parts.sizes.iter().chain(strides.into_iter().flatten());
        let words = [parts.owner, parts.data].into_iter();
        table.set(*record, words.chain(shape.copied()));
    }
    let inputs = [e.data(description), table.address];
    let status = e.call_value("pyopt_repeat", &inputs, e.i(64));

    let owned = released(site, owned);
    let mut ranks: Vec<_> = operands.iter().map(|(array, _)| array.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    for own in ranks {
        let is_misfit = e.cmpi(CmpInt::Eq, status, e.i64(own as i64));
        let mut shapes = sizes[rank - own..].to_vec();
        shapes.extend((rank - own..rank).map(|at| table.get(at, e.i(64))));
        let message = shapes_differ([own, own]);
        raise_with(e, is_misfit, "ValueError", (&message, &shapes), &owned);
    }
    let is_short = e.cmpi(CmpInt::Eq, status, e.i64(NO_MEMORY));
    raise_unallocated(e, is_short, &owned);

    let results = operands.iter().zip(records);
    Ok(results
        .map(|((array, _), record)| {
            let own = &sizes[rank - array.rank..];
            assemble(e, *array, &operand(&table, record, *array, own))
        })
        .collect())
}

/// The array that the operand of a record has become.
fn operand<'c, 'a>(
    words: &StackWords<'_, '_, 'c, 'a>,
    record: usize,
    array: ArrayType<'c>,
    sizes: &[Value<'c, 'a>],
) -> Parts<'c, 'a> {
    let e = words.emit;
    let strides = if has_strides(array) {
        let first = record + FIELDS + array.rank;
        let places = first..first + array.rank;
        places.map(|at| words.get(at, e.i(64))).collect()
    } else {
        contiguous_strides(e, array.layout, sizes)
    };
    Parts {
        owner: words.get(record, e.ptr()),
        data: words.get(record + 1, e.ptr()),
        sizes: sizes.to_vec(),
        strides,
    }
}

/// The runtime's number of a layout.
fn form(array: ArrayType) -> i64 {
    match array.layout {
        Layout::C => 0,
        Layout::F => 1,
        Layout::A => 2,
        Layout::Bytes => 3,
    }
}

/// Whether strides don't follow from the sizes.
fn has_strides(array: ArrayType) -> bool {
    !array.layout.is_contiguous()
}
