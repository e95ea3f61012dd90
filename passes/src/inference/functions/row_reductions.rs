//! Reductions of array expressions along their last axis, as loops over rows: the expression can be computed in
//! them, which needs no array for its elements (`parfor-inline-producers`).

use super::{numpy_creation::generate, numpy_reductions::accumulator};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{arrays, elements},
        issue::Typing,
        val::Val,
    },
    infra::ops::typed,
    types::number::Number,
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::{BinaryKind, ReduceKind},
    typed::{Layout, array_type},
};

/// Calls a reduction along the last axis of what an array expression has just made. `None` for other calls,
/// which the library is for; also while types are inferred, since the library's function gives the same one.
pub(super) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    match name {
        "numpy.sum" => along_last(e, arguments, ReduceKind::Sum, added),
        "numpy.prod" => along_last(e, arguments, ReduceKind::Prod, added),
        "numpy.any" => along_last(e, arguments, ReduceKind::Any, |e, _| Some(e.i1())),
        "numpy.all" => along_last(e, arguments, ReduceKind::All, |e, _| Some(e.i1())),
        "numpy.mean" => means(e, arguments),
        _ => Ok(None),
    }
}

/// What elements are added up in; halves are added in another type than the result's.
fn added<'c>(e: &Emit<'_, 'c, '_>, number: Number) -> Option<Type<'c>> {
    (number != Number::Float(16)).then(|| accumulator(e, number))
}

/// The means of the rows.
fn means<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Option<Val<'c, 'a>>> {
    let sums = along_last(e, arguments, ReduceKind::Sum, |e, number| {
        added(e, number.to_inexact())
    })?;
    let (Some(sums), Some(array)) = (sums, arguments.positional.first()) else {
        return Ok(None);
    };
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    let ty = elements::element_type(sums);
    let count = elements::dimension(e, *array, rank - 1);
    let count = e.cast(count, ty);
    elements::elementwise(e, &[sums, count], |e, elements| {
        Ok(e.binary(BinaryKind::TrueDiv, elements[0], elements[1]))
    })
    .map(Some)
}

/// Reduces along the last axis, elements being cast to a type that is chosen by theirs.
fn along_last<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    kind: ReduceKind,
    accumulator: impl Fn(&Emit<'_, 'c, 'a>, Number) -> Option<Type<'c>>,
) -> Typing<Option<Val<'c, 'a>>> {
    let Some((array, rank)) = operand(e, arguments) else {
        return Ok(None);
    };
    let number = Number::of(elements::element_type(array));
    let Some(ty) = number.and_then(|number| accumulator(e, number)) else {
        return Ok(None);
    };
    let rows: Vec<_> = (0..rank - 1)
        .map(|dimension| elements::dimension(e, array, dimension))
        .collect();
    let si64 = e.si64();
    let reduced = generate(e, &rows, Layout::C, |e, indices| {
        let row: Vec<_> = indices.iter().map(|index| e.cast(*index, si64)).collect();
        let row = arrays::view(e, array, &row);
        Ok(elements::reduce(e, kind, row, ty))
    })?;
    Ok(Some(reduced))
}

/// The expression's array of at least two dimensions, and how many, where the arguments are that and the
/// number of the last one.
fn operand<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Option<(Val<'c, 'a>, usize)> {
    let (array, axis) = match (
        arguments.positional.as_slice(),
        arguments.keywords.as_slice(),
    ) {
        ([array, axis], []) | ([array], [("axis", axis)]) => (*array, axis.literal_int()?),
        _ => return None,
    };
    e.builder?;
    typed::ArrayExpr::defining(array.ir())?;
    let shape = array_type(array.ty)?;
    let last = i64::try_from(shape.rank).ok()? - 1;
    let is_last = axis == last || axis == -1;
    (is_last && shape.rank > 1 && shape.layout == Layout::C).then_some((array, shape.rank))
}
