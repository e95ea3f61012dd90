//! Arrays of one element as numbers: `array.item()`, `bool(array)`, `float(array)`.

use super::records;
use crate::inference::{
    emit::Emit,
    families::elements::{load, size},
    issue::Typing,
    rules,
    val::Val,
};
use pyopt_dialects::{enums::CompareKind, typed::array_type};

/// The element of an array that must have exactly one.
pub(crate) fn only_element<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let message = "can only convert an array of size 1 to a Python scalar";
    compare_size(e, array, CompareKind::Ne, message);
    Ok(first(e, array))
}

/// The truth value of the only element, as branches and `bool(array)` ask for it.
pub(crate) fn truth<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    compare_size(
        e,
        array,
        CompareKind::Gt,
        "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
    );
    compare_size(
        e,
        array,
        CompareKind::Lt,
        "The truth value of an empty array is ambiguous. \
         Use `array.size > 0` to check that an array is not empty.",
    );
    let element = first(e, array);
    rules::truth(e, element)
}

/// Raises ValueError for an array with more elements than one, fewer, or either.
fn compare_size<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    kind: CompareKind,
    message: &str,
) {
    if array_type(array.ty).is_some_and(|array| array.rank == 0) {
        return;
    }
    let size = size(e, array);
    let one = e.int(1);
    let wrong = e.compare(kind, size, one);
    e.raise_if(wrong, "ValueError", Some(message));
}

/// The first element; of records the array without dimensions itself.
fn first<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, array: Val<'c, 'a>) -> Val<'c, 'a> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    if rank == 0 && records::of(array).is_some() {
        return array;
    }
    let indices: Vec<_> = (0..rank).map(|_| e.int(0)).collect();
    load(e, array, &indices)
}
