//! Elements of arrays, by one int a dimension.

use crate::inference::{
    display::display,
    emit::{Emit, Val},
    issue::{Stop, Typing, stop},
    number::Number,
    tuples,
};
use melior::ir::Attribute;
use pyopt_dialects::typed::{ArrayType, array_type};

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

/// `array[index]`.
pub(crate) fn get_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let subscripts = subscripts(e, index);
    match element_indices(e, array, &subscripts)? {
        Some((indices, wraparound)) => {
            let element = element_type(array)?;
            let operands = [&[array], indices.as_slice()].concat();
            Ok(e.op("typed.load", &operands, element.element, &wraparound))
        }
        None => stop(format!(
            "no implementation of getitem for ({}, {})",
            display(array.ty),
            display(index.ty)
        )),
    }
}

/// `array[index] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    writable(array)?;
    let subscripts = subscripts(e, index);
    match element_indices(e, array, &subscripts)? {
        Some((indices, wraparound)) => {
            let element = element_type(array)?.element;
            let value = e.coerce(value, element)?;
            let operands = [&[value, array], indices.as_slice()].concat();
            e.effect("typed.store", &operands, &wraparound);
            Ok(())
        }
        None => stop(format!(
            "no implementation of setitem for ({}, {}, {})",
            display(array.ty),
            display(index.ty),
            display(value.ty)
        )),
    }
}

/// An index as a list: the items of a tuple, or itself.
fn subscripts<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, index: Val<'c, 'a>) -> Vec<Val<'c, 'a>> {
    tuples::unpack(e, index).unwrap_or_else(|| vec![index])
}

type Attributes<'c> = Vec<(&'static str, Attribute<'c>)>;

/// The indices of one element and whether negative ones may be among them; `None` when the
/// subscripts don't name one element.
fn element_indices<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    subscripts: &[Val<'c, 'a>],
) -> Typing<Option<(Vec<Val<'c, 'a>>, Attributes<'c>)>> {
    let rank = element_type(array)?.rank;
    if subscripts.len() != rank
        || !subscripts
            .iter()
            .all(|subscript| matches!(subscript.number(), Some(Number::Int { .. })))
    {
        return Ok(None);
    }
    let may_be_negative = subscripts.iter().any(|subscript| {
        !subscript.number().is_some_and(Number::is_unsigned)
            && subscript.literal_int().is_none_or(|index| index < 0)
    });
    let si64 = e.si64();
    let indices = subscripts
        .iter()
        .map(|subscript| e.cast(*subscript, si64))
        .collect();
    let mut attributes = Vec::new();
    if may_be_negative {
        attributes.push(("wraparound", Attribute::unit(e.context())));
    }
    Ok(Some((indices, attributes)))
}

fn element_type<'c>(array: Val<'c, '_>) -> Typing<ArrayType<'c>> {
    array_type(array.ty).ok_or(Stop::Unknown)
}

/// Reports an array that can't be assigned to.
pub(super) fn writable(array: Val) -> Typing<()> {
    match array_type(array.ty) {
        Some(ArrayType { readonly: true, .. }) => Err(Stop::issue(format!(
            "can't assign to {}",
            display(array.ty)
        ))
        .hint("make a copy first")),
        _ => Ok(()),
    }
}
