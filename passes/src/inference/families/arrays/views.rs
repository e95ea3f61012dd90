//! Subscripts that numbers, slices, None and `...` are, and the views that they make.

use crate::{
    inference::{
        emit::Emit,
        families::{elements, slices},
        issue::{Stop, Typing, stop},
        val::{Val, values},
    },
    infra::ops::typed,
    types::{display::display, number::Number, tuples},
};
use melior::ir::Type;
use pyopt_dialects::{
    py::PyAttribute,
    typed::{ArrayType, Layout, TypedType, array_type},
};

/// Whether an index is `...`, or one of its parts.
pub(crate) fn has_ellipsis(index: Val) -> bool {
    let parts = tuples::elements(index.ty).unwrap_or_default();
    is_ellipsis(&index) || parts.into_iter().any(is_type_of_ellipsis)
}

/// Whether subscripts name an element.
pub(crate) fn names_element(array: Val, subscripts: &[Val]) -> bool {
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
pub(crate) fn subscripts<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Vec<Val<'c, 'a>>> {
    let rank = array_type(array.ty).map_or(0, |array| array.rank);
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
            (Some(number @ Number::Int { .. }), _) => {
                let si64 = e.si64();
                let word = e.cast(subscript, si64);
                if number == Number::UINT64 {
                    elements::check_fits(e, word);
                }
                subscripts.push(word);
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
                .hint(match subscript.number() {
                    Some(Number::Float(_)) => "int(…) makes an int of it, and // divides to one",
                    _ => "use ints, slices, None and ...",
                }));
            }
        }
    }
    elements::check_bounds(e, array, &subscripts);
    Ok(subscripts)
}

/// A step of zero leads nowhere: raises ValueError.
fn check_step<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, slice: Val<'c, 'a>, step: Type<'c>) -> Typing<()> {
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
    let view = e.op(ty, |b| {
        typed::View::create(b, array.ir(), &values(subscripts), ty)
    });
    view.with_memory_order(e.context(), array.memory_order())
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

/// Whether a subscript is a whole dimension.
pub(crate) fn is_full(subscript: Val) -> bool {
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
