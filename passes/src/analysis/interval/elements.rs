//! What is known of a value that has been the index of an element before a loop carries it on.
//!
//! An index outside of its array raises where bounds are checked and has no meaning elsewhere, so behind an access
//! the index is that of an element. A variable that each iteration computes from such an index (the children
//! of a node of a heap, a probe that starts where the last one hit) then can't overflow, however it grows.

use super::{DEPTH, Interval, Intervals, guards::Facts};
use crate::{
    analysis::{affine::is_word, element_access::ElementAccess},
    infra::{BlockExt, OperationExt, RegionExt, ValueExt, ops::scf},
};
use melior::ir::{BlockRef, OperationRef, Value};
use pyopt_dialects::typed::array_type;
use std::iter::successors;

/// No array in one piece has more elements: addresses have fewer bits.
pub(super) const ELEMENTS: i128 = 1 << 56;
/// The indices of elements; negative ones count from the end.
const OF_ELEMENT: Interval = Interval::new(-ELEMENTS, ELEMENTS);

/// Whether what an iteration sets a variable to, the operand of its `scf.yield`, is an index of an
/// element of an array in one piece.
pub(super) fn is_element<'c: 'a, 'a>(next: Value<'c, 'a>, end: BlockRef<'c, 'a>) -> bool {
    if has_indexed(next, end) {
        return true;
    }
    let passing = end.parent().and_then(scf::While::of).filter(|r#loop| {
        next.defining_op().is_none() && r#loop.after().entry() == Some(next.defining_block())
    });
    passing.is_some_and(|r#loop| {
        let passed = Facts::of_passed_on(r#loop, next.position());
        let before = r#loop.before().entry();
        let known = passed.zip(before);
        known.is_some_and(|((_, value), before)| has_indexed(value, before))
    })
}

/// How many uses of a value are looked at.
const USES: usize = 16;

impl Intervals {
    /// The interval that an operand has where its operation runs: narrower than its own if it has been the index
    /// of an element.
    pub(super) fn of_operand<'c: 'a, 'a>(
        &mut self,
        value: Value<'c, 'a>,
        operation: OperationRef<'c, 'a>,
    ) -> Interval {
        let found = self.of(value);
        if found.is_within(OF_ELEMENT) || !is_word(value) || !has_indexed_before(value, operation) {
            return found;
        }
        Interval::new(
            found.low.clamp(OF_ELEMENT.low, OF_ELEMENT.high),
            found.high.clamp(OF_ELEMENT.low, OF_ELEMENT.high),
        )
    }
}

/// Whether a value has been the index of an element whenever an operation runs.
fn has_indexed_before<'c: 'a, 'a>(value: Value<'c, 'a>, operation: OperationRef<'c, 'a>) -> bool {
    let users = value.users().into_iter().take(USES);
    let mut accesses = users.filter(|user| is_index_of(value, *user));
    accesses.any(|access| {
        let block = access.parent_block();
        let around = successors(Some(operation), |inner| inner.parent());
        let mut beside = around.take(DEPTH).filter(|one| one.parent_block() == block);
        beside.next().is_some_and(|one| access.is_before(one))
    })
}

/// Whether a value is the index of an access that runs before the end of a block.
fn has_indexed<'c: 'a, 'a>(index: Value<'c, 'a>, end: BlockRef<'c, 'a>) -> bool {
    let mut users = index.users().into_iter();
    users.any(|user| user.parent_block() == Some(end) && is_index_of(index, user))
}

/// Whether a value is the index of an access to an array in one piece.
fn is_index_of<'c: 'a, 'a>(index: Value<'c, 'a>, user: OperationRef<'c, 'a>) -> bool {
    ElementAccess::of(user).is_some_and(|access| {
        let array = array_type(access.array().ty());
        let is_in_one_piece = array.is_some_and(|array| array.layout.is_contiguous());
        is_in_one_piece && access.indices().contains(&index)
    })
}
