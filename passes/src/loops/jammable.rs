//! Nests of two loops whose outer iterations may be jammed: done several at once, by one loop over
//! the inner positions.
//!
//! Jammed, the iterations `(i, j)` of a group of `i` are done in the order of `j`, and for one `j`
//! in that of `i`. So two accesses of one element keep their order if they are of one outer
//! iteration, or of one inner position.

mod gain;
mod order;
mod parts;
mod speculation;

pub(crate) use self::{
    gain::waits,
    parts::{Gain, Segment},
    speculation::{Merging, Speculated},
};

use self::{
    gain::Cut,
    order::{Accesses, touches},
};
use super::interchange_loops::interchangeable;
use crate::{
    analysis::affine::constant_of,
    infra::{
        BlockExt, Identity, Key, OperationAttributes, OperationExt, RegionExt, ValueExt,
        disjoint::Disjoint,
        ops::{marks, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, TypeLike};
use std::collections::{HashMap, HashSet};

/// The loop to unroll, and those in it to jam.
pub(crate) struct Nest<'c, 'a> {
    pub(crate) outer: scf::For<'c, 'a>,
    pub(crate) body: BlockRef<'c, 'a>,
    /// What is in the body, from straight operations to straight operations, of which there may be
    /// none. What the outer loop carries is used in the last ones alone.
    pub(crate) segments: Vec<Segment<'c, 'a>>,
    /// The values that vary with the outer loop, or from one copy of its body to the next.
    varying: HashSet<Key>,
    /// The pairs of arrays that must share no memory, which isn't known.
    pub(crate) disjoint: Disjoint<'c, 'a>,
    /// What the copies do although the program may not.
    pub(crate) speculated: Speculated<'c, 'a>,
    /// How the copies do each branch in a loop.
    merging: HashMap<Key, Merging>,
    /// What is gained.
    pub(crate) gain: Gain,
    /// How many outer iterations are done at once.
    pub(crate) copies: usize,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// The nest that starts with a loop, if jamming it is legal and profitable.
    pub(crate) fn of(outer: scf::For<'c, 'a>) -> Option<Self> {
        let body = outer.region().entry()?;
        if outer.flag_attr(marks::SETTLED)
            || constant_of(outer.step()) != Some(1)
            || !body.argument_value(0).ty().is_index()
        {
            return None;
        }
        let touches = touches(body)?;
        let writes = touches.iter().filter(|touch| touch.writes);
        let written = writes.map(|touch| touch.array.key()).collect();
        let arguments = body.argument_values();
        let mut accesses = Accesses {
            outer,
            position: arguments[0],
            varying: arguments.iter().map(Identity::key).collect(),
            written,
            touches,
        };
        accesses.propagate(body);
        let Cut {
            segments,
            gain,
            copies,
        } = accesses.segments(body)?;
        if !accesses.raises_in_order(&segments) {
            return None;
        }
        let speculated = accesses.speculated(&segments)?;
        let adds_up_alone = segments.iter().all(|segment| match segment {
            Segment::Straight(_) => true,
            Segment::Loop(inner) => {
                inner.nested_ops::<typed::Store>().is_empty() && !segment.checks()
            }
        });
        let copies = match gain {
            Gain::Vectors if adds_up_alone && segments.len() == 3 => 2 * copies,
            _ => copies,
        };
        if gain != Gain::Vectors && interchangeable(outer).is_some() {
            return None;
        }
        let disjoint = accesses.conflicts(&segments)?;
        let branches = outer.nested_ops::<scf::If>().into_iter();
        let merging = branches.filter_map(|one| Some((one.key(), accesses.merging(one)?)));
        Some(Self {
            outer,
            body,
            merging: merging.collect(),
            segments,
            varying: accesses.varying,
            disjoint,
            speculated,
            gain,
            copies,
        })
    }

    /// How the copies do a branch in a jammed loop.
    pub(crate) fn merging(&self, branch: scf::If<'c, 'a>) -> Merging {
        self.merging[&branch.key()]
    }

    /// What stands before the only inner loop, that, its body, and what stands behind it; nothing if
    /// there are several inner loops, or if the outer loop carries something.
    pub(crate) fn single(&self) -> Option<Single<'_, 'c, 'a>> {
        match &self.segments[..] {
            [
                Segment::Straight(before),
                Segment::Loop(inner),
                Segment::Straight(after),
            ] if self.outer.results().is_empty() => Some(Single {
                before,
                inner: *inner,
                inner_body: inner.region().entry()?,
                after,
            }),
            _ => None,
        }
    }

    /// Whether an operation is done for each copy of the outer body, and not once for all of them: what it
    /// computes varies, or it computes nothing. Checks are the same for all copies.
    pub(crate) fn varies(&self, operation: OperationRef<'c, 'a>) -> bool {
        let results = operation.result_values();
        let computes_nothing = results.is_empty() && !operation.isa::<typed::RaiseIf>();
        let mut keys = results.iter().map(Identity::key);
        computes_nothing || keys.any(|key| self.varying.contains(&key))
    }
}

/// The parts of a nest of two loops.
#[derive(Clone, Copy)]
pub(crate) struct Single<'n, 'c, 'a> {
    pub(crate) before: &'n [OperationRef<'c, 'a>],
    pub(crate) inner: scf::For<'c, 'a>,
    pub(crate) inner_body: BlockRef<'c, 'a>,
    pub(crate) after: &'n [OperationRef<'c, 'a>],
}
