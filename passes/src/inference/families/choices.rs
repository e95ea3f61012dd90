//! Functions that are chosen at run time: a variable that is one function on one path and another
//! one on another, an item of a tuple of functions.
//!
//! Such a value is one of a list of functions that is known at compile time: a `!typed.sequence` of
//! its position in the list, whose class is the list. A call of it is a call of each function in a
//! branch of its own, so that their signatures needn't be the same, and small ones are inlined.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    infra::ops::{arith, typed},
    library,
    types::choices::{is_choice, members},
};
use melior::ir::{Attribute, Type, attribute::ArrayAttribute, r#type::TupleType};
use pyopt_dialects::enums::{BinaryKind, CompareKind};

/// The library's function that calls one of several.
const CALL: &str = "function.__call__";

/// The position of the function in the list.
fn position<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, choice: Val<'c, 'a>) -> Val<'c, 'a> {
    let si64 = e.si64();
    let items = TupleType::new(e.context(), &[si64]).into();
    let items = e.op(items, |b| typed::AsTuple::create(b, choice.ir()));
    e.tuple_get(items, 0)
}

fn at_position<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    position: Val<'c, 'a>,
    members: &[Attribute<'c>],
) -> Val<'c, 'a> {
    let items = e.tuple(&[position]);
    let class = ArrayAttribute::new(e.context(), members).into();
    e.of_class(items, class)
}

/// Converts a function to one of several; nothing for anything else.
pub(crate) fn coerce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    operand: Val<'c, 'a>,
    ty: Type<'c>,
) -> Option<Val<'c, 'a>> {
    if !is_choice(ty) {
        return None;
    }
    let context = e.context();
    let (from, to) = (members(context, operand.ty)?, members(context, ty)?);
    let places: Option<Vec<_>> = from
        .iter()
        .map(|one| to.iter().position(|other| other == one))
        .collect();
    let mut places = places?.into_iter();
    let mut place = e.int(places.next()? as i64);
    if is_choice(operand.ty) {
        let before = position(e, operand);
        for (at, new) in (1..).zip(places) {
            let known = e.int(at);
            let is_here = e.compare(CompareKind::Eq, before, known);
            let new = e.int(new as i64);
            place = e.op(new.ty, |b| {
                arith::Select::create(b, is_here.ir(), new.ir(), place.ir())
            });
        }
    }
    place.literal = None;
    Some(at_position(e, place, &to))
}

/// Calls a function that is chosen at run time.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    choice: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if !arguments.keywords.is_empty() {
        return Err(Stop::issue(
            "a function that is chosen at run time takes no keyword arguments",
        )
        .hint("pass all arguments by position"));
    }
    let source = library::find(CALL).ok_or(Stop::Unknown)?;
    let operands = [&[choice], arguments.positional.as_slice()].concat();
    rules::call_library(e, source, &Arguments::new(&operands, None))
}

/// Whether it is the first of the functions that it may be.
pub(crate) fn is_first<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, choice: Val<'c, 'a>) -> Val<'c, 'a> {
    let position = position(e, choice);
    let zero = e.int(0);
    e.compare(CompareKind::Eq, position, zero)
}

/// The first of the functions that it may be.
pub(crate) fn first<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, choice: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let members = members(e.context(), choice.ty).ok_or(Stop::Unknown)?;
    rules::constant(e, members[0])
}

/// The function as one of all but the first of those that it may be.
pub(crate) fn others<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, choice: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let members = members(e.context(), choice.ty).ok_or(Stop::Unknown)?;
    match members[1..] {
        [only] => rules::constant(e, only),
        ref rest => {
            let position = position(e, choice);
            let one = e.int(1);
            let position = e.binary(BinaryKind::Sub, position, one);
            Ok(at_position(e, position, rest))
        }
    }
}
