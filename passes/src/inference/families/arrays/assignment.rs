//! Assignments to all elements of an array.

use crate::{
    inference::{
        emit::Emit,
        families::{
            elements::{element_type, elementwise},
            times,
        },
        issue::{Typing, stop},
        val::Val,
    },
    infra::ops::typed,
    types::{display::display, number::Number},
};

/// Assigns a number or an array to all elements.
pub(crate) fn assign<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    target: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let (from, to) = (element_type(value), element_type(target));
    let value = match times::are_among(&[value, target]) {
        true => elementwise(e, &[value], |e, elements| e.coerce(elements[0], to))?,
        false => value,
    };
    let fits = match (Number::of(from), Number::of(to)) {
        (Some(Number::Complex(_)), Some(to)) => matches!(to, Number::Complex(_)),
        (from, to) => {
            (from.is_some() && to.is_some()) || element_type(value) == element_type(target)
        }
    };
    if !fits {
        return stop(format!(
            "can't assign {} to {}",
            display(value.ty),
            display(target.ty)
        ));
    }
    e.effect(|b| typed::Assign::create(b, value.ir(), target.ir()));
    Ok(())
}
