//! What the body of an outer loop is cut into, and why.

use crate::{
    analysis::effects::Footprint,
    infra::{
        OperationExt,
        ops::{scf, typed},
    },
};
use melior::ir::OperationRef;

/// What is gained by jamming.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gain {
    /// Positions next to each other load elements next to each other: their sums become vectors.
    Vectors,
    /// The sums of several outer iterations don't wait for each other.
    Latency,
    /// What each outer iteration adds to the same row is added in registers: the row is loaded and
    /// stored once for all of them.
    Rows,
}

/// A part of the body of the outer loop.
pub(crate) enum Segment<'c, 'a> {
    /// Operations that are done for one outer iteration after the other.
    Straight(Vec<OperationRef<'c, 'a>>),
    /// A loop that is jammed, as those in it are.
    Loop(scf::For<'c, 'a>),
}

impl<'c: 'a, 'a> Segment<'c, 'a> {
    fn operations(&self) -> Vec<OperationRef<'c, 'a>> {
        match self {
            Segment::Straight(operations) => operations.clone(),
            Segment::Loop(inner) => vec![**inner],
        }
    }

    /// Whether something is stored in it.
    pub(super) fn stores(&self) -> bool {
        let operations = self.operations().into_iter();
        operations
            .map(Footprint::of)
            .any(|footprint| footprint.writes_anything())
    }

    /// Whether something in it raises if a condition holds.
    pub(crate) fn checks(&self) -> bool {
        let operations = self.operations();
        let inside = operations
            .iter()
            .flat_map(|operation| operation.pre_order());
        inside
            .into_iter()
            .any(|operation| operation.isa::<typed::RaiseIf>())
    }
}
