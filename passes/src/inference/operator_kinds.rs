//! The kinds of operators: how Python writes them, and what they are on values of one type.

use crate::{inference::val::Val, types::display::display_list};
use pyopt_dialects::enums::{CompareKind, PyBinaryKind, PyCompareKind};

/// How Python writes a binary operator.
pub(crate) const fn binary_symbol(kind: PyBinaryKind) -> &'static str {
    match kind {
        PyBinaryKind::Add => "+",
        PyBinaryKind::Sub => "-",
        PyBinaryKind::Mul => "*",
        PyBinaryKind::TrueDiv => "/",
        PyBinaryKind::FloorDiv => "//",
        PyBinaryKind::Mod => "%",
        PyBinaryKind::Pow => "**",
        PyBinaryKind::MatMul => "@",
        PyBinaryKind::And => "&",
        PyBinaryKind::Or => "|",
        PyBinaryKind::Xor => "^",
        PyBinaryKind::LShift => "<<",
        PyBinaryKind::RShift => ">>",
    }
}

/// How Python writes a comparison.
pub(crate) const fn compare_symbol(kind: PyCompareKind) -> &'static str {
    match kind {
        PyCompareKind::Lt => "<",
        PyCompareKind::Le => "<=",
        PyCompareKind::Eq => "==",
        PyCompareKind::Ne => "!=",
        PyCompareKind::Gt => ">",
        PyCompareKind::Ge => ">=",
    }
}

/// The comparison of two values of one type.
pub(crate) const fn typed_kind(kind: PyCompareKind) -> CompareKind {
    match kind {
        PyCompareKind::Lt => CompareKind::Lt,
        PyCompareKind::Le => CompareKind::Le,
        PyCompareKind::Eq => CompareKind::Eq,
        PyCompareKind::Ne => CompareKind::Ne,
        PyCompareKind::Gt => CompareKind::Gt,
        PyCompareKind::Ge => CompareKind::Ge,
    }
}

/// What to say when an operator isn't defined for its operands.
pub(crate) fn no_operator(symbol: &str, operands: &[Val]) -> String {
    let types = display_list(operands.iter().map(|operand| operand.ty));
    format!("no implementation of {symbol} for ({types})")
}

/// Whether a comparison holds of values known at compile time.
pub(crate) fn holds<T: PartialOrd>(kind: PyCompareKind, a: T, b: T) -> bool {
    match kind {
        PyCompareKind::Lt => a < b,
        PyCompareKind::Le => a <= b,
        PyCompareKind::Eq => a == b,
        PyCompareKind::Ne => a != b,
        PyCompareKind::Gt => a > b,
        PyCompareKind::Ge => a >= b,
    }
}
