//! Which elements of which array an operation reads or writes.

use crate::{
    analysis::{affine::Sum, nest::Nest},
    infra::{BlockExt, OperationInterfaces, ValueExt, ops::typed},
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::typed::{TypedType, array_type};

/// Elements of one dimension.
#[derive(Clone)]
pub(super) struct Place<'c, 'a> {
    /// The first one.
    pub start: Sum<'c, 'a>,
    /// How many they are, if that is written in the program.
    pub count: Option<i128>,
}

/// An access to elements of an array that is defined outside of the loop.
pub(super) struct Access<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// The base array, not a view of it.
    pub array: Value<'c, 'a>,
    /// The elements that are accessed in each dimension.
    pub places: Vec<Place<'c, 'a>>,
    /// Whether it writes.
    pub is_store: bool,
}

impl<'c: 'a, 'a> Access<'c, 'a> {
    /// The accesses of an operation.
    pub fn all(nest: &Nest<'c, 'a>, operation: OperationRef<'c, 'a>) -> Vec<Self> {
        let element = |array, subscripts: Vec<Value<'c, 'a>>, is_store| {
            let places = subscripts.into_iter().map(Place::at).collect();
            (array, places, is_store)
        };
        let whole = |array: Value<'c, 'a>, is_store| {
            let rank = array_type(array.ty()).map_or(0, |array| array.rank);
            (array, vec![Place::all(); rank], is_store)
        };
        let read = |array: Value<'c, 'a>| {
            let is_array = array_type(array.ty()).is_some();
            is_array.then(|| whole(array, false))
        };
        let found = match typed::Op::of(operation) {
            Some(typed::Op::Load(load)) => vec![element(load.array(), load.indices(), false)],
            Some(typed::Op::Store(store)) => vec![element(store.array(), store.indices(), true)],
            Some(typed::Op::Assign(assign)) => {
                let read = read(assign.value()).into_iter();
                read.chain([whole(assign.target(), true)]).collect()
            }
            Some(typed::Op::ArrayExpr(expression)) => {
                expression.inputs().into_iter().filter_map(read).collect()
            }
            Some(typed::Op::Reduce(reduce)) => read(reduce.array()).into_iter().collect(),
            _ => Vec::new(),
        };
        let resolved = found.into_iter().filter_map(|(array, places, is_store)| {
            let (array, places) = resolve(array, places);
            // Accesses to arrays allocated in the iteration, and to views at unknown offsets, don't
            // show a race.
            let known = !array.is_inside(nest.operation);
            known.then_some(Self {
                operation,
                array,
                places,
                is_store,
            })
        });
        resolved.collect()
    }
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    fn at(subscript: Value<'c, 'a>) -> Self {
        Self {
            start: Sum::of(subscript),
            count: Some(1),
        }
    }

    /// A whole dimension.
    fn all() -> Self {
        Self {
            start: Sum::default(),
            count: None,
        }
    }
}

/// Follows views to the base array, as long as their offsets are known.
fn resolve<'c: 'a, 'a>(
    mut array: Value<'c, 'a>,
    mut places: Vec<Place<'c, 'a>>,
) -> (Value<'c, 'a>, Vec<Place<'c, 'a>>) {
    while let Some(view) = typed::View::defining(array) {
        let Some(further) = through(view, &places) else {
            break;
        };
        places = further;
        array = view.array();
    }
    (array, places)
}

/// The elements of the base array that a view covers.
fn through<'c: 'a, 'a>(
    view: typed::View<'c, 'a>,
    places: &[Place<'c, 'a>],
) -> Option<Vec<Place<'c, 'a>>> {
    let mut rest = places.iter();
    let mut found = Vec::new();
    for subscript in view.subscripts() {
        match TypedType::from(subscript.ty()) {
            TypedType::Slice(..) => {
                found.push(sliced(typed::Slice::defining(subscript)?, rest.next()?)?)
            }
            _ if crate::analysis::affine::is_word(subscript) => found.push(Place::at(subscript)),
            _ => return None,
        }
    }
    found.extend(rest.cloned());
    let rank = array_type(view.array().ty())?.rank;
    (found.len() == rank).then_some(found)
}

/// The elements of a dimension that a slice covers: its step must be 1 and its start known not to
/// be negative.
fn sliced<'c: 'a, 'a>(slice: typed::Slice<'c, 'a>, place: &Place<'c, 'a>) -> Option<Place<'c, 'a>> {
    let bound = |value: Value<'c, 'a>| {
        let is_none = matches!(TypedType::from(value.ty()), TypedType::None);
        (!is_none).then(|| Sum::of(value))
    };
    if bound(slice.step()).is_some_and(|step| step.as_number() != Some(1)) {
        return None;
    }
    let start = bound(slice.start()).unwrap_or_default();
    if !is_natural(&start) {
        return None;
    }
    let count = match (place.count, bound(slice.stop())) {
        (None, Some(stop)) => {
            let count = stop.minus(&start).as_number();
            Some(count.filter(|count| *count > 0)?)
        }
        (count, _) => count,
    };
    Some(Place {
        start: start.plus(&place.start),
        count,
    })
}

/// Whether a linear form is known not to be negative: a sum of induction variables, which count
/// from 0.
fn is_natural(sum: &Sum) -> bool {
    let is_position = |value: Value| {
        let parent = value.defining_block().parent();
        let dimensions = parent.and_then(OperationInterfaces::loop_dimensions);
        dimensions.is_some_and(|all| all.iter().any(|one| one.index == value))
    };
    sum.number() >= 0
        && sum
            .values()
            .all(|value| is_position(value) && sum.factor_of(value) > 0)
}
