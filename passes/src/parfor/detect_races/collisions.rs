//! Dependence tests: whether accesses of different iterations are to the same elements.

use super::{
    access::{Access, Place},
    counter, varies,
};
use crate::{
    analysis::{affine::Sum, nest::Nest},
    infra::{OperationExt, ValueExt, ops::typed},
};
use melior::ir::Value;
use pyopt_dialects::enums::BinaryKind;

/// How many iteration distances around the likely one to test.
const NEAR: i128 = 8;

impl<'c: 'a, 'a> Access<'c, 'a> {
    /// Whether this access, a store, and another one certainly touch the same element in two
    /// different iterations, if there are as many iterations.
    pub fn overlaps(&self, nest: &Nest<'c, 'a>, other: &Self) -> bool {
        if self.array != other.array || self.places.len() != other.places.len() {
            return false;
        }
        let dimensions = self.places.iter().zip(&other.places);
        let dimensions: Option<Vec<_>> = dimensions
            .map(|(left, right)| Dimension::of(nest, left, right))
            .collect();
        let Some(dimensions) = dimensions else {
            return false;
        };
        if let Some(moving) = dimensions.iter().find(|one| one.factor != one.other_factor) {
            // What all iterations read is written by one of them.
            let always = |access: &Self| access.operation.parent() == Some(nest.operation);
            return !other.is_store
                && always(self)
                && always(other)
                && moving.is_single()
                && moving.other_factor == 0
                && moving.distance % moving.factor == 0
                && moving.distance / moving.factor >= 0
                && dimensions.iter().all(|one| {
                    let same = one.factor == moving.factor && one.distance == moving.distance;
                    one.is_single() && same && one.other_factor == 0
                        || one.factor == 0 && one.meets(0)
                });
        }
        let Some(moving) = dimensions.iter().find(|one| one.factor != 0) else {
            return false;
        };
        let likely = -moving.distance / moving.factor;
        (likely - NEAR..=likely + NEAR)
            .chain([-1, 1])
            .any(|apart| apart != 0 && dimensions.iter().all(|one| one.meets(apart)))
    }

    /// Whether another access reads what this one writes, in the same iteration.
    pub fn coincides(&self, other: &Self) -> bool {
        let same = |(left, right): (&Place<'c, 'a>, &Place<'c, 'a>)| {
            left.start.clone().minus(&right.start).as_number() == Some(0)
        };
        !other.is_store
            && self.array == other.array
            && self.places.len() == other.places.len()
            && self.places.iter().zip(&other.places).all(same)
    }

    /// Whether the indices are loaded from memory (`a[idx[i]]`) and nothing shows that they differ
    /// between iterations.
    pub fn is_looked_up(&self, nest: &Nest<'c, 'a>) -> bool {
        let index = nest.indices()[0];
        let starts = || self.places.iter().map(|place| &place.start);
        starts().all(|start| start.factor_of(index) == 0)
            && starts().any(|start| start.values().any(|value| looked_up(nest, value)))
    }

    /// Whether this access alone touches the same elements again in another iteration.
    pub fn returns(&self, nest: &Nest<'c, 'a>) -> bool {
        let moving: Vec<_> = self
            .places
            .iter()
            .filter(|place| place.start.values().any(|value| varies(nest, value)))
            .map(|place| Repetition::of(nest, &place.start))
            .collect();
        let [first, rest @ ..] = &moving[..] else {
            return false;
        };
        match first {
            None => false,
            Some(Repetition::Walk) => rest.is_empty(),
            // `a[i // 4, i % 4]` is another element each time.
            Some(kind) => rest.iter().all(|other| other.as_ref() == Some(kind)),
        }
    }
}

/// Two accesses in one dimension.
struct Dimension {
    /// The stride of each per iteration.
    factor: i128,
    other_factor: i128,
    /// The offset of the second access from the first in the same iteration.
    distance: i128,
    count: Option<i128>,
    other_count: Option<i128>,
}

impl Dimension {
    fn of<'c: 'a, 'a>(
        nest: &Nest<'c, 'a>,
        left: &Place<'c, 'a>,
        right: &Place<'c, 'a>,
    ) -> Option<Self> {
        let index = nest.indices()[0];
        let factors = [left, right].map(|place| place.start.factor_of(index));
        // The index apart, what is added must be the same in all iterations.
        let fixed = |place: &Place<'c, 'a>| {
            place
                .start
                .values()
                .all(|value| value == index || !varies(nest, value))
        };
        let without = |place: &Place<'c, 'a>, factor| {
            place.start.clone().minus(&Sum::of(index).times(factor))
        };
        let distance = without(right, factors[1]).minus(&without(left, factors[0]));
        Some(Self {
            factor: factors[0],
            other_factor: factors[1],
            distance: distance
                .as_number()
                .filter(|_| fixed(left) && fixed(right))?,
            count: left.count,
            other_count: right.count,
        })
    }

    fn is_single(&self) -> bool {
        self.count == Some(1) && self.other_count == Some(1)
    }

    /// Whether both have an element in common at an iteration distance.
    fn meets(&self, apart: i128) -> bool {
        let distance = self.distance + self.factor * apart;
        self.count.is_none_or(|count| distance < count)
            && self.other_count.is_none_or(|count| -distance < count)
    }
}

/// Why a subscript is the same in different iterations.
#[derive(PartialEq)]
enum Repetition {
    /// It is periodic.
    Period,
    /// It is constant over some iterations, or all.
    Pause,
    /// An inner loop reaches the elements of another iteration.
    Walk,
}

impl Repetition {
    fn of<'c: 'a, 'a>(nest: &Nest<'c, 'a>, subscript: &Sum<'c, 'a>) -> Option<Self> {
        let index = nest.indices()[0];
        let inside = subscript
            .values()
            .filter(|value| value.is_inside(nest.operation));
        let factor = subscript.factor_of(index);
        if factor == 0 {
            let [term] = inside.collect::<Vec<_>>()[..] else {
                return None;
            };
            return Self::of_term(nest, typed::Binary::defining(term)?);
        }
        let [walker] = inside.filter(|value| *value != index).collect::<Vec<_>>()[..] else {
            return None;
        };
        let walks = counter(walker).filter(|_| !varies(nest, walker))?;
        let step = subscript.factor_of(walker);
        let common = greatest_common_divisor(factor, step);
        // So many iterations on, an inner loop that is so many steps behind is at the same place.
        let (iterations, steps) = ((step / common).abs(), (factor / common).abs());
        let enough = |count: Value<'c, 'a>, wanted: i128| match Sum::of(count).as_number() {
            Some(count) => wanted < count,
            None => wanted == 1,
        };
        let from_zero = Sum::of(walks.lower_bound()).as_number() == Some(0)
            && Sum::of(walks.step()).as_number() == Some(1);
        let meets =
            from_zero && enough(nest.extents[0], iterations) && enough(walks.upper_bound(), steps);
        meets.then_some(Self::Walk)
    }

    /// Of `i % 4` and the like.
    fn of_term<'c: 'a, 'a>(nest: &Nest<'c, 'a>, term: typed::Binary<'c, 'a>) -> Option<Self> {
        let index = nest.indices()[0];
        let moving = Sum::of(term.lhs());
        let number = Sum::of(term.rhs()).as_number()?;
        let factor = moving.factor_of(index);
        let is_linear = moving
            .values()
            .all(|value| value == index || !varies(nest, value));
        if factor == 0 || !is_linear {
            return None;
        }
        let iterations = Sum::of(nest.extents[0]).as_number();
        let more_than = |wanted: i128| iterations.is_none_or(|count| count > wanted);
        let reaches = |bound: i128| more_than((bound - moving.number()) / factor + 1);
        match term.kind() {
            BinaryKind::Mod if number != 0 => more_than(number.abs()).then_some(Self::Period),
            BinaryKind::And if number >= 0 => more_than(number + 1).then_some(Self::Period),
            BinaryKind::FloorDiv if factor.abs() < number.abs() => Some(Self::Pause),
            BinaryKind::RShift if (1..62).contains(&number) && factor.abs() < 1 << number => {
                Some(Self::Pause)
            }
            BinaryKind::Min if factor > 0 => reaches(number).then_some(Self::Pause),
            _ => None,
        }
    }
}

fn greatest_common_divisor(one: i128, other: i128) -> i128 {
    match other {
        0 => one.abs(),
        _ => greatest_common_divisor(other, one % other),
    }
}

/// Whether a value is an element of an array, or computed from one.
fn looked_up<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    let inside = value
        .defining_op()
        .filter(|_| value.is_inside(nest.operation));
    inside.is_some_and(|operation| {
        let computed = operation.isa::<typed::Cast>() || operation.isa::<typed::Binary>();
        operation.isa::<typed::Load>()
            || computed
                && operation
                    .operand_values()
                    .into_iter()
                    .any(|one| looked_up(nest, one))
    })
}
