//! `array[…]`, by the kind of index: in kernels of stencils, by masks and arrays, or basic.

use super::{advanced, assignment::assign, basic, stencil, stencil_access};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::elements::{dimension, element_type, elementwise, require_writable},
        issue::Typing,
        program::kernel::problem,
        rules,
        val::Val,
    },
    types::{
        lists::is_any_list,
        number::{Number, is_scalar},
        tuples::elements,
    },
};
use pyopt_dialects::{enums::CompareKind, typed::array_type};
use pyopt_library as library;

/// `array[index]`.
pub(crate) fn get_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if stencil::is_relative(array) {
        return stencil_access::access(e, array, index);
    }
    let index = with_arrays(e, index)?;
    if advanced::has_array(index) {
        return match array_type(index.ty).zip(library::find("array.__getitem__")) {
            Some((only, source)) if only.rank > 0 => {
                rules::call_library(e, source, &Arguments::new(&[array, index], None))
            }
            _ => advanced::get_item(e, array, index),
        };
    }
    basic::get_item(e, array, index)
}

/// `array[index] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    if stencil::is_relative(array) {
        return Err(problem("kernels can't assign to their arrays")
            .hint("return the new value of the element"));
    }
    require_writable(array)?;
    let index = with_arrays(e, index)?;
    let rank = |operand: Val| array_type(operand.ty).map_or(0, |array| array.rank);
    if is_mask(index) && is_scalar(value.ty) && rank(index) == rank(array) {
        return assign_masked(e, array, index, value);
    }
    if advanced::has_array(index) {
        let value = basic::of_items(e, value)?;
        return advanced::set_item(e, array, index, value);
    }
    basic::set_item(e, array, index, value)
}

/// An index in which lists are arrays.
fn with_arrays<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, index: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    if is_any_list(index.ty) {
        return basic::of_items(e, index);
    }
    let parts = elements(index.ty).unwrap_or_default();
    if !parts.into_iter().any(is_any_list) {
        return Ok(index);
    }
    let parts = e.unpack(index).unwrap_or_default().into_iter();
    let parts = parts.map(|part| match is_any_list(part.ty) {
        true => basic::of_items(e, part),
        false => Ok(part),
    });
    let parts = parts.collect::<Typing<Vec<_>>>()?;
    Ok(e.tuple(&parts))
}

/// Assigns a number where a mask of the array's shape holds.
fn assign_masked<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    mask: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let rank = |operand: Val| array_type(operand.ty).map_or(0, |array| array.rank);
    for index in 0..rank(array) {
        let (size, other) = (dimension(e, array, index), dimension(e, mask, index));
        let differs = e.compare(CompareKind::Ne, size, other);
        let message = advanced::mask_differs(index);
        e.raise_with(differs, "IndexError", &message, &[size, other]);
    }
    let value = e.coerce(value, element_type(array))?;
    let result = elementwise(e, &[mask, array, value], |e, elements| {
        Ok(e.select(elements[0], elements[2], elements[1]))
    })?;
    assign(e, array, result)
}

fn is_mask(index: Val) -> bool {
    array_type(index.ty).is_some_and(|index| Number::of(index.element) == Some(Number::Bool))
}
