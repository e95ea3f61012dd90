//! Universal functions that put their result into an array: `numpy.add(a, b, out)`.

use super::numpy;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{arrays, elements},
        issue::{Stop, Typing},
        val::Val,
    },
    types::{display::display, join::join_times, names::last_part, number::Number},
};
use pyopt_dialects::typed::array_type;

/// Functions besides the tables' that take an array for the result, and how many arguments are before
/// it.
const OTHERS: &[(&str, usize)] = &[
    ("numpy.around", 2),
    ("numpy.clip", 3),
    ("numpy.float_power", 2),
    ("numpy.gcd", 2),
    ("numpy.heaviside", 2),
    ("numpy.lcm", 2),
    ("numpy.ldexp", 2),
    ("numpy.logaddexp", 2),
    ("numpy.logaddexp2", 2),
    ("numpy.round", 2),
    ("numpy.signbit", 1),
    ("numpy.spacing", 1),
];

/// Parts the array for the result from the arguments of a universal function; `None` where there is
/// none.
pub(super) fn take<'c, 'a>(
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Option<(Arguments<'c, 'a>, Val<'c, 'a>)>> {
    let is_in = |table: super::table::Table| table.iter().any(|(known, _)| *known == name);
    let count = match (is_in(numpy::UNARY), is_in(numpy::BINARY)) {
        (true, _) => 1,
        (_, true) => 2,
        _ => match OTHERS.iter().find(|(known, _)| *known == name) {
            Some((_, count)) => *count,
            None => return Ok(None),
        },
    };
    let mut arguments = arguments.clone();
    let named = arguments
        .keywords
        .iter()
        .position(|(name, _)| *name == "out");
    let out = match named {
        Some(position) => arguments.keywords.remove(position).1,
        None if arguments.positional.len() == count + 1 => arguments.positional.remove(count),
        None => return Ok(None),
    };
    if out.is_none() {
        return Ok(Some((arguments, out)));
    }
    if array_type(out.ty).is_none() {
        return Err(Stop::issue(format!(
            "the result goes to an array, not to {}",
            display(out.ty)
        )));
    }
    Ok(Some((arguments, out)))
}

/// Assigns a result, and gives the array.
pub(super) fn assign<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    result: Val<'c, 'a>,
    out: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if out.is_none() {
        return Ok(result);
    }
    let [from, to] = [result, out].map(elements::element_type);
    let rank = |value: Val| array_type(value.ty).map_or(0, |array| array.rank);
    let fits = match (Number::of(from), Number::of(to)) {
        (Some(from), Some(to)) => arrays::same_kind(from, to),
        // Times go into times of the same unit or a finer one.
        _ => join_times(e.context(), from, to) == Some(to),
    };
    if !fits || rank(result) > rank(out) {
        return Err(Stop::issue(format!(
            "the result of {}(), {}, doesn't go into {}",
            last_part(arguments.function),
            display(result.ty),
            display(out.ty)
        ))
        .hint("give an array of that type and as many dimensions"));
    }
    elements::require_writable(out)?;
    arrays::assign(e, out, result)?;
    Ok(out)
}
