//! Iteration: ranges and arrays.

use super::{
    display::display,
    emit::{Emit, Val},
    issue::{Stop, Typing},
};
use melior::{Context, ir::Type};
use pyopt_dialects::typed::{ArrayType, Layout, TypedType};

/// `iter(operand)`.
pub(crate) fn get_iter<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    match TypedType::from(operand.ty) {
        TypedType::Range(_) => {}
        TypedType::Array(array) if array.rank > 0 => {}
        TypedType::Iter(_) => return Ok(operand),
        _ => {
            return Err(Stop::issue(format!(
                "iteration over {} is not supported",
                display(operand.ty)
            ))
            .hint("iterate over a range or an array"));
        }
    }
    let ty = e.type_of(TypedType::Iter(operand.ty));
    Ok(e.op("typed.iter", &[operand], ty, &[]))
}

/// The type of an iterator's items: ints of a range, elements or views of an array.
pub(crate) fn item_type<'c>(context: &'c Context, iterator: Type<'c>) -> Option<Type<'c>> {
    let TypedType::Iter(iterable) = TypedType::from(iterator) else {
        return None;
    };
    match TypedType::from(iterable) {
        TypedType::Range(element) => Some(element),
        TypedType::Array(array) if array.rank == 1 => Some(array.element),
        TypedType::Array(array) => Some(
            ArrayType {
                rank: array.rank - 1,
                layout: row_layout(array.layout),
                ..array
            }
            .to_type(context),
        ),
        _ => None,
    }
}

/// The layout of `array[i]` for one int: rows of a C array are contiguous.
pub(crate) const fn row_layout(layout: Layout) -> Layout {
    match layout {
        Layout::C => Layout::C,
        Layout::F | Layout::A => Layout::A,
        Layout::Bytes => Layout::Bytes,
    }
}
