//! Borders of arrays, which the runtime fills.

use super::{
    Lowered, Site,
    array::{operand_array, parts, to_bytes},
    element::{store_at, to_memory},
    stack_words::StackWords,
};
use crate::{infra::ops::typed, types::layout::element_size};

/// Lowers `typed.fill_border`: the words are size, stride in bytes, start and end of each dimension, and the value.
pub(super) fn fill<'c, 'a>(
    op: typed::FillBorder<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let at = typed::FillBorder::ARRAY_OPERAND;
    let array = operand_array(site, at)?;
    let parts = parts(e, array, &site.operands[at]);
    let item = element_size(array.element);
    let value = to_memory(
        e,
        site.one(typed::FillBorder::VALUE_OPERAND)?,
        array.element,
    );

    let behind = 4 * array.rank;
    let words = StackWords::new(site, behind + (item as usize).div_ceil(8))?;
    let bounds = op.starts_range().zip(op.ends_range());
    for (dimension, (start, end)) in bounds.enumerate() {
        let stride = to_bytes(e, array, parts.strides[dimension]);
        let start = e.index_cast(site.one(start)?, e.i(64));
        let end = e.index_cast(site.one(end)?, e.i(64));
        words.set(4 * dimension, [parts.sizes[dimension], stride, start, end]);
    }
    store_at(e, value, words.place(behind), None);
    let numbers = [array.rank as i64, item].map(|number| e.i64(number));
    let inputs = [parts.data, words.address, numbers[0], numbers[1]];
    e.call("pyopt_fill_border", &inputs, &[]);
    Ok(vec![])
}
