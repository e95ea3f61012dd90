//! Analyses: what is known of a program, without changing it.
//!
//! They work on the IR as it is and keep no state between passes, so that nothing can be stale.
//! Whatever isn't known is answered conservatively: the top of the lattice (any value, may alias,
//! any time). [`test_print`] has a pass for each, by which it is tested.
//!
//! Public is what extensions need: parallel loops taken apart ([`Nest`]), what operations read, write and raise
//! ([`Footprint`]), and accesses to elements ([`ElementAccess`]).

pub(crate) mod affine;
pub(crate) mod conditions;
pub(crate) mod container_changes;
pub(crate) mod effects;
pub(crate) mod element_access;
pub(crate) mod form;
pub(crate) mod interval;
pub(crate) mod iterator_loops;
pub(crate) mod liveness;
pub(crate) mod nest;
pub(crate) mod ownership;
pub(crate) mod recurrence;
pub(crate) mod reduction;
pub(crate) mod shape;
pub(crate) mod sizes;
pub mod test_print;
pub(crate) mod work;

pub use effects::{Footprint, may_alias};
pub use element_access::ElementAccess;
pub use nest::{Nest, NestBuilder, Reduction};
pub use reduction::{Combination, Combiner};
