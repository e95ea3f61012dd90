//! NumPy's functions of whole arrays that are neither universal functions nor reductions.

use super::{numpy_creation::array_argument, table::Table};
use crate::{
    analysis::conditions::mirrored,
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{arrays, elements, slices, times},
        issue::{Stop, Typing},
        rules,
        val::Val,
    },
    infra::ops::typed,
    types::{
        join::join_types,
        number::{Number, is_scalar},
    },
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, PyBinaryKind},
    typed::array_type,
};

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("numpy.where", select),
    ("numpy.clip", clip),
    ("numpy.shape", |e, x| {
        let array = array_or_number(x)?;
        let sizes = elements::dimensions(e, array);
        Ok(e.tuple(&sizes))
    }),
    ("numpy.size", |e, x| {
        let array = array_or_number(x)?;
        Ok(elements::size(e, array))
    }),
    ("numpy.ndim", |e, x| {
        let array = x.one()?;
        Ok(e.int(array_type(array.ty).map_or(0, |array| array.rank as i64)))
    }),
    ("numpy.diff", diff),
    ("numpy.may_share_memory", |e, x| {
        let [one, other] = x.two()?;
        for operand in [one, other] {
            array_argument(x, operand)?;
        }
        Ok(e.op(e.i1(), |b| typed::Overlaps::create(b, one.ir(), other.ir())))
    }),
    ("numpy.ndenumerate", arrays::ndenumerate),
    ("numpy.ndindex", |e, x| arrays::ndindex(e, x, false)),
    ("pyopt.pndindex", |e, x| arrays::ndindex(e, x, true)),
];

/// The only argument; a number has no dimensions.
fn array_or_number<'c, 'a>(arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    match arguments.one()? {
        number if is_scalar(number.ty) => Ok(number),
        array => array_argument(arguments, array),
    }
}

/// `where(condition, x, y)`, element by element.
fn select<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let &[condition, yes, no] = arguments.positional.as_slice() else {
        return Err(Stop::issue("where() without values is not supported")
            .hint("pass the condition and two values"));
    };
    let values = arrays::weaken(e, &[yes, no])?;
    let [test, a, b] = [condition, values[0], values[1]].map(elements::element_type);
    let joined = join_types(e.context(), a, b);
    let ty = joined
        .filter(|ty| is_scalar(test) && is_scalar(*ty))
        .ok_or_else(|| arguments.no_implementation())?;
    let operands = [&[condition], values.as_slice()].concat();
    elements::elementwise(e, &operands, |e, elements| {
        let condition = rules::truth(e, elements[0])?;
        let yes = e.coerce(elements[1], ty)?;
        let no = e.coerce(elements[2], ty)?;
        Ok(e.select(condition, yes, no))
    })
}

/// `clip(a, lowest, highest)`: a bound may be None; NaN stays NaN.
fn clip<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let [Some(array), lowest, highest] = arguments.bind(["a", "a_min", "a_max"], 1)? else {
        return Err(arguments.wrong_count("three arguments"));
    };
    let mut result = array;
    for (bound, kind) in [(lowest, CompareKind::Lt), (highest, CompareKind::Gt)] {
        let Some(bound) = bound.filter(|bound| !bound.is_none()) else {
            continue;
        };
        if times::are_among(&[result, bound]) {
            result = times::extremum(e, mirrored(kind), [result, bound], times::Nat::Wins)?;
            continue;
        }
        let bound = arrays::bound_in_range(e, result, bound, kind);
        let operands = arrays::weaken(e, &[result, bound])?;
        result = elements::elementwise(e, &operands, |e, elements| {
            let number = match (elements[0].number(), elements[1].number()) {
                (Some(a), Some(b)) => a.promote(b),
                _ => return Err(arguments.no_implementation()),
            };
            if matches!(number, Number::Complex(_)) {
                return Err(arguments.no_implementation());
            }
            let ty = number.to_type(e.context());
            let value = e.cast(elements[0], ty);
            let bound = e.cast(elements[1], ty);
            let outside = e.compare(kind, value, bound);
            Ok(e.select(outside, bound, value))
        })?;
    }
    Ok(result)
}

/// The differences of neighbours in a vector.
fn diff<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, arguments: &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let array = array_argument(arguments, arguments.one()?)?;
    if array_type(array.ty).is_none_or(|array| array.rank != 1) {
        return Err(arguments.no_implementation().hint("pass a vector"));
    }
    let (none, one) = (e.none(), e.int(1));
    let size = elements::dimension(e, array, 0);
    let zero = e.int(0);
    let last = e.binary(BinaryKind::Sub, size, one);
    let last = e.binary(BinaryKind::Max, last, zero);
    let behind = slices::slice(e, one, none, none)?;
    let before = slices::slice(e, none, last, none)?;
    let behind = arrays::get_item(e, array, behind)?;
    let before = arrays::get_item(e, array, before)?;
    arrays::binary(e, PyBinaryKind::Sub, behind, before)
}
