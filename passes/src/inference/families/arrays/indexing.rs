//! `array[…]`: elements, views and masks.

use super::{advanced, records, stencil};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            elements::{self, dimension, elementwise, require_writable},
            slices, times,
        },
        issue::{Stop, Typing, stop},
        program::kernel::problem,
        rules,
        val::{Val, values},
    },
    infra::ops::typed,
    library,
    types::{display::display, lists, number::Number, sequences, tuples::elements},
};
use melior::ir::Type;
use pyopt_dialects::{
    enums::CompareKind,
    py::PyAttribute,
    typed::{ArrayType, Layout, TypedType, array_type},
};

/// `array[index]`.
pub(crate) fn get_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if stencil::is_relative(array) {
        return stencil::access(e, array, index);
    }
    if advanced::has_array(index) {
        return match array_type(index.ty).zip(library::find("array.__getitem__")) {
            Some((only, source)) if only.rank > 0 => {
                rules::call_library(e, source, &Arguments::new(&[array, index], None))
            }
            _ => advanced::get_item(e, array, index),
        };
    }
    let subscripts = subscripts(e, array, index)?;
    // With an ellipsis even an element is an array, one without dimensions.
    if names_element(array, &subscripts) && !has_ellipsis(index) && records::of(array).is_none() {
        return Ok(elements::load(e, array, &subscripts));
    }
    Ok(view(e, array, &subscripts))
}

/// Whether an index is `...`, or one of its parts.
fn has_ellipsis(index: Val) -> bool {
    let parts = elements(index.ty).unwrap_or_default();
    is_ellipsis(&index) || parts.into_iter().any(is_type_of_ellipsis)
}

/// `array[index] = value`.
pub(crate) fn set_item<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    if stencil::is_relative(array) {
        return Err(problem("kernels can't assign to their arrays")
            .hint("return the new value of the element"));
    }
    require_writable(array)?;
    let rank = |operand: Val| array_type(operand.ty).map_or(0, |array| array.rank);
    if is_mask(index) && crate::types::number::is_scalar(value.ty) && rank(index) == rank(array) {
        return assign_masked(e, array, index, value);
    }
    if advanced::has_array(index) {
        let value = of_items(e, value)?;
        return advanced::set_item(e, array, index, value);
    }
    let subscripts = subscripts(e, array, index)?;
    if records::of(array).is_some() {
        let target = view(e, array, &subscripts);
        return records::assign(e, target, value);
    }
    if names_element(array, &subscripts) {
        let value = match array_type(value.ty) {
            Some(number) if number.rank == 0 => elements::load(e, value, &[]),
            _ => value,
        };
        if !crate::types::number::is_scalar(value.ty) {
            return stop(format!(
                "can't assign {} to an element of {}",
                display(value.ty),
                display(array.ty)
            ));
        }
        return elements::store(e, array, &subscripts, value);
    }
    if is_view_of(value, array, &subscripts) {
        // What `array[…] += x` changed in place already.
        return Ok(());
    }
    let target = match subscripts.iter().all(|subscript| is_full(*subscript)) {
        true => array,
        false => view(e, array, &subscripts),
    };
    let value = of_items(e, value)?;
    assign(e, target, value)
}

/// An array of the items of a list or a tuple; anything else as it is.
fn of_items<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    match lists::is_any_list(value.ty) || elements(value.ty).is_some() {
        true => rules::call_named(e, "numpy.array", &Arguments::new(&[value], None)),
        false => Ok(value),
    }
}

/// Whether a value was made by the same subscripts of the array.
fn is_view_of<'c, 'a>(value: Val<'c, 'a>, array: Val<'c, 'a>, subscripts: &[Val<'c, 'a>]) -> bool {
    let view = value.value.and_then(typed::View::defining);
    let subscripts: Option<Vec<_>> = subscripts.iter().map(|one| one.value).collect();
    view.is_some_and(|view| {
        Some(view.array()) == array.value && Some(view.subscripts()) == subscripts
    })
}

/// Assigns a number or an array to all elements.
pub(crate) fn assign<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    target: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let (from, to) = (
        crate::inference::families::elements::element_type(value),
        crate::inference::families::elements::element_type(target),
    );
    let value = match times::are_among(&[value, target]) {
        true => elementwise(e, &[value], |e, elements| e.coerce(elements[0], to))?,
        false => value,
    };
    let fits = match (Number::of(from), Number::of(to)) {
        (Some(Number::Complex(_)), Some(to)) => matches!(to, Number::Complex(_)),
        (from, to) => {
            (from.is_some() && to.is_some())
                || crate::inference::families::elements::element_type(value)
                    == crate::inference::families::elements::element_type(target)
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

/// Assigns a number where a mask of the array's shape holds.
fn assign_masked<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    mask: Val<'c, 'a>,
    value: Val<'c, 'a>,
) -> Typing<()> {
    let rank = |operand: Val| array_type(operand.ty).map_or(0, |array| array.rank);
    for index in 0..rank(array) {
        let (size, other) = (dimension(e, array, index), dimension(e, mask, index));
        let differs = e.compare(CompareKind::Ne, size, other);
        let message = format!("boolean index did not match indexed array along axis {index}");
        e.raise_if(differs, "IndexError", Some(&message));
    }
    let value = e.coerce(
        value,
        crate::inference::families::elements::element_type(array),
    )?;
    let result = elementwise(e, &[mask, array, value], |e, elements| {
        Ok(e.select(elements[0], elements[2], elements[1]))
    })?;
    assign(e, array, result)
}

fn is_mask(index: Val) -> bool {
    array_type(index.ty).is_some_and(|index| Number::of(index.element) == Some(Number::Bool))
}

fn names_element(array: Val, subscripts: &[Val]) -> bool {
    array_type(array.ty).is_some_and(|array| array.rank == subscripts.len())
        && subscripts
            .iter()
            .all(|subscript| subscript.number().is_some())
}

/// Whether a part of an index is `...`.
pub(crate) fn is_ellipsis(subscript: &Val) -> bool {
    is_type_of_ellipsis(subscript.ty)
}

fn is_type_of_ellipsis(ty: Type) -> bool {
    match TypedType::from(ty) {
        TypedType::Literal(value) => PyAttribute::from(value) == PyAttribute::Ellipsis,
        _ => false,
    }
}

/// The subscripts of an index: `int64`s, slices and None; an Ellipsis is what it stands for.
fn subscripts<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Vec<Val<'c, 'a>>> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
    if sequences::is_list(index.ty) {
        return Err(Stop::issue("an array can't be indexed by a list")
            .hint("index by an array: np.array(…) of it"));
    }
    let given = e.unpack(index).unwrap_or_else(|| vec![index]);
    let ellipses = given
        .iter()
        .filter(|subscript| is_ellipsis(subscript))
        .count();
    let new = given.iter().filter(|subscript| subscript.is_none()).count();
    let consumed = given.len() - ellipses - new;
    if ellipses > 1 {
        return stop("an index can only have a single ellipsis ('...')");
    }
    if consumed > rank {
        return stop(format!(
            "too many indices: {} is {rank}-dimensional, but {consumed} were indexed",
            display(array.ty)
        ));
    }
    let mut subscripts = Vec::new();
    for subscript in given {
        match (subscript.number(), TypedType::from(subscript.ty)) {
            (Some(Number::Int { .. }), _) => {
                let si64 = e.si64();
                subscripts.push(e.cast(subscript, si64));
            }
            (None, TypedType::Slice(parts)) => {
                check_step(e, subscript, parts[2])?;
                subscripts.push(subscript);
            }
            (None, TypedType::None) => subscripts.push(subscript),
            _ if is_ellipsis(&subscript) => {
                for _ in consumed..rank {
                    let none = e.none();
                    subscripts.push(slices::slice(e, none, none, none)?);
                }
            }
            _ => {
                return Err(Stop::issue(format!(
                    "{} can't be indexed by {}",
                    display(array.ty),
                    display(subscript.ty)
                ))
                .hint("use ints, slices, None and ..."));
            }
        }
    }
    elements::check_bounds(e, array, &subscripts);
    Ok(subscripts)
}

/// A step of zero leads nowhere: raises ValueError.
fn check_step<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    slice: Val<'c, 'a>,
    step: melior::ir::Type<'c>,
) -> Typing<()> {
    const MESSAGE: &str = "slice step cannot be zero";
    if TypedType::from(step) == TypedType::None {
        return Ok(());
    }
    let step = slices::slice_part(e, slice, 2);
    slices::require_step(e, step, MESSAGE)
}

/// `array[subscripts]` as a view.
pub(crate) fn view<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    subscripts: &[Val<'c, 'a>],
) -> Val<'c, 'a> {
    let Some(source) = array_type(array.ty) else {
        return array;
    };
    if subscripts.is_empty() {
        return array;
    }
    let new = subscripts.iter().filter(|subscript| subscript.is_none());
    let dropped = subscripts
        .iter()
        .filter(|subscript| subscript.number().is_some());
    let rank = source.rank + new.count() - dropped.count();
    let result = ArrayType {
        rank,
        layout: view_layout(source, rank, subscripts),
        ..source
    };
    let ty = result.to_type(e.context());
    e.op(ty, |b| {
        typed::View::create(b, array.ir(), &values(subscripts), ty)
    })
}

/// What a subscript leaves of a dimension.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    /// One index.
    One,
    /// All of it.
    All,
    /// Neighbours.
    Part,
    /// What steps lead to.
    Strided,
}

fn is_full(subscript: Val) -> bool {
    matches!(TypedType::from(subscript.ty), TypedType::Slice(parts)
        if parts.iter().all(|part| TypedType::from(*part) == TypedType::None))
}

/// Contiguous arrays stay so where single indices of the slowest dimensions are taken, then
/// neighbours in one dimension, and all of the others. New dimensions don't matter.
fn view_layout(source: ArrayType, rank: usize, subscripts: &[Val]) -> Layout {
    let mut kept: Vec<_> = subscripts
        .iter()
        .filter_map(|subscript| match TypedType::from(subscript.ty) {
            TypedType::None => None,
            TypedType::Slice(_) if is_full(*subscript) => Some(Kept::All),
            TypedType::Slice([.., step]) if TypedType::from(step) == TypedType::None => {
                Some(Kept::Part)
            }
            TypedType::Slice(_) => Some(Kept::Strided),
            _ => Some(Kept::One),
        })
        .collect();
    kept.resize(source.rank, Kept::All);
    match source.layout {
        Layout::A | Layout::Bytes => return source.layout,
        Layout::F => kept.reverse(),
        Layout::C => {}
    }
    let rest: Vec<_> = kept
        .into_iter()
        .skip_while(|kept| *kept == Kept::One)
        .collect();
    let contiguous = match rest.as_slice() {
        [] => true,
        [first, rest @ ..] => *first != Kept::Strided && rest.iter().all(|kept| *kept == Kept::All),
    };
    match contiguous {
        true if rank <= 1 => Layout::C,
        true => source.layout,
        false => Layout::A,
    }
}
