//! The reductions of a launch.

use crate::{
    analysis::reduction::{Combination, Combiner},
    infra::OperationExt,
    lowering::{
        emit::Emit,
        operations::create_complex,
        types::{convert, is_float, is_unsigned},
    },
    types::layout::complex_part,
};
use melior::ir::{Attribute, OperationRef, Type, Value, r#type::IntegerType};
use pyopt_dialects::enums::CombineKind;

/// A reduction: its combiner, and its typed type.
pub(super) struct Reduction<'c> {
    pub kind: Kind<'c>,
    pub r#type: Type<'c>,
}

/// The combiner of partial results.
#[derive(Clone, Copy)]
pub(super) enum Kind<'c> {
    /// By an operator.
    Operator(CombineKind),
    /// By the functions of a combiner.
    Combiner(Combiner<'c>),
}

impl<'c> Kind<'c> {
    /// Reads an element of `reductions` of a launch.
    pub fn read(launch: OperationRef<'c, '_>, attribute: Attribute<'c>) -> Option<Self> {
        match Combination::read(attribute)? {
            Combination::Operator(kind) => Some(Self::Operator(kind)),
            Combination::Combiner(name) => Combiner::find(launch, &name).map(Self::Combiner),
        }
    }
}

/// The identity of a reduction, with which every part starts.
pub(super) fn identity<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    reduction: &Reduction<'c>,
) -> Option<Value<'c, 'a>> {
    let r#type = *convert(e.context(), reduction.r#type)?.first()?;
    let kind = match reduction.kind {
        Kind::Operator(kind) => kind,
        Kind::Combiner(combiner) => {
            let call = e.call_symbol(combiner.identity, &[], &[r#type]);
            return call.result_values().first().copied();
        }
    };
    if let Some(part) = complex_part(r#type) {
        let re = match kind {
            CombineKind::Add => -0.0,
            CombineKind::Mul => 1.0,
            _ => return None,
        };
        let im = if kind == CombineKind::Add { -0.0 } else { 0.0 };
        return Some(create_complex(
            e,
            r#type,
            e.float(part, re),
            e.float(part, im),
        ));
    }
    if is_float(r#type) {
        // Not 0: that would turn a sum of negative zeros positive.
        return Some(e.float(
            r#type,
            match kind {
                CombineKind::Add => -0.0,
                CombineKind::Mul => 1.0,
                CombineKind::Min | CombineKind::NpMin => f64::INFINITY,
                CombineKind::Max | CombineKind::NpMax => f64::NEG_INFINITY,
                _ => return None,
            },
        ));
    }

    let width = IntegerType::try_from(r#type).map_or(64, |integer| integer.width());
    let unsigned = is_unsigned(reduction.r#type);
    let (smallest, largest) = if unsigned {
        (0, -1)
    } else {
        (i64::MIN >> (64 - width), i64::MAX >> (64 - width))
    };
    Some(e.int(
        r#type,
        match kind {
            CombineKind::Add | CombineKind::Or | CombineKind::Xor => 0,
            CombineKind::Mul => 1,
            CombineKind::And => -1,
            CombineKind::Min | CombineKind::NpMin => largest,
            CombineKind::Max | CombineKind::NpMax => smallest,
        },
    ))
}
