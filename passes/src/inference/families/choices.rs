//! Functions that are chosen at run time: a variable that is one function on one path and another
//! one on another, an item of a tuple of functions.
//!
//! Such a value is one of a list of functions that is known at compile time: a `!typed.sequence` of
//! its position in the list, whose class is the list, and of the addresses of those functions in the
//! list of which the type alone is known. A call of it is a call of each function in a
//! branch of its own, so that their signatures needn't be the same, and small ones are inlined.

use super::{addresses, first_class, packed_keywords};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    infra::{
        AttributeExt,
        ops::{arith, typed},
    },
    types::{
        choices::{held, is_choice, join, members},
        functions::signature,
    },
};
use melior::ir::{Attribute, Type, attribute::ArrayAttribute, r#type::TupleType};
use pyopt_dialects::enums::{BinaryKind, CompareKind};
use pyopt_library as library;

/// The library's function that calls one of several.
const CALL: &str = "function.__call__";
/// The one that calls it with keywords, too.
const CALL_WITH_KEYWORDS: &str = "function.__call__(**)";

/// The position of the function in the list, and the values behind it.
fn opened<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    choice: Val<'c, 'a>,
    members: &[Attribute<'c>],
) -> (Val<'c, 'a>, Vec<Val<'c, 'a>>) {
    let si64 = e.si64();
    let held = held(members);
    let items: Vec<_> = [si64].into_iter().chain(held.iter().copied()).collect();
    let items = TupleType::new(e.context(), &items).into();
    let items = e.op(items, |b| typed::AsTuple::create(b, choice.ir()));
    let position = e.tuple_get(items, 0);
    let held = (1..=held.len()).map(|at| e.tuple_get(items, at)).collect();
    (position, held)
}

fn at_position<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    position: Val<'c, 'a>,
    held: Vec<Val<'c, 'a>>,
    members: &[Attribute<'c>],
) -> Val<'c, 'a> {
    let items: Vec<_> = [position].into_iter().chain(held).collect();
    let items = e.tuple(&items);
    let class = ArrayAttribute::new(e.context(), members).into();
    e.of_class(items, class)
}

/// The function that a member is; `held` is its value, if it has one.
fn member<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    member: Attribute<'c>,
    held: Option<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    match held.filter(|_| member.type_value().is_some()) {
        Some(held) => Ok(held),
        None => rules::constant(e, member),
    }
}

/// The value that stands where a function is none of that type.
fn nothing<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, ty: Type<'c>) -> Val<'c, 'a> {
    match signature(ty) {
        Some(_) => first_class::nothing(e, ty),
        None => addresses::c_function(e, ty, 0),
    }
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
    let mut own = Vec::new();
    if is_choice(operand.ty) {
        let (before, held) = opened(e, operand, &from);
        own = held;
        for (at, new) in (1..).zip(places) {
            let known = e.int(at);
            let is_here = e.compare(CompareKind::Eq, before, known);
            let new = e.int(new as i64);
            place = e.op(new.ty, |b| {
                arith::Select::create(b, is_here.ir(), new.ir(), place.ir())
            });
        }
    } else if from.iter().any(|one| one.type_value().is_some()) {
        own.push(operand);
    }
    place.literal = None;
    let held = held(&to).into_iter();
    let held = held
        .map(|ty| match own.iter().find(|value| value.ty == ty) {
            Some(value) => *value,
            None => nothing(e, ty),
        })
        .collect();
    Some(at_position(e, place, held, &to))
}

/// Whether two functions are the same one, where one of them at least is chosen at run time; nothing for
/// anything else.
pub(crate) fn identity<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    lhs: Val<'c, 'a>,
    rhs: Val<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    if !is_choice(lhs.ty) && !is_choice(rhs.ty) {
        return Ok(None);
    }
    let Some(ty) = join(e.context(), lhs.ty, rhs.ty) else {
        return Ok(None);
    };
    let members = members(e.context(), ty).ok_or(Stop::Unknown)?;
    if !held(&members).is_empty() {
        return Err(Stop::issue(
            "whether two functions are the same isn't known, as the type alone of one is",
        ));
    }
    let [Some(lhs), Some(rhs)] = [lhs, rhs].map(|side| coerce(e, side, ty)) else {
        return Err(Stop::Unknown);
    };
    let [(lhs, _), (rhs, _)] = [lhs, rhs].map(|side| opened(e, side, &members));
    Ok(Some(e.compare(CompareKind::Eq, lhs, rhs)))
}

/// Calls a function that is chosen at run time.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    choice: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let members = members(e.context(), choice.ty).ok_or(Stop::Unknown)?;
    if let [only] = members[..] {
        let (_, held) = opened(e, choice, &members);
        let function = member(e, only, held.first().copied())?;
        return rules::call(e, function, arguments.clone());
    }
    let (name, leading) = match arguments.keywords.is_empty() {
        true => (CALL, vec![choice]),
        false => {
            let keywords = packed_keywords::pack(e, &arguments.keywords);
            (CALL_WITH_KEYWORDS, vec![choice, keywords])
        }
    };
    let source = library::find(name).ok_or(Stop::Unknown)?;
    let operands = [&leading[..], arguments.positional.as_slice()].concat();
    rules::call_library(e, source, &Arguments::new(&operands, None))
}

/// Whether it is the first of the functions that it may be.
pub(crate) fn is_first<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    choice: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let members = members(e.context(), choice.ty).ok_or(Stop::Unknown)?;
    let (position, _) = opened(e, choice, &members);
    let zero = e.int(0);
    Ok(e.compare(CompareKind::Eq, position, zero))
}

/// The first of the functions that it may be.
pub(crate) fn first<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, choice: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let members = members(e.context(), choice.ty).ok_or(Stop::Unknown)?;
    let (_, held) = opened(e, choice, &members);
    member(e, members[0], held.first().copied())
}

/// The function as one of all but the first of those that it may be.
pub(crate) fn others<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, choice: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let members = members(e.context(), choice.ty).ok_or(Stop::Unknown)?;
    let (position, mut held) = opened(e, choice, &members);
    if members[0].type_value().is_some() {
        held.remove(0);
    }
    match members[1..] {
        [only] => member(e, only, held.first().copied()),
        ref rest => {
            let one = e.int(1);
            let position = e.binary(BinaryKind::Sub, position, one);
            Ok(at_position(e, position, held, rest))
        }
    }
}
