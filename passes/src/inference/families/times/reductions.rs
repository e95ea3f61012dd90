//! Reductions of arrays of times to one: on their integers.

use super::{
    arithmetic::binary,
    ticks::{is_nat_ticks, nat_if, of},
};
use crate::inference::{
    arguments::Arguments, emit::Emit, families::elements, issue::Typing, val::Val,
};
use pyopt_dialects::{
    enums::{PyBinaryKind, ReduceKind},
    typed::{ArrayType, array_type},
};

/// `sum`, `min` or `max` of all elements; NaT among them gives NaT.
pub(crate) fn reduce<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    kind: ReduceKind,
    array: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (Some(source), Some(time)) = (array_type(array.ty), of(array)) else {
        return Err(arguments.no_implementation());
    };
    let is_defined = match kind {
        ReduceKind::Min | ReduceKind::Max => true,
        ReduceKind::Sum => time.is_delta,
        _ => false,
    };
    if !is_defined {
        return Err(arguments
            .no_implementation()
            .hint("timedelta64 has sums and means, datetime64 has neither"));
    }
    let si64 = e.si64();
    let integers = ArrayType {
        element: si64,
        ..source
    };
    let integers = elements::reinterpreted(e, array, integers);
    let mut result = elements::reduce(e, kind, integers, si64);
    // NaT is the least integer, so it is the least of all.
    if kind != ReduceKind::Min {
        let found = elements::elementwise(e, &[integers], |e, elements| {
            Ok(is_nat_ticks(e, elements[0]))
        })?;
        let found = match array_type(found.ty) {
            Some(_) => {
                let i1 = e.i1();
                elements::reduce(e, ReduceKind::Any, found, i1)
            }
            None => found,
        };
        result = nat_if(e, found, result);
    }
    Ok(e.time_of_ticks(result, time))
}

/// The mean of distances, toward zero; NaT without any.
pub(crate) fn mean<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let sum = reduce(e, ReduceKind::Sum, array, arguments)?;
    let count = elements::size(e, array);
    binary(e, PyBinaryKind::TrueDiv, sum, count)
}
