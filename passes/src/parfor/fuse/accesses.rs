//! Dependences between two loops: which elements they access in one iteration, and whether other
//! iterations access them too.
//!
//! An element is named by its indices in the base array, as affine forms of the loops' indices and
//! of invariant values. If, for every dimension of the iteration space, one of these is the loop's
//! index times a factor plus an invariant value, the same in both loops, then two iterations that
//! access the same element are the same iteration.

use crate::{
    analysis::{
        effects::Origin,
        interval::Intervals,
        nest::Nest,
        shape::rank,
        sizes::{Derivation, Size},
    },
    infra::{BlockExt, Identity, Key, OperationExt, ValueExt, ops::typed},
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::typed::{TypedType, array_type};
use std::collections::HashSet;

/// The dependence of two loops through an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Conflict {
    /// They access no common element, unless in the same iteration.
    None,
    /// An iteration of one accesses what the other accesses at this distance.
    Shifted,
    /// Nothing is known.
    Unknown,
}

/// An element that an operation accesses.
#[derive(Clone, Debug)]
struct Access<'c, 'a> {
    /// The base array.
    root: Value<'c, 'a>,
    /// Its index in each dimension.
    position: Vec<Size>,
}

/// Accesses of two loops, in the indices of the first.
pub(super) struct Accesses<'c, 'a> {
    known: Derivation<'c, 'a>,
    intervals: Intervals,
    indices: Vec<Size>,
    /// The values that may vary between iterations.
    inside: HashSet<Key>,
}

impl<'c: 'a, 'a> Accesses<'c, 'a> {
    /// Prepares for two loops over one space.
    pub fn new(first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> Self {
        let mut known = Derivation::default();
        let mut inside = HashSet::new();
        for nest in [first, second] {
            for operation in nest.operation.pre_order() {
                let blocks = operation.nested_blocks().into_iter();
                let arguments = blocks.flat_map(BlockExt::argument_values);
                let results = match operation == nest.operation {
                    true => Vec::new(),
                    false => operation.result_values(),
                };
                inside.extend(arguments.chain(results).map(|value| value.key()));
            }
        }
        let indices: Vec<_> = first
            .indices()
            .into_iter()
            .map(|index| known.value(index))
            .collect();
        for (index, other) in indices.iter().zip(second.indices()) {
            known.set_value(other, index.clone());
        }
        Self {
            known,
            intervals: Intervals::default(),
            indices,
            inside,
        }
    }

    /// Whether two operations may access the same element in different iterations.
    pub fn conflict(&mut self, one: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) -> Conflict {
        let [Some(one), Some(other)] = [one, other].map(|access| self.access(access)) else {
            return Conflict::Unknown;
        };
        if one.root != other.root || !is_injective(one.root) {
            return Conflict::Unknown;
        }
        let mut bound = vec![false; self.indices.len()];
        let mut conflict = Conflict::Unknown;
        for (ours, theirs) in one.position.iter().zip(&other.position) {
            let Some((index, factor)) = self.index_of(ours) else {
                continue;
            };
            let distance = theirs.plus(ours, -1).as_number();
            match (index, distance) {
                // Both are invariant, and they differ.
                (None, Some(distance)) if distance != 0 => return Conflict::None,
                (None, _) => {}
                (Some(index), Some(0)) => bound[index] = true,
                // The offset isn't a multiple of the stride.
                (Some(_), Some(distance)) if distance % factor != 0 => return Conflict::None,
                (Some(_), Some(_)) => conflict = Conflict::Shifted,
                (Some(_), None) => {}
            }
        }
        match bound.iter().all(|bound| *bound) {
            true => Conflict::None,
            false => conflict,
        }
    }

    /// The only index of the iteration space that an array index depends on, and its coefficient;
    /// no index if it is invariant, `None` if it depends on several indices or on other varying
    /// values.
    fn index_of(&self, position: &Size) -> Option<(Option<usize>, i64)> {
        let moving = self
            .indices
            .iter()
            .enumerate()
            .filter_map(|(at, index)| {
                let factor = position.factor_of(index.as_atom()?);
                (factor != 0).then_some((at, factor))
            })
            .collect::<Vec<_>>();
        let (index, factor) = match moving[..] {
            [] => (None, 0),
            // Few enough that nothing wraps around.
            [(index, factor)] if factor.unsigned_abs() < 1 << 31 => (Some(index), factor),
            _ => return None,
        };
        let rest = match index {
            None => position.clone(),
            Some(index) => position.plus(&self.indices[index], -factor),
        };
        let stays = !self.known.sizes.uses_any(&rest, &self.inside);
        stays.then_some((index, factor))
    }

    /// The element that a load or store touches.
    fn access(&mut self, operation: OperationRef<'c, 'a>) -> Option<Access<'c, 'a>> {
        let (array, indices, wraps) = match typed::Op::of(operation)? {
            typed::Op::Load(load) => (load.array(), load.indices(), load.wraparound()),
            typed::Op::Store(store) => (store.array(), store.indices(), store.wraparound()),
            _ => return None,
        };
        let position = indices
            .iter()
            .map(|index| self.index(*index, wraps))
            .collect::<Option<Vec<_>>>()?;
        Some(self.in_root(array, position))
    }

    /// An index without wrap-around.
    fn index(&mut self, index: Value<'c, 'a>, wraps: bool) -> Option<Size> {
        let fits = !wraps || self.intervals.of_index(index).is_index();
        fits.then(|| self.known.value(index))
    }

    /// The index in the base array of an index in a view, as far as it is known.
    fn in_root(&mut self, mut array: Value<'c, 'a>, mut position: Vec<Size>) -> Access<'c, 'a> {
        while let Some(view) = array.defining_op().and_then(typed::Op::of) {
            let (viewed, source) = match view {
                typed::Op::WithShape(shaped) => (shaped.array(), Some(position.clone())),
                typed::Op::Apart(apart) => (apart.array(), Some(position.clone())),
                typed::Op::Transpose(view) => (view.array(), transposed(view, &position)),
                typed::Op::View(view) => (view.array(), self.viewed(view, &position)),
                _ => break,
            };
            let Some(source) = source else { break };
            array = viewed;
            position = source;
        }
        Access {
            root: array,
            position,
        }
    }

    fn viewed(&mut self, view: typed::View<'c, 'a>, position: &[Size]) -> Option<Vec<Size>> {
        let array = view.array();
        let mut own = position.iter();
        let mut source = Vec::new();
        for subscript in view.subscripts() {
            match TypedType::from(subscript.ty()) {
                TypedType::None => {
                    own.next()?;
                }
                TypedType::Slice(_) => {
                    let at = own.next()?;
                    source.push(self.sliced(array, source.len(), subscript, at)?);
                }
                _ => source.push(self.index(subscript, true)?),
            }
        }
        source.extend(own.cloned());
        (source.len() == rank(array)).then_some(source)
    }

    /// The index in a dimension of an index in a slice of it.
    fn sliced(
        &mut self,
        array: Value<'c, 'a>,
        dimension: usize,
        slice: Value<'c, 'a>,
        at: &Size,
    ) -> Option<Size> {
        let slice = typed::Slice::defining(slice)?;
        let mut part = |value: Value<'c, 'a>| {
            let left_out = matches!(TypedType::from(value.ty()), TypedType::None);
            (!left_out).then(|| self.known.value(value))
        };
        let (start, step) = (part(slice.start()), part(slice.step()));
        let one = Size::number(1);
        let step = step.unwrap_or(one.clone()).as_number()?;
        let first = match (start, step) {
            (None, 1..) => Size::number(0),
            (None, ..=-1) => self.known.dimension(array, dimension).shifted(-1),
            (Some(start), 1..) => match start.as_number() {
                // Where there is any element, the slice starts there.
                Some(0..) => start,
                _ => {
                    let size = self.known.dimension(array, dimension);
                    let rest = self.known.sizes.slice(size.clone(), Some(start), None, one);
                    size.plus(&rest, -1)
                }
            },
            _ => return None,
        };
        Some(first.plus(at, step))
    }
}

fn transposed(view: typed::Transpose, position: &[Size]) -> Option<Vec<Size>> {
    let Some(order) = view.permutation() else {
        return Some(position.iter().rev().cloned().collect());
    };
    let mut source = vec![Size::default(); position.len()];
    for (from, to) in order.iter().enumerate() {
        *source.get_mut(*to as usize)? = position.get(from)?.clone();
    }
    Some(source)
}

/// Whether different indices of an array are different elements.
fn is_injective<'c: 'a, 'a>(array: Value<'c, 'a>) -> bool {
    let contiguous = array_type(array.ty()).is_some_and(|array| array.layout.is_contiguous());
    contiguous || matches!(Origin::of(array), Origin::Fresh(fresh) if fresh == array)
}
