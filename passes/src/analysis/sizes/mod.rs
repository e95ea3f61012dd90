//! Sizes of arrays as affine forms over atoms.
//!
//! [`Derivation`] finds the form of a dimension or an integer from the operations that define it,
//! and knows the equations between atoms that a walk has recorded so far ([`Sizes`]). Two sizes with
//! the same normal form are equal wherever both values are defined: every rewriting step is an
//! equation modulo 2^64, and a broadcast is only simplified under the check that its operation
//! makes itself. Different normal forms say nothing.
//!
//! The functions of this module answer a single question without a walk, from definitions alone, so
//! that passes may ask them while they rewrite the IR.

mod atoms;
mod derive;
mod slices;

pub(crate) use self::{
    atoms::Size,
    derive::{Derivation, Write, library_role, selection},
};

use super::shape::rank;
use melior::ir::Value;

/// Whether two integers are known to be equal.
pub(crate) fn same_size<'c: 'a, 'a>(one: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
    one == other || {
        let mut known = Derivation::default();
        known.value(one) == known.value(other)
    }
}

/// Whether an integer is known to be 1.
pub(crate) fn is_one<'c: 'a, 'a>(size: Value<'c, 'a>) -> bool {
    Derivation::default().value(size) == Size::number(1)
}

/// Whether a dimension of an array is known to be 1.
pub(crate) fn is_one_in<'c: 'a, 'a>(array: Value<'c, 'a>, dimension: usize) -> bool {
    Derivation::default().dimension(array, dimension) == Size::number(1)
}

/// Whether an integer is known not to be negative: it is the size of an array, or a number.
pub(crate) fn is_natural<'c: 'a, 'a>(size: Value<'c, 'a>) -> bool {
    let mut known = Derivation::default();
    let size = known.value(size);
    known.sizes.is_natural(&size)
}

/// Whether an array is known to have exactly these extents.
pub(crate) fn has_extents<'c: 'a, 'a>(array: Value<'c, 'a>, extents: &[Value<'c, 'a>]) -> bool {
    let mut known = Derivation::default();
    rank(array) == extents.len()
        && extents
            .iter()
            .enumerate()
            .all(|(dimension, size)| known.dimension(array, dimension) == known.value(*size))
}
