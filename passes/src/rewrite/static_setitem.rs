//! `py-static-setitem`: as `py-static-getitem`, for assignments to items.

use super::{
    Point, RewriteSpec,
    static_getitem::{is_open, make_static},
};
use crate::infra::{BlockExt, PassSpec, ops::py};

/// `a[N] = value` with the index as one constant.
pub static REWRITE: RewriteSpec = RewriteSpec {
    name: "py-static-setitem",
    summary: "make the constant indices of assignments constants",
    description: "An index that is a constant on every path becomes one `py.constant`.",
    point: Point::BeforeInference,
    roots: &[py::SetItem::NAME],
    matches: |cx, block| {
        let operations = block.operation_list().into_iter();
        let items = operations.filter_map(py::SetItem::of);
        let open = items.filter(|item| is_open(cx, item.index()));
        open.map(py::SetItem::operation).collect()
    },
    apply: |cx, operation| make_static(cx, operation, py::SetItem::INDEX_OPERAND),
};

/// The rewrite alone.
pub static PASS: PassSpec = REWRITE.pass();
