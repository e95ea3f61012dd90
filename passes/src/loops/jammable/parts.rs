//! What the body of an outer loop is cut into, and why.

use crate::infra::ops::scf;
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
