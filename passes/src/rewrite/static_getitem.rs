//! `py-static-getitem`: indices that are known to be constants become constants.
//!
//! Numba's `RewriteConstGetitems`. An operation with a constant operand is what Numba has a
//! `static_getitem` for: inference picks the element of a tuple by it.

use super::{Point, RewriteContext, RewriteSpec};
use crate::infra::{BlockExt, OperationExt, PassResult, PassSpec, ValueExt};
use melior::ir::{BlockRef, OperationRef};

/// `a[N]`, `a[-1]`, `a[(0, 1)]` with the index as one constant.
pub static REWRITE: RewriteSpec = RewriteSpec {
    name: "py-static-getitem",
    summary: "make the constant indices of items constants",
    description: "An index that is a constant on every path (a global, a tuple of constants, an \
                  operator on constants) becomes one `py.constant`.",
    point: Point::BeforeInference,
    roots: &["py.getitem"],
    matches: |cx, block| with_static_operand(cx, block, "py.getitem", 1),
    apply: |cx, operation| make_static(cx, operation, 1),
};

/// The rewrite alone.
pub static PASS: PassSpec = REWRITE.pass();

/// The operations of a name whose operand is a constant that isn't written as one.
pub(super) fn with_static_operand<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    block: BlockRef<'c, 'a>,
    name: &str,
    operand: usize,
) -> Vec<OperationRef<'c, 'a>> {
    let mut operations = block.operation_list();
    operations.retain(|operation| {
        operation.is(name) && {
            let value = operation.operand_value(operand);
            value.defined_by("py.constant").is_none() && cx.constant(value).is_some()
        }
    });
    operations
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
        let constant = builder.value("py.constant", &[], value.ty(), &[("value", constant)]);
        operation.set_operand_value(operand, constant);
    }
    Ok(())
}
