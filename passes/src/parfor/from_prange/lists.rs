//! Lists that are defined outside of a loop.

use crate::infra::{
    OperationExt, ValueExt,
    ops::{scf, typed},
};
use melior::ir::Value;

/// Whether iterations append to, or otherwise change, a list that they share.
pub(super) fn grow<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> bool {
    let shared = |list: Value<'c, 'a>| !list.is_inside(*each);
    each.pre_order()
        .into_iter()
        .any(|operation| match typed::Op::of(operation) {
            Some(typed::Op::ListPush(push)) => shared(push.list()),
            Some(typed::Op::ListReserve(reserve)) => shared(reserve.list()),
            Some(typed::Op::ListTruncate(truncate)) => shared(truncate.list()),
            _ => false,
        })
}
