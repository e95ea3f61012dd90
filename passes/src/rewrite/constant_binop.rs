//! `py-constant-binop`: operators on constants.
//!
//! Numba's `DetectStaticBinops` marks the constant exponents of powers; here an operator on
//! constants is computed, where Python gives a result that fits and no error, and an exponent that
//! is known to be a constant becomes one.

use super::{
    Point, RewriteContext, RewriteSpec,
    static_getitem::{is_open, make_static},
};
use crate::infra::{BlockExt, PassResult, PassSpec, ops::py};
use melior::ir::{Attribute, BlockRef, OperationRef};
use pyopt_dialects::enums::PyBinaryKind;

/// `N + 1` for a constant N, and `x ** N`.
pub static REWRITE: RewriteSpec = RewriteSpec {
    name: "py-constant-binop",
    summary: "compute operators on constants, make constant exponents constants",
    description: "Ints stay exact: what does not fit into 64 bits, divides by zero or shifts by a \
                  negative number is left to run time.",
    point: Point::BeforeInference,
    roots: &[py::Binary::NAME, py::Inplace::NAME],
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
        return match py::Op::of(operation) {
            Some(py::Op::Binary(_)) => make_static(cx, operation, py::Binary::RHS_OPERAND),
            _ => make_static(cx, operation, py::Inplace::RHS_OPERAND),
        };
    }
    if let Some(value) = computed(cx, operation) {
        let builder = cx.builder.before(operation);
        let constant = py::Constant::create(builder, value).result();
        builder.replace_op(operation, &[constant]);
    }
    Ok(())
}

fn is_constant<'c, 'a>(cx: &RewriteContext<'_, 'c, 'a>, operation: OperationRef<'c, 'a>) -> bool {
    computed(cx, operation).is_some()
}

/// The constant that an operator on constants gives.
fn computed<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> Option<Attribute<'c>> {
    cx.constant(py::Binary::of(operation)?.result())
}

fn has_constant_exponent<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
) -> bool {
    let (kind, exponent) = match py::Op::of(operation) {
        Some(py::Op::Binary(binary)) => (binary.kind(), binary.rhs()),
        Some(py::Op::Inplace(binary)) => (binary.kind(), binary.rhs()),
        _ => return false,
    };
    kind == PyBinaryKind::Pow && is_open(cx, exponent)
}
