//! Iteration: ranges, arrays and tuples whose items have one type.

use super::{
    display::display,
    emit::{Emit, Val},
    issue::{Stop, Typing},
    tuples,
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
        TypedType::Other(tuple) if common_item(tuple).is_some() => {}
        TypedType::Other(tuple) if tuples::elements(tuple).is_some() => {
            return Err(Stop::issue(format!(
                "iteration over {}, whose items have no common type",
                display(tuple)
            ))
            .hint("iterate over a tuple whose items have one type, or use constant indices"));
        }
        _ => {
            return Err(Stop::issue(format!(
                "iteration over {} is not supported",
                display(operand.ty)
            ))
            .hint("iterate over a range, an array or a tuple"));
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
        TypedType::Other(tuple) => common_item(tuple),
        _ => None,
    }
}

/// The type that all items of a tuple have.
fn common_item(r#type: Type) -> Option<Type> {
    let elements = tuples::elements(r#type)?;
    let first = *elements.first()?;
    elements.iter().all(|item| *item == first).then_some(first)
}

/// The layout of `array[i]` for one int: rows of a C array are contiguous.
pub(crate) const fn row_layout(layout: Layout) -> Layout {
    match layout {
        Layout::C => Layout::C,
        Layout::F | Layout::A => Layout::A,
        Layout::Bytes => Layout::Bytes,
    }
}
