//! Implicit conversions.

use crate::{
    inference::{
        emit::Emit,
        families::{
            addresses, choices, closures, exceptions, first_class, lists, optional, overloads,
            structures, tables, times, wrappers,
        },
        issue::{Stop, Typing},
        val::Val,
    },
    infra::ops::typed,
    types::{
        display::display,
        number::Number,
        sequences::{class_of, long_tuple_item},
        tuples::elements,
    },
};
use melior::ir::Type;
use pyopt_dialects::typed::{TypedType, array_type};

/// Converts a value to a type that holds it: a wider number, an array with a looser layout, a
/// tuple of such, None or a value.
pub(super) fn coerce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    if operand.ty == ty {
        return Ok(operand);
    }
    if let Some(converted) = optional::coerce(e, operand, ty) {
        return converted;
    }
    let held = wrappers::held(e, operand);
    if held.ty != operand.ty && (Number::of(held.ty).is_some() || held.ty == ty) {
        return coerce(e, held, ty);
    }
    if let (Some(from), Some(to)) = (operand.number(), Number::of(ty)) {
        let loses_imaginary_part =
            matches!(from, Number::Complex(_)) && !matches!(to, Number::Complex(_) | Number::Bool);
        if !loses_imaginary_part {
            return Ok(e.cast(operand, ty));
        }
    }
    if let Some(converted) = times::assigned(e, operand, ty) {
        return converted;
    }
    if let (Some(from), Some(to)) = (array_type(operand.ty), array_type(ty))
        && from.rank == to.rank
        && from.element == to.element
        && (to.readonly || !from.readonly)
        && (from.layout == to.layout || !to.layout.is_contiguous())
    {
        return Ok(e.op(ty, |b| typed::View::create(b, operand.ir(), &[], ty)));
    }
    if let Some(converted) = addresses::coerce(e, operand, ty) {
        return converted;
    }
    if let Some(converted) = lists::coerce(e, operand, ty) {
        return converted;
    }
    if let Some(converted) = tables::coerce(e, operand, ty) {
        return converted;
    }
    if let Some(converted) = choices::coerce(e, operand, ty) {
        return Ok(converted);
    }
    if let Some(converted) = first_class::coerce(e, operand, ty) {
        return Ok(converted);
    }
    if let Some(converted) = closures::coerce(e, operand, ty) {
        return converted;
    }
    if long_tuple_item(ty).is_some()
        && class_of(operand.ty).is_none()
        && let Some(items) = e.unpack(operand)
    {
        return structures::long_tuple(e, &items, ty);
    }
    if let (Some(items), Some(types)) = (e.unpack(operand), elements(ty))
        && items.len() == types.len()
        && class_of(operand.ty) == class_of(ty)
    {
        let items = items
            .into_iter()
            .zip(types)
            .map(|(item, ty)| e.coerce(item, ty))
            .collect::<Typing<Vec<_>>>()?;
        let tuple = e.tuple(&items);
        return Ok(match TypedType::from(ty) {
            TypedType::Sequence(_, class) => e.of_class(tuple, class),
            _ => tuple,
        });
    }
    if TypedType::from(ty) == TypedType::Exception
        && let Some(exception) = exceptions::make(e, operand)
    {
        return Ok(exception);
    }
    if let Some(converted) = overloads::cast(e, operand, ty)? {
        return Ok(converted);
    }
    Err(Stop::issue(format!(
        "can't convert {} to {}",
        display(operand.ty),
        display(ty)
    )))
}
