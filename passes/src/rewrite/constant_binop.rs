//! `py-constant-binop`: operators on constants.
//!
//! Numba's `DetectStaticBinops` marks the constant exponents of powers; here an operator on
//! constants is computed, where Python gives a result that fits and no error, and an exponent that
//! is known to be a constant becomes one.

use super::{Point, RewriteContext, RewriteSpec, static_getitem::make_static};
use crate::infra::{BlockExt, OperationExt, PassResult, PassSpec, ValueExt};
use melior::ir::{BlockRef, OperationRef};
use pyopt_dialects::enums::PyBinaryKind;

/// `N + 1` for a constant N, and `x ** N`.
pub static REWRITE: RewriteSpec = RewriteSpec {
    name: "py-constant-binop",
    summary: "compute operators on constants, make constant exponents constants",
    description: "Ints stay exact: what does not fit into 64 bits, divides by zero or shifts by a \
                  negative number is left to run time.",
    point: Point::BeforeInference,
    roots: &["py.binary", "py.inplace"],
    matches,
    apply,
};

/// The rewrite alone.
pub static PASS: PassSpec = REWRITE.pass();

fn matches<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Vec<OperationRef<'c, 'a>> {
    let mut operations = block.operation_list();
    operations
        .retain(|operation| is_constant(cx, *operation) || has_constant_exponent(cx, *operation));
    operations
}

fn apply<'c, 'a>(cx: &RewriteContext<'_, 'c, 'a>, operation: OperationRef<'c, 'a>) -> PassResult {
    if !is_constant(cx, operation) {
        return make_static(cx, operation, 1);
    }
    let result = operation.result_value(0);
    if let Some(value) = cx.constant(result) {
        let builder = cx.builder.before(operation);
        let constant = builder.value("py.constant", &[], result.ty(), &[("value", value)]);
        builder.replace_op(operation, &[constant]);
    }
    Ok(())
}

fn is_constant<'c, 'a>(cx: &RewriteContext<'_, 'c, 'a>, operation: OperationRef<'c, 'a>) -> bool {
    operation.is("py.binary") && cx.constant(operation.result_value(0)).is_some()
}

fn has_constant_exponent<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> bool {
    if !operation.is("py.binary") && !operation.is("py.inplace") {
        return false;
    }
    let kind = operation
        .attr("kind")
        .and_then(PyBinaryKind::from_attribute);
    let exponent = operation.operand_value(1);
    kind == Some(PyBinaryKind::Pow)
        && exponent.defined_by("py.constant").is_none()
        && cx.constant(exponent).is_some()
}
