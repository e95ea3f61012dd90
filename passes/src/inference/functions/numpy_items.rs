//! `numpy.array` of tuples and list displays, nested or not.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{arrays, dtypes::dtype_or, elements, wrappers},
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    types::{join::join_types, number::is_scalar},
};
use pyopt_dialects::typed::{ArrayType, array_type};

/// An array of the items, which are numbers, arrays of one shape, or again items.
pub(super) fn from_items<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    items: &[Val<'c, 'a>],
    dtype: Option<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let is_array = |item: &Val| array_type(item.ty).is_some_and(|array| array.rank > 0);
    if !items.is_empty() && items.iter().all(is_array) {
        let items = e.tuple(items);
        let joined = rules::call_named(e, "numpy.stack", &Arguments::new(&[items], None))?;
        let element = dtype_or(e, dtype, elements::element_type(joined))?;
        return arrays::convert(e, joined, element);
    }
    let mut sizes = Vec::new();
    let mut numbers = Vec::new();
    flatten(e, items, 0, &mut sizes, &mut numbers)?;
    let mut joined = numbers.first().map_or_else(|| e.f64(), |number| number.ty);
    for number in &numbers {
        joined = Some(number.ty)
            .filter(|ty| is_scalar(*ty))
            .and_then(|ty| join_types(e.context(), joined, ty))
            .ok_or_else(|| arguments.no_implementation())?;
    }
    let element = dtype_or(e, dtype, joined)?;
    let extents: Vec<_> = sizes.iter().map(|size| e.int(*size as i64)).collect();
    let ty = ArrayType::contiguous(sizes.len(), element);
    let array = elements::empty(e, &extents, ty, false);
    for (position, number) in numbers.into_iter().enumerate() {
        let mut rest = position;
        let mut index: Vec<_> = sizes
            .iter()
            .rev()
            .map(|size| {
                let index = e.int((rest % size) as i64);
                rest /= size;
                index
            })
            .collect();
        index.reverse();
        let index = match *index.as_slice() {
            [index] => index,
            _ => e.tuple(&index),
        };
        arrays::set_item(e, array, index, number)?;
    }
    Ok(array)
}

/// Lists the numbers in nested items in order, and how many there are on each level.
fn flatten<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    items: &[Val<'c, 'a>],
    level: usize,
    sizes: &mut Vec<usize>,
    numbers: &mut Vec<Val<'c, 'a>>,
) -> Typing<()> {
    let uneven = || {
        let message = "setting an array element with a sequence: the rows have several lengths";
        Stop::Raises("ValueError", message.into())
    };
    // Behind the first number all items on its level are numbers.
    match sizes.get(level) {
        None if numbers.is_empty() => sizes.push(items.len()),
        Some(size) if *size == items.len() => {}
        _ => return Err(uneven()),
    }
    for item in items {
        match e.unpack(*item) {
            Some(inner) => flatten(e, &inner, level + 1, sizes, numbers)?,
            None if sizes.len() == level + 1 => numbers.push(wrappers::held(e, *item)),
            None => return Err(uneven()),
        }
    }
    Ok(())
}
