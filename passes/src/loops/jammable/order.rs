//! Whether the accesses of a nest keep their order when its outer iterations are jammed.

use super::parts::Segment;
use crate::{
    analysis::{
        affine::counts_with,
        effects::{Footprint, Raises, may_alias},
        element_access::ElementAccess,
    },
    infra::{
        Access, BlockExt, Identity, Key, OperationExt, OperationInterfaces, RegionExt, ValueExt,
        disjoint::Disjoint,
        ops::{scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::typed::{Layout, array_type};
use std::collections::HashSet;

/// The most accesses of arrays in the outer loop: each is compared with each that stores.
const MOST_ACCESSES: usize = 64;

/// What one operation of the outer body, or in a loop in it, does to one array.
pub(super) struct Touch<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    pub(super) array: Value<'c, 'a>,
    pub(super) writes: bool,
}

impl<'c: 'a, 'a> Touch<'c, 'a> {
    /// The one element, if it is one.
    fn element(&self) -> Option<ElementAccess<'c, 'a>> {
        ElementAccess::of(self.operation)
    }

    /// The segment that it is in.
    fn place(&self, segments: &[Segment<'c, 'a>]) -> Option<usize> {
        segments.iter().position(|segment| match segment {
            Segment::Straight(operations) => {
                let mut operations = operations.iter();
                operations.any(|operation| self.operation.is_within(*operation))
            }
            Segment::Loop(inner) => self.operation.is_within(**inner),
        })
    }
}

/// What the operations of a block touch, and those in them; nothing if that isn't known, if one makes an
/// array, or if one may raise, other than a check of the block itself or in a loop.
pub(super) fn touches<'c: 'a, 'a>(body: BlockRef<'c, 'a>) -> Option<Vec<Touch<'c, 'a>>> {
    let mut touches = Vec::new();
    let operations = body.operation_list().into_iter();
    for operation in operations.flat_map(|operation| operation.pre_order()) {
        let mut footprint = Footprint::default();
        footprint.add_alone(operation);
        let is_check = operation.isa::<typed::RaiseIf>()
            && (operation.parent_block() == Some(body) || is_in_loop(operation, body));
        let mut effects = operation.effects().unwrap_or_default().into_iter();
        if is_check {
            continue;
        }
        if footprint.unknown
            || footprint.raises != Raises::Nothing
            || effects.any(|effect| effect.access == Access::Allocate)
        {
            return None;
        }
        for (arrays, writes) in [(footprint.reads, false), (footprint.writes, true)] {
            touches.extend(arrays.into_iter().map(|array| Touch {
                operation,
                array,
                writes,
            }));
        }
        if touches.len() > MOST_ACCESSES {
            return None;
        }
    }
    Some(touches)
}

/// Whether operations have checks in their regions.
fn holds_checks(operations: &[OperationRef]) -> bool {
    let mut holders = operations
        .iter()
        .filter(|one| !one.region_list().is_empty());
    holders.any(|one| !one.nested_ops::<typed::RaiseIf>().is_empty())
}

/// Whether an operation of a block is in a loop in that block.
fn is_in_loop<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, body: BlockRef<'c, 'a>) -> bool {
    let mut next = Some(operation);
    while let Some(one) = next.filter(|one| one.parent_block() != Some(body)) {
        next = one.parent();
    }
    next.is_some_and(|one| one.isa::<scf::For>())
}

/// What a nest accesses.
pub(super) struct Accesses<'c, 'a> {
    pub(super) outer: scf::For<'c, 'a>,
    /// The outer induction variable.
    pub(super) position: Value<'c, 'a>,
    /// See [`Nest::varying`].
    pub(super) varying: HashSet<Key>,
    /// The arrays that are stored to.
    pub(super) written: HashSet<Key>,
    pub(super) touches: Vec<Touch<'c, 'a>>,
}

impl<'c: 'a, 'a> Accesses<'c, 'a> {
    /// Adds what depends on varying values, on what inner loops carry and on what the nest stores.
    pub(super) fn propagate(&mut self, block: BlockRef<'c, 'a>) {
        for operation in block.operation_list() {
            if let Some(inner) = scf::For::of(operation) {
                if let Some(body) = inner.region().entry() {
                    let carried = body.argument_values().into_iter().skip(1);
                    self.vary(carried);
                    self.propagate(body);
                }
                self.vary(inner.results());
                continue;
            }
            if let Some(branch) = scf::If::of(operation) {
                let arms = [branch.then_region(), branch.else_region()];
                for block in arms.into_iter().filter_map(RegionExt::entry) {
                    self.propagate(block);
                }
            }
            let varies = operation.pre_order().into_iter().any(|operation| {
                let is_written =
                    |load: typed::Load<'c, 'a>| self.written.contains(&load.array().key());
                let operands = operation.operand_values();
                operands.iter().any(|operand| self.varies(*operand))
                    || typed::Load::of(operation).is_some_and(is_written)
            });
            if varies {
                self.vary(operation.result_values());
            }
        }
    }

    /// Whether the checks of the outer body itself are in their places: those that stand before a jammed
    /// loop fail in the first iteration or never, and before anything is stored, as each is of what all
    /// iterations have in common. What stands behind all jammed loops is done for one iteration after the other.
    pub(super) fn raises_in_order(&self, segments: &[Segment<'c, 'a>]) -> bool {
        let mut checked = Vec::new();
        let mut has_stored = false;
        let last = segments.len() - 1;
        segments.iter().enumerate().all(|(at, segment)| {
            let Segment::Straight(operations) = segment else {
                has_stored |= segment.stores();
                return true;
            };
            if at == last && !has_stored {
                return true;
            }
            operations.iter().all(|operation| {
                let Some(check) = typed::RaiseIf::of(*operation) else {
                    has_stored |= Footprint::of(*operation).writes_anything();
                    return true;
                };
                if checked.contains(&check.condition()) {
                    return true;
                }
                checked.push(check.condition());
                let mut operands = check.operand_values().into_iter();
                !has_stored && !operands.any(|operand| self.varies(operand))
            }) && !holds_checks(operations)
        })
    }

    fn vary(&mut self, values: impl IntoIterator<Item = Value<'c, 'a>>) {
        self.varying
            .extend(values.into_iter().map(|value| value.key()));
    }

    pub(super) fn varies(&self, value: Value<'c, 'a>) -> bool {
        self.varying.contains(&value.key())
    }

    /// The pairs of arrays that must be disjoint for the outer iterations to be jammed; `None` if
    /// they can't be.
    pub(super) fn conflicts(&self, segments: &[Segment<'c, 'a>]) -> Option<Disjoint<'c, 'a>> {
        let mut pairs = Disjoint::default();
        let places = self.touches.iter().map(|touch| touch.place(segments));
        let places = places.collect::<Option<Vec<_>>>()?;
        let placed = || self.touches.iter().zip(&places);
        for (write, at) in placed().filter(|(touch, _)| touch.writes) {
            for (other, other_at) in placed() {
                let (one, two) = (write.array, other.array);
                let place = match &segments[*at] {
                    _ if other_at != at => Place::Apart,
                    Segment::Straight(_) => Place::Straight,
                    Segment::Loop(inner) => Place::Inside(*inner),
                };
                if one == two {
                    if !self.keep_order(write, other, place) {
                        return None;
                    }
                } else if may_alias(one, two) {
                    if [one, two].iter().any(|array| array.is_inside(*self.outer)) {
                        if place == Place::Straight {
                            continue;
                        }
                        return None;
                    }
                    pairs.require(one, two);
                }
            }
        }
        Some(pairs)
    }

    /// Whether accesses of one array keep their order: where they are of one element, they are of
    /// one outer iteration, or in an inner loop at one of its positions.
    fn keep_order(
        &self,
        write: &Touch<'c, 'a>,
        other: &Touch<'c, 'a>,
        place: Place<'c, 'a>,
    ) -> bool {
        if place == Place::Straight {
            return true;
        }
        let (Some(one), Some(two)) = (write.element(), other.element()) else {
            return false;
        };
        let layout = array_type(write.array.ty()).map(|array| array.layout);
        if one.wraparound() || two.wraparound() || !matches!(layout, Some(Layout::C | Layout::F)) {
            return false;
        }
        let (one, two) = (one.indices(), two.indices());
        let mut indices = one.iter().zip(&two);
        if indices.any(|(index, other)| index == other && self.counts(*index, self.position)) {
            return true;
        }
        let Place::Inside(inner) = place else {
            return false;
        };
        let body = inner.region().entry();
        let is_nested = |operation: &OperationRef<'c, 'a>| !operation.region_list().is_empty();
        one == two
            && !one.iter().any(|index| self.varies(*index))
            && body.is_some_and(|body| {
                let at = body.argument_value(0);
                !body.operation_list().iter().any(is_nested)
                    && one.iter().any(|index| self.counts(*index, at))
            })
    }

    /// Whether an index is a position plus what is the same in all iterations of the nest.
    fn counts(&self, index: Value<'c, 'a>, position: Value<'c, 'a>) -> bool {
        counts_with(index, position, &|value| {
            let is_in_body = value.defining_block() == self.position.defining_block();
            !self.varies(value) && (is_in_body || !value.is_inside(*self.outer))
        })
    }
}

/// Where two accesses are.
#[derive(Clone, Copy, PartialEq)]
enum Place<'c, 'a> {
    /// In different segments.
    Apart,
    /// In one that isn't a loop.
    Straight,
    /// In one loop.
    Inside(scf::For<'c, 'a>),
}
