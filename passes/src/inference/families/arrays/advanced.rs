//! Advanced indexing: index arrays and masks among the parts of an index.
//!
//! Basic subscripts make a view first, in which the dimensions of the index arrays are whole. They
//! are moved to the front; the library then gathers from or scatters to positions of the first
//! dimensions. As in NumPy an int beside index arrays is one of them where the result's dimensions
//! are put: where the first of them is if they stand side by side, else in front.

use super::{attributes::permute, basic, views};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            elements::{self, dimension},
            slices,
        },
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    types::{display::display, number::Number, tuples::elements},
};
use pyopt_dialects::{
    enums::CompareKind,
    typed::{TypedType, array_type},
};
use pyopt_library as library;

/// An array seen as one whose first dimensions are indexed by arrays.
struct Indexed<'c, 'a> {
    /// The view, with the indexed dimensions in front.
    view: Val<'c, 'a>,
    /// A tuple of the index arrays.
    positions: Val<'c, 'a>,
    /// A tuple of the array's axes that they index.
    axes: Val<'c, 'a>,
    /// How many dimensions the arrays have when they are broadcast together.
    rank: usize,
    /// How many dimensions are indexed.
    count: usize,
    /// How many dimensions of the result come before those of the arrays.
    before: usize,
}

/// What is left of a part of an index.
enum Part<'c, 'a> {
    Basic(Val<'c, 'a>),
    Array(Val<'c, 'a>),
}

/// `array[index]` where a part of the index is an array.
pub(crate) fn get_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let (parts, ellipsis) = parts(e, array, index)?;
    if let Some(basic) = basic(e, &parts) {
        return basic::get_item(e, array, basic);
    }
    let indexed = indexed(e, array, parts, ellipsis)?;
    let operands = [indexed.view, indexed.positions, indexed.axes];
    let found = call(e, "array.__gather__", &operands)?;
    let rest = rank(found) - indexed.rank;
    let order: Vec<_> = (0..indexed.before)
        .map(|dimension| indexed.rank + dimension)
        .chain(0..indexed.rank)
        .chain((indexed.before..rest).map(|dimension| indexed.rank + dimension))
        .collect();
    Ok(permute(e, found, &order))
}

/// `array[index] = value` where a part of the index is an array.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let (parts, ellipsis) = parts(e, array, index)?;
    if let Some(basic) = basic(e, &parts) {
        return basic::set_item(e, array, basic, value);
    }
    let indexed = indexed(e, array, parts, ellipsis)?;
    let value = match array_type(value.ty) {
        None => value,
        Some(_) => in_front(e, &indexed, value)?,
    };
    call(
        e,
        "array.__scatter__",
        &[indexed.view, indexed.positions, indexed.axes, value],
    )?;
    Ok(())
}

fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &[Val<'c, 'a>],
) -> Typing<Val<'c, 'a>> {
    let Some(source) = library::find(name) else {
        return stop(format!("the library has no '{name}'"));
    };
    rules::call_library(e, source, &Arguments::new(arguments, None))
}

fn rank(value: Val) -> usize {
    array_type(value.ty).map_or(0, |array| array.rank)
}

/// The value of an assignment with the dimensions of the index arrays in front, as the view has them.
fn in_front<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    indexed: &Indexed<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let result = indexed.rank + rank(indexed.view) - indexed.count;
    let Some(missing) = result.checked_sub(rank(value)) else {
        return stop(format!(
            "can't assign {} to what has {result} dimensions",
            display(value.ty)
        ));
    };
    let none = e.none();
    let value = match missing {
        0 => value,
        _ => views::view(e, value, &vec![none; missing]),
    };
    let arrays = indexed.before..indexed.before + indexed.rank;
    let order: Vec<_> = arrays
        .clone()
        .chain((0..result).filter(|dimension| !arrays.contains(dimension)))
        .collect();
    Ok(permute(e, value, &order))
}

/// The parts of an index: one for each dimension it takes, and None for new ones. A mask is the
/// positions where it holds, an array without dimensions its number, an ellipsis what it stands for.
/// Besides, the part that the ellipsis is in front of.
fn parts<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<(Vec<Part<'c, 'a>>, Option<usize>)> {
    let mut parts = Vec::new();
    let mut masks = Vec::new();
    let mut ellipsis = None;
    let mut taken = 0;
    for part in e.unpack(index).unwrap_or_else(|| vec![index]) {
        if views::is_ellipsis(&part) {
            if ellipsis.replace(parts.len()).is_some() {
                return stop("an index can only have a single ellipsis ('...')");
            }
            continue;
        }
        let before = parts.len();
        match array_type(part.ty) {
            Some(indices) if Number::of(indices.element) == Some(Number::Bool) => {
                masks.push((part, taken, ellipsis.is_some()));
                let positions = call(e, "numpy.nonzero", &[part])?;
                let positions = e.unpack(positions).unwrap_or_default();
                parts.extend(positions.into_iter().map(Part::Array));
            }
            Some(indices) => {
                if !Number::of(indices.element).is_some_and(Number::is_integral) {
                    return Err(Stop::issue(
                        "arrays used as indices must be of integer (or boolean) type",
                    )
                    .hint("convert it: index.astype(np.int64)"));
                }
                parts.push(match indices.rank {
                    0 => Part::Basic(elements::load(e, part, &[])),
                    _ => Part::Array(part),
                });
            }
            None => parts.push(Part::Basic(part)),
        }
        let new = usize::from(part.is_none());
        taken += parts.len() - before - new;
    }
    let Some(left) = rank(array).checked_sub(taken) else {
        return stop(format!(
            "too many indices: {} is {}-dimensional, but {taken} were indexed",
            display(array.ty),
            rank(array)
        ));
    };
    for (mask, first, is_behind) in masks {
        check_mask(e, array, mask, first + if is_behind { left } else { 0 });
    }
    let at = ellipsis.unwrap_or(parts.len());
    for _ in 0..left {
        let none = e.none();
        let whole = slices::slice(e, none, none, none)?;
        parts.insert(at, Part::Basic(whole));
    }
    Ok((parts, ellipsis))
}

/// What NumPy says of a mask whose size isn't that of the array's axis: a template for both.
pub(super) fn mask_differs(axis: usize) -> String {
    format!(
        "boolean index did not match indexed array along axis {axis}; size of axis is {{}} but size \
         of corresponding boolean axis is {{}}"
    )
}

/// The sizes of a mask must be those of the dimensions it selects from.
fn check_mask<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    mask: Val<'c, 'a>,
    first: usize,
) {
    for at in 0..rank(mask).min(rank(array).saturating_sub(first)) {
        let (size, other) = (dimension(e, array, first + at), dimension(e, mask, at));
        let differs = e.compare(CompareKind::Ne, size, other);
        e.raise_with(
            differs,
            "IndexError",
            &mask_differs(first + at),
            &[size, other],
        );
    }
}

/// The index as a tuple if it has no array any more.
fn basic<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, parts: &[Part<'c, 'a>]) -> Option<Val<'c, 'a>> {
    let basic: Option<Vec<_>> = parts
        .iter()
        .map(|part| match part {
            Part::Basic(part) => Some(*part),
            Part::Array(_) => None,
        })
        .collect();
    basic.map(|parts| e.tuple(&parts))
}

fn indexed<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    parts: Vec<Part<'c, 'a>>,
    ellipsis: Option<usize>,
) -> Typing<Indexed<'c, 'a>> {
    let is_advanced = |part: &Part| match part {
        Part::Basic(part) => part.number().is_some(),
        Part::Array(_) => true,
    };
    let advanced: Vec<_> = (0..parts.len())
        .filter(|at| is_advanced(&parts[*at]))
        .collect();
    // An ellipsis is between them even where it stands for nothing.
    let adjacent = advanced
        .windows(2)
        .all(|pair| pair[0] + 1 == pair[1] && ellipsis != Some(pair[1]));
    let before = match (adjacent, advanced.first()) {
        (true, Some(first)) => *first,
        _ => 0,
    };
    let none = e.none();
    let mut basic = Vec::new();
    let (mut arrays, mut front, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut axes = Vec::new();
    let mut axis = 0;
    for part in parts {
        let dimension = front.len() + others.len();
        match part {
            Part::Array(indices) => {
                basic.push(slices::slice(e, none, none, none)?);
                arrays.push(indices);
                axes.push(e.int(axis));
                axis += 1;
                front.push(dimension);
            }
            Part::Basic(part) => {
                axis += i64::from(!part.is_none());
                basic.push(part);
                if part.number().is_none() {
                    others.push(dimension);
                }
            }
        }
    }
    let basic = e.tuple(&basic);
    let view = basic::get_item(e, array, basic)?;
    let order = [front.as_slice(), others.as_slice()].concat();
    Ok(Indexed {
        view: permute(e, view, &order),
        rank: arrays.iter().map(|array| rank(*array)).max().unwrap_or(0),
        count: arrays.len(),
        positions: e.tuple(&arrays),
        axes: e.tuple(&axes),
        before,
    })
}

/// Whether a part of an index, or the index itself, is an array.
pub(crate) fn has_array(index: Val) -> bool {
    match elements(index.ty) {
        Some(parts) => parts.into_iter().any(|part| array_type(part).is_some()),
        None => matches!(TypedType::from(index.ty), TypedType::Array(_)),
    }
}
