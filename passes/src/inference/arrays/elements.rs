//! Elements and sizes of arrays.

use crate::{
    inference::{
        emit::{Emit, Val, values},
        issue::{Stop, Typing},
    },
    infra::ops::typed,
    types::display::display,
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind},
    typed::{ArrayType, array_type},
};

/// A new array, its elements undefined or zero.
pub(crate) fn empty<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    sizes: &[Val<'c, 'a>],
    array: ArrayType<'c>,
    zeroed: bool,
) -> Val<'c, 'a> {
    let ty = array.to_type(e.context());
    e.op(ty, |b| {
        let empty = typed::Empty::create(b, &values(sizes), &[], ty);
        empty.set_zeroed(zeroed);
        empty
    })
}

/// The size of a dimension.
pub(crate) fn dimension<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: usize,
) -> Val<'c, 'a> {
    let si64 = e.si64();
    e.op(si64, |b| {
        typed::Dim::create(b, array.ir(), index as i64, si64)
    })
}

/// The sizes of all dimensions.
pub(crate) fn dimensions<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    (0..rank).map(|index| dimension(e, array, index)).collect()
}

/// The element at one integer or index a dimension.
pub(crate) fn load<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    indices: &[Val<'c, 'a>],
) -> Val<'c, 'a> {
    let ty = super::element_type(array);
    e.op(ty, |b| {
        let load = typed::Load::create(b, array.ir(), &values(indices), ty);
        load.set_wraparound(may_be_negative(indices));
        load
    })
}

/// Assigns to the element at one integer a dimension.
pub(super) fn store<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    indices: &[Val<'c, 'a>],
    value: Val<'c, 'a>,
) -> Typing<()> {
    let value = e.coerce(value, super::element_type(array))?;
    e.effect(|b| {
        let store = typed::Store::create(b, value.ir(), array.ir(), &values(indices));
        store.set_wraparound(may_be_negative(indices));
    });
    Ok(())
}

/// Raises IndexError for an int that names no element of its dimension, where that is asked for.
/// Among the subscripts, None makes a new dimension and takes none of the array's.
pub(super) fn check_bounds<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    subscripts: &[Val<'c, 'a>],
) {
    if !e.checks_bounds() {
        return;
    }
    let taken = subscripts.iter().filter(|subscript| !subscript.is_none());
    for (index, &subscript) in taken.enumerate() {
        if subscript.number().is_none() {
            continue;
        }
        let size = dimension(e, array, index);
        let zero = e.int(0);
        let first = e.binary(BinaryKind::Sub, zero, size);
        let below = e.compare(CompareKind::Lt, subscript, first);
        let above = e.compare(CompareKind::Ge, subscript, size);
        let outside = e.or(below, above);
        e.raise_if(outside, "IndexError", Some("index is out of bounds"));
    }
}

/// Whether an index may be negative.
fn may_be_negative(indices: &[Val]) -> bool {
    indices.iter().any(|index| {
        // What is no number is an index of a counted loop.
        index.number().is_some_and(|number| !number.is_unsigned())
            && index.literal_int().is_none_or(|index| index < 0)
    })
}

/// Reports an array that can't be assigned to.
pub(crate) fn require_writable(array: Val) -> Typing<()> {
    match array_type(array.ty) {
        Some(ArrayType { readonly: true, .. }) => Err(Stop::issue(format!(
            "can't assign to {}",
            display(array.ty)
        ))
        .hint("make a copy first: a = a.copy()")),
        _ => Ok(()),
    }
}
