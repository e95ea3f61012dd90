//! Lists, dicts and sets that are defined outside of a loop.

use crate::infra::{
    OperationExt, ValueExt,
    ops::{scf, typed},
};
use crate::types::tables::Table;
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

/// Whether iterations use dicts or sets that they don't make themselves: what is looked up may be changed by
/// another iteration, and those of the host get their slots when something is looked up.
pub(super) fn share_tables<'c: 'a, 'a>(each: scf::For<'c, 'a>) -> bool {
    let shared = |table: Value<'c, 'a>| {
        let made = typed::TableNew::defining(table);
        Table::is_in(table.ty()) && !made.is_some_and(|made| made.result().is_inside(*each))
    };
    each.pre_order()
        .into_iter()
        .any(|operation| operation.operand_values().into_iter().any(shared))
}
