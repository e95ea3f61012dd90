//! Which elements of which array an operation reads or writes.

use super::super::nest::Nest;
use crate::{
    infra::{BlockExt, OperationExt, ValueExt},
    typed::linear::Sum,
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
        let operands = operation.operand_values();
        let element = |at: usize| {
            let subscripts = &operands[at + 1..];
            let places = subscripts.iter().map(|one| Place::at(*one)).collect();
            (operands[at], places, at == 1)
        };
        // Of a whole array.
        let whole = |at: usize, is_store| {
            let rank = array_type(operands[at].ty()).map_or(0, |array| array.rank);
            (operands[at], vec![Place::all(); rank as usize], is_store)
        };
        let is_array = |at: &usize| array_type(operands[*at].ty()).is_some();
        let found = match operation.full_name() {
            "typed.load" => vec![element(0)],
            "typed.store" => vec![element(1)],
            "typed.assign" => {
                let read = [0].into_iter().filter(is_array).map(|at| whole(at, false));
                read.chain([whole(1, true)]).collect()
            }
            "typed.array_expr" | "typed.reduce" => (0..operands.len())
                .filter(is_array)
                .map(|at| whole(at, false))
                .collect(),
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
    while let Some(view) = array.defined_by("typed.view") {
        let Some(further) = through(view, &places) else {
            break;
        };
        places = further;
        array = view.operand_value(0);
    }
    (array, places)
}

/// The elements of the base array that a view covers.
fn through<'c: 'a, 'a>(
    view: OperationRef<'c, 'a>,
    places: &[Place<'c, 'a>],
) -> Option<Vec<Place<'c, 'a>>> {
    let mut rest = places.iter();
    let mut found = Vec::new();
    for subscript in view.operand_values().into_iter().skip(1) {
        match TypedType::from(subscript.ty()) {
            TypedType::Slice(..) => {
                found.push(sliced(subscript.defined_by("typed.slice")?, rest.next()?)?)
            }
            _ if crate::typed::linear::is_word(subscript) => found.push(Place::at(subscript)),
            _ => return None,
        }
    }
    found.extend(rest.cloned());
    let rank = array_type(view.operand_value(0).ty())?.rank as usize;
    (found.len() == rank).then_some(found)
}

/// The elements of a dimension that a slice covers: its step must be 1 and its start known not to
/// be negative.
fn sliced<'c: 'a, 'a>(slice: OperationRef<'c, 'a>, place: &Place<'c, 'a>) -> Option<Place<'c, 'a>> {
    let bound = |at| {
        let value = slice.operand_value(at);
        let is_none = matches!(TypedType::from(value.ty()), TypedType::None);
        (!is_none).then(|| Sum::of(value))
    };
    if bound(2).is_some_and(|step| step.as_number() != Some(1)) {
        return None;
    }
    let start = bound(0).unwrap_or_default();
    if !is_natural(&start) {
        return None;
    }
    let count = match (place.count, bound(1)) {
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
        let counts = |one: OperationRef| one.is("scf.for") || one.is("parfor.loop");
        value.defining_op().is_none() && parent.is_some_and(counts)
    };
    sum.number() >= 0
        && sum
            .values()
            .all(|value| is_position(value) && sum.factor_of(value) > 0)
}
