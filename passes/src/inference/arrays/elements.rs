//! Elements and sizes of arrays.

use crate::inference::{
    display::display,
    emit::{Emit, Val},
    issue::{Stop, Typing},
};
use melior::ir::{Attribute, attribute::DenseI32ArrayAttribute};
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
    let context = e.context();
    let segments = DenseI32ArrayAttribute::new(context, &[sizes.len() as i32, 0]).into();
    let mut attributes = vec![("operandSegmentSizes", segments)];
    if zeroed {
        attributes.push(("zeroed", Attribute::unit(context)));
    }
    e.op("typed.empty", sizes, array.to_type(context), &attributes)
}

/// The size of a dimension.
pub(crate) fn dimension<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: usize,
) -> Val<'c, 'a> {
    let si64 = e.si64();
    let attribute = e.i64_attribute(index as i64);
    e.op("typed.dim", &[array], si64, &[("dimension", attribute)])
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
    let attributes = wraparound(e, indices);
    let operands = [&[array], indices].concat();
    e.op(
        "typed.load",
        &operands,
        super::element_type(array),
        &attributes,
    )
}

/// Assigns to the element at one integer a dimension.
pub(super) fn store<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    indices: &[Val<'c, 'a>],
    value: Val<'c, 'a>,
) -> Typing<()> {
    let value = e.coerce(value, super::element_type(array))?;
    let attributes = wraparound(e, indices);
    let operands = [&[value, array], indices].concat();
    e.effect("typed.store", &operands, &attributes);
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

/// Says so when an index may be negative.
fn wraparound<'c>(
    e: &Emit<'_, 'c, '_>,
    indices: &[Val<'c, '_>],
) -> Vec<(&'static str, Attribute<'c>)> {
    let may_be_negative = indices.iter().any(|index| {
        // What is no number is an index of a counted loop.
        index.number().is_some_and(|number| !number.is_unsigned())
            && index.literal_int().is_none_or(|index| index < 0)
    });
    match may_be_negative {
        true => vec![("wraparound", Attribute::unit(e.context()))],
        false => Vec::new(),
    }
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
