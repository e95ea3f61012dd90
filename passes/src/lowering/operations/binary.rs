//! Operators, comparisons, and the combining of reductions.

use super::{Lowered, Site, complex, float, integer, refuse, text};
use crate::{
    analysis::reduction,
    infra::{
        CmpFloat, CmpInt, OperationAttributes,
        ops::{marks, typed},
    },
    lowering::{
        emit::Emit,
        types::{is_float, is_unsigned},
    },
    types::layout::complex_part,
};
use melior::ir::{Type, Value};
use pyopt_dialects::{
    enums::{BinaryKind, CombineKind, CompareKind},
    typed::TypedType,
};

/// Lowers `typed.binary`.
pub(super) fn lower<'c, 'a>(op: typed::Binary<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let kind = op.kind();
    let r#type = site.result_type();
    let x = site.one(typed::Binary::LHS_OPERAND)?;
    let y = site.one(typed::Binary::RHS_OPERAND)?;
    let reassociate = op.flag_attr(marks::REASSOC);
    match operator(&site.emit, kind, reassociate, r#type, x, y) {
        Some(value) => Ok(vec![vec![value]]),
        None => refuse(format!("'{}' has no meaning for {}", kind.name(), r#type)),
    }
}

fn operator<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: BinaryKind,
    reassociate: bool,
    r#type: Type<'c>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    if complex_part(r#type).is_some() {
        complex::binary(e, kind, x, y)
    } else if is_float(r#type) {
        float::binary(e, kind, reassociate, x, y)
    } else {
        integer::binary(e, kind, is_unsigned(r#type), x, y)
    }
}

/// Combines two partial results of a reduction of a typed type; `None` when the type has no such
/// reduction. `npmin` and `npmax` keep NaN.
pub(in crate::lowering) fn combine<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    kind: CombineKind,
    r#type: Type<'c>,
    x: Value<'c, 'a>,
    y: Value<'c, 'a>,
) -> Option<Value<'c, 'a>> {
    let value = operator(e, reduction::operator(kind), false, r#type, x, y)?;
    if matches!(kind, CombineKind::NpMin | CombineKind::NpMax) && is_float(r#type) {
        // `value` is `x` unless `y` is ordered and better; a NaN in `y` is to win.
        return Some(e.select(e.cmpf(CmpFloat::UNO, y, y), y, value));
    }
    Some(value)
}

/// Lowers `typed.compare`.
pub(super) fn compare<'c, 'a>(
    op: typed::Compare<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let kind = op.kind();
    let (lhs, rhs) = (typed::Compare::LHS_OPERAND, typed::Compare::RHS_OPERAND);
    let e = &site.emit;
    let r#type = site.operand_type(lhs);
    if let TypedType::Str | TypedType::Bytes = TypedType::from(r#type) {
        let result = text::compare(e, kind, &site.operands[lhs], &site.operands[rhs])?;
        return Ok(vec![vec![result]]);
    }
    if site.operands[lhs].is_empty() {
        // The one value of its type.
        let equal = matches!(kind, CompareKind::Eq | CompareKind::Le | CompareKind::Ge);
        return Ok(vec![vec![e.bool(equal)]]);
    }

    let (x, y) = (site.one(lhs)?, site.one(rhs)?);
    let result = if complex_part(r#type).is_some() {
        complex::compare(e, kind, x, y)
    } else if is_float(r#type) {
        e.cmpf(float_predicate(kind), x, y)
    } else {
        e.cmpi(predicate(kind, is_unsigned(r#type)), x, y)
    };
    Ok(vec![vec![result]])
}

fn float_predicate(kind: CompareKind) -> CmpFloat {
    match kind {
        CompareKind::Lt => CmpFloat::OLT,
        CompareKind::Le => CmpFloat::OLE,
        CompareKind::Eq => CmpFloat::OEQ,
        CompareKind::Ne => CmpFloat::UNE,
        CompareKind::Gt => CmpFloat::OGT,
        CompareKind::Ge => CmpFloat::OGE,
    }
}

/// The predicate on integers.
pub(super) fn predicate(kind: CompareKind, unsigned: bool) -> CmpInt {
    match (kind, unsigned) {
        (CompareKind::Eq, _) => CmpInt::Eq,
        (CompareKind::Ne, _) => CmpInt::Ne,
        (CompareKind::Lt, false) => CmpInt::Slt,
        (CompareKind::Le, false) => CmpInt::Sle,
        (CompareKind::Gt, false) => CmpInt::Sgt,
        (CompareKind::Ge, false) => CmpInt::Sge,
        (CompareKind::Lt, true) => CmpInt::Ult,
        (CompareKind::Le, true) => CmpInt::Ule,
        (CompareKind::Gt, true) => CmpInt::Ugt,
        (CompareKind::Ge, true) => CmpInt::Uge,
    }
}
