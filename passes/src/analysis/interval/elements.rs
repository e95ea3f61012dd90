//! What is known of a value that has been the index of an element before a loop carries it on.
//!
//! An index outside of its array raises where bounds are checked and has no meaning elsewhere, so behind an access
//! the index is that of an element. A variable that each iteration computes from such an index (the children
//! of a node of a heap, a probe that starts where the last one hit) then can't overflow, however it grows.

use super::guards::Facts;
use crate::{
    analysis::element_access::ElementAccess,
    infra::{BlockExt, OperationExt, RegionExt, ValueExt, ops::scf},
};
use melior::ir::{BlockRef, Value};
use pyopt_dialects::typed::array_type;

/// No array in one piece has more elements: addresses have fewer bits.
pub(super) const ELEMENTS: i128 = 1 << 56;

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

/// Whether a value is the index of an access that runs before the end of a block.
fn has_indexed<'c: 'a, 'a>(index: Value<'c, 'a>, end: BlockRef<'c, 'a>) -> bool {
    index.users().into_iter().any(|user| {
        let access = ElementAccess::of(user).filter(|_| user.parent_block() == Some(end));
        access.is_some_and(|access| {
            let array = array_type(access.array().ty());
            let is_in_one_piece = array.is_some_and(|array| array.layout.is_contiguous());
            is_in_one_piece && access.indices().contains(&index)
        })
    })
}
