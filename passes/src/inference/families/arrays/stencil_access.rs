//! `array[…]` in the kernel of a stencil: elements and windows at offsets from the current element.

use super::views;
use crate::{
    inference::{
        emit::Emit,
        families::{
            elements::{dimensions, element_type},
            slices::{slice, slice_part},
        },
        issue::Typing,
        program::kernel::problem,
        val::{Val, values},
    },
    infra::ops::stencil,
    types::{display::display, number::Number},
};
use pyopt_dialects::{enums::BinaryKind, typed::TypedType};

/// `array[offsets]`: an element where all offsets are ints, else a view.
pub(super) fn access<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let rank = dimensions(e, array).len();
    let given = e.unpack(index).unwrap_or_else(|| vec![index]);
    if !given
        .iter()
        .all(|offset| matches!(offset.number(), Some(Number::Int { .. })) || is_slice(*offset))
    {
        return Err(problem(format!(
            "{} is no index of a kernel's array",
            display(index.ty)
        ))
        .hint("use ints and slices, one a dimension"));
    }
    if given.len() != rank {
        return Err(problem(format!(
            "index does not match array dimensionality: {} indices for {}",
            given.len(),
            display(array.ty)
        )));
    }
    if given.iter().any(|offset| is_slice(*offset)) {
        return window(e, array, &given);
    }
    let si64 = e.si64();
    let mut offsets = Vec::new();
    for (index, offset) in given.into_iter().enumerate() {
        let known = offset.literal_int();
        reach(e, index, known)?;
        offsets.push(match known {
            Some(value) => e.int(value),
            None => e.cast(offset, si64),
        });
    }
    let element = element_type(array);
    Ok(e.op(element, |b| {
        stencil::Access::create(b, array.ir(), &values(&offsets), element)
    }))
}

/// `array[-1:2, 0]`: the view of the elements between offsets. What it reads isn't known, so the
/// decorator has to say how far that is.
fn window<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    offsets: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let mut subscripts = Vec::new();
    for (index, &offset) in offsets.iter().enumerate() {
        if !is_slice(offset) {
            reach(e, index, offset.literal_int())?;
            subscripts.push(shift(e, index, offset));
            continue;
        }
        let [start, stop, step] = [0, 1, 2].map(|part| slice_part(e, offset, part));
        if start.is_none() || stop.is_none() {
            return Err(problem("a relative slice needs a start and a stop")
                .hint("write a[-1:2] for the elements from one before to one behind"));
        }
        reach(e, index, None)?;
        if let (Some(first), Some(end)) = (start.literal_int(), stop.literal_int())
            && first < end
        {
            reach(e, index, Some(first))?;
            reach(e, index, Some(end - 1))?;
        }
        let (start, stop) = (shift(e, index, start), shift(e, index, stop));
        subscripts.push(slice(e, start, stop, step)?);
    }
    Ok(views::view(e, array, &subscripts))
}

fn is_slice(offset: Val) -> bool {
    matches!(TypedType::from(offset.ty), TypedType::Slice(_))
}

/// Takes note of an offset in the kernel that is typed.
fn reach(e: &mut Emit<'_, '_, '_>, dimension: usize, offset: Option<i64>) -> Typing<()> {
    let id = e.specialization;
    match &mut e.program.specializations[id].kernel {
        Some(kernel) => kernel.reach(dimension, offset),
        None => Ok(()),
    }
}

/// The index that an offset stands for.
fn shift<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, dimension: usize, offset: Val<'c, 'a>) -> Val<'c, 'a> {
    let si64 = e.si64();
    let offset = e.cast(offset, si64);
    let position = e.op(si64, |b| {
        stencil::Position::create(b, dimension as i64, si64)
    });
    e.binary(BinaryKind::Add, position, offset)
}
