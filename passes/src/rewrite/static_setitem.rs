//! `py-static-setitem`: as `py-static-getitem`, for assignments to items.

use super::{
    Point, RewriteSpec,
    static_getitem::{make_static, with_static_operand},
};
use crate::infra::PassSpec;

/// `a[N] = value` with the index as one constant.
pub static REWRITE: RewriteSpec = RewriteSpec {
    name: "py-static-setitem",
    summary: "make the constant indices of assignments constants",
    description: "An index that is a constant on every path becomes one `py.constant`.",
    point: Point::BeforeInference,
    roots: &["py.setitem"],
    matches: |cx, block| with_static_operand(cx, block, "py.setitem", 1),
    apply: |cx, operation| make_static(cx, operation, 1),
};

/// The rewrite alone.
pub static PASS: PassSpec = REWRITE.pass();
