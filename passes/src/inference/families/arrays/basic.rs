//! `array[…]` by numbers, slices, None and `...`: elements and views.

use super::{
    assignment::assign,
    records,
    views::{has_ellipsis, is_full, names_element, subscripts, view},
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::elements,
        issue::{Typing, stop},
        rules,
        val::Val,
    },
    infra::ops::typed,
    types::{
        addresses::is_void_pointer, display::display, lists::is_any_list, number::is_scalar, tuples,
    },
};
use pyopt_dialects::typed::array_type;

/// `array[index]`.
pub(crate) fn get_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let subscripts = subscripts(e, array, index)?;
    // With an ellipsis even an element is an array, one without dimensions.
    if names_element(array, &subscripts) && !has_ellipsis(index) && records::of(array).is_none() {
        return Ok(elements::load(e, array, &subscripts));
    }
    Ok(view(e, array, &subscripts))
}

/// `array[index] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let subscripts = subscripts(e, array, index)?;
    if records::of(array).is_some() {
        let target = view(e, array, &subscripts);
        return records::assign(e, target, value);
    }
    if names_element(array, &subscripts) {
        let value = match array_type(value.ty) {
            Some(number) if number.rank == 0 => elements::load(e, value, &[]),
            _ => value,
        };
        // A pointer is a number here, as ctypes has it.
        if !is_scalar(value.ty) && !is_void_pointer(value.ty) {
            return stop(format!(
                "can't assign {} to an element of {}",
                display(value.ty),
                display(array.ty)
            ));
        }
        return elements::store(e, array, &subscripts, value);
    }
    if is_view_of(value, array, &subscripts) {
        // What `array[…] += x` changed in place already.
        return Ok(());
    }
    let target = match subscripts.iter().all(|subscript| is_full(*subscript)) {
        true => array,
        false => view(e, array, &subscripts),
    };
    let value = of_items(e, value)?;
    assign(e, target, value)
}

/// An array of the items of a list or a tuple; anything else as it is.
pub(crate) fn of_items<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match is_any_list(value.ty) || tuples::elements(value.ty).is_some() {
        true => rules::call_named(e, "numpy.array", &Arguments::new(&[value], None)),
        false => Ok(value),
    }
}

/// Whether a value was made by the same subscripts of the array.
fn is_view_of<'c, 'a>(value: Val<'c, 'a>, array: Val<'c, 'a>, subscripts: &[Val<'c, 'a>]) -> bool {
    let view = value.value.and_then(typed::View::defining);
    let subscripts: Option<Vec<_>> = subscripts.iter().map(|one| one.value).collect();
    view.is_some_and(|view| {
        Some(view.array()) == array.value && Some(view.subscripts()) == subscripts
    })
}
