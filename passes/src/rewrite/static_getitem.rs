//! `py-static-getitem`: indices that are known to be constants become constants.
//!
//! Numba's `RewriteConstGetitems`. An operation with a constant operand is what Numba has a
//! `static_getitem` for: inference picks the element of a tuple by it.

use super::{Point, RewriteContext, RewriteSpec};
use crate::infra::{BlockExt, OperationExt, PassResult, PassSpec, ops::py};
use melior::ir::{OperationRef, Value};

/// `a[N]`, `a[-1]`, `a[(0, 1)]` with the index as one constant.
pub static REWRITE: RewriteSpec = RewriteSpec {
    name: "py-static-getitem",
    summary: "make the constant indices of items constants",
    description: "An index that is a constant on every path (a global, a tuple of constants, an \
                  operator on constants) becomes one `py.constant`.",
    point: Point::BeforeInference,
    roots: &[py::GetItem::NAME],
    matches: |cx, block| {
        let operations = block.operation_list().into_iter();
        let items = operations.filter_map(py::GetItem::of);
        let open = items.filter(|item| is_open(cx, item.index()));
        open.map(py::GetItem::operation).collect()
    },
    apply: |cx, operation| make_static(cx, operation, py::GetItem::INDEX_OPERAND),
};

/// The rewrite alone.
pub static PASS: PassSpec = REWRITE.pass();

/// Whether a value is a constant that isn't written as one.
pub(super) fn is_open<'c, 'a>(cx: &RewriteContext<'_, 'c, 'a>, value: Value<'c, 'a>) -> bool {
    py::Constant::defining(value).is_none() && cx.constant(value).is_some()
}

/// Replaces an operand by the constant that it is.
pub(super) fn make_static<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    operand: usize,
) -> PassResult {
    let value = operation.operand_value(operand);
    if let Some(constant) = cx.constant(value) {
        let builder = cx.builder.before(operation);
        let constant = py::Constant::create(builder, constant).result();
        operation.set_operand_value(operand, constant);
    }
    Ok(())
}
