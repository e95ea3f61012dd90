//! Reductions: how the contributions of iterations are combined, the identity to start with, and
//! which calls are steps of a reduction by the program's own combiner.
//!
//! Every combination is associative up to rounding, with its identity: so iterations may be split
//! into parts that are combined in their order. Whether the order of additions is free as well is
//! said by the loop (`pyopt.reassoc`).

use crate::{
    infra::{
        AttributeExt, Builder, OperationAttributes, OperationExt, ValueExt,
        emit::Emit,
        ops::{arith, marks, parfor},
    },
    types::number::Number,
};
use melior::{
    Context,
    ir::{
        Attribute, OperationRef, Type, Value,
        attribute::{
            ArrayAttribute, BoolAttribute, FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute,
        },
    },
};
use pyopt_dialects::enums::{BinaryKind, CombineKind, ReduceKind};

/// The combiner of a reduction's contributions.
#[derive(Clone, Debug, PartialEq)]
pub enum Combination {
    /// By an operator.
    Operator(CombineKind),
    /// By the `parfor.combiner` of this name.
    Combiner(String),
}

impl Combination {
    /// Reads an element of the `reductions` of a loop.
    pub fn read(attribute: Attribute) -> Option<Self> {
        let combiner = || attribute.symbol_value();
        CombineKind::from_attribute(attribute)
            .map(Self::Operator)
            .or_else(|| Some(Self::Combiner(combiner()?.to_owned())))
    }

    /// What diagnostics call it: an operator by its name, a combiner by its function's.
    pub fn describe(&self, from: OperationRef) -> String {
        match self {
            Self::Operator(kind) => kind.name().to_owned(),
            Self::Combiner(name) => {
                let function = Combiner::find(from, name)
                    .and_then(|combiner| from.lookup_symbol(combiner.combine))
                    .and_then(|function| function.str_attr(marks::FUNCTION));
                function.map_or_else(|| format!("@{name}"), |function| format!("{function}()"))
            }
        }
    }

    /// The `reductions` of a loop.
    pub fn attributes<'c>(context: &'c Context, kinds: &[&Self]) -> Vec<Attribute<'c>> {
        let kinds = kinds.iter();
        kinds.map(|kind| kind.to_attribute(context)).collect()
    }

    /// The element of `reductions` for it.
    pub fn to_attribute<'c>(&self, context: &'c Context) -> Attribute<'c> {
        match self {
            Self::Operator(kind) => kind.to_attribute(context),
            Self::Combiner(name) => FlatSymbolRefAttribute::new(context, name).into(),
        }
    }
}

/// A `parfor.combiner`, by the functions that it names.
#[derive(Clone, Copy, Debug)]
pub struct Combiner<'c> {
    /// The function that returns the identity.
    pub identity: &'c str,
    /// Makes one of two values.
    pub combine: &'c str,
    /// Whether it has no effects.
    pub pure: bool,
}

impl<'c> Combiner<'c> {
    /// The combiner of a name, as seen from an operation.
    pub fn find(from: OperationRef<'c, '_>, name: &str) -> Option<Self> {
        let combiner = parfor::Combiner::of(from.lookup_symbol(name)?)?;
        Some(Self {
            identity: combiner.identity(),
            combine: combiner.combine(),
            pure: combiner.pure(),
        })
    }
}

/// Whether values of a type are floats.
pub(crate) fn is_float(r#type: Type) -> bool {
    matches!(Number::of(r#type), Some(Number::Float(_)))
}

/// The reduction of `parfor.loop` that corresponds to a reduction of an array.
pub(crate) fn combine_kind(kind: ReduceKind, element: Type) -> CombineKind {
    match kind {
        ReduceKind::Sum => CombineKind::Add,
        ReduceKind::Prod => CombineKind::Mul,
        // Only floats know a NaN that would have to win.
        ReduceKind::Min if is_float(element) => CombineKind::NpMin,
        ReduceKind::Max if is_float(element) => CombineKind::NpMax,
        ReduceKind::Min => CombineKind::Min,
        ReduceKind::Max => CombineKind::Max,
        ReduceKind::Any | ReduceKind::Or => CombineKind::Or,
        ReduceKind::All | ReduceKind::And => CombineKind::And,
        ReduceKind::Xor => CombineKind::Xor,
    }
}

/// The value that changes nothing when it is combined with another one; `None` where there is
/// none.
pub(crate) fn identity<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: CombineKind,
    r#type: Type<'c>,
) -> Option<Value<'c, 'a>> {
    Some(builder.typed_constant(r#type, identity_attribute(builder.context(), kind, r#type)?))
}

/// The value of [`identity`].
pub(crate) fn identity_attribute<'c>(
    context: &'c Context,
    kind: CombineKind,
    r#type: Type<'c>,
) -> Option<Attribute<'c>> {
    use CombineKind::{Add, And, Max, Min, Mul, NpMax, NpMin, Or, Xor};
    let value: Attribute = match Number::of(r#type)? {
        Number::Complex(width) => {
            let part = Number::Float(width).to_type(context);
            let real = match kind {
                Add => 0.0,
                Mul => 1.0,
                _ => return None,
            };
            let parts = [real, 0.0].map(|number| FloatAttribute::new(context, part, number).into());
            ArrayAttribute::new(context, &parts).into()
        }
        Number::Float(_) => {
            let number = match kind {
                Add => 0.0,
                Mul => 1.0,
                Min | NpMin => f64::INFINITY,
                Max | NpMax => f64::NEG_INFINITY,
                And | Or | Xor => return None,
            };
            FloatAttribute::new(context, r#type, number).into()
        }
        Number::Bool => {
            let truth = match kind {
                Add | Or | Xor | Max => false,
                Mul | And | Min => true,
                NpMin | NpMax => return None,
            };
            BoolAttribute::new(context, truth).into()
        }
        Number::Int { width, signed } => {
            let (lowest, highest) = match signed {
                true => (i64::MIN >> (64 - width), i64::MAX >> (64 - width)),
                // The bits of the greatest one of 64 bits.
                false => (0, (u64::MAX >> (64 - width)) as i64),
            };
            let number = match kind {
                Add | Or | Xor => 0,
                Mul => 1,
                Min => highest,
                Max => lowest,
                And if signed => -1,
                And => highest,
                NpMin | NpMax => return None,
            };
            IntegerAttribute::new(r#type, number).into()
        }
    };
    Some(value)
}

/// The value that changes nothing at all: unlike the [`identity`] of sums also not a zero's sign, so that
/// the addition folds away.
pub(crate) fn neutral<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: CombineKind,
    r#type: Type<'c>,
) -> Option<Value<'c, 'a>> {
    Some(builder.typed_constant(r#type, neutral_attribute(builder.context(), kind, r#type)?))
}

/// The value of [`neutral`].
pub(crate) fn neutral_attribute<'c>(
    context: &'c Context,
    kind: CombineKind,
    r#type: Type<'c>,
) -> Option<Attribute<'c>> {
    if kind != CombineKind::Add || !is_float(r#type) {
        return identity_attribute(context, kind, r#type);
    }
    Some(FloatAttribute::new(context, r#type, -0.0).into())
}

/// The operator that combines two values, none of which is NaN.
pub(crate) fn operator(kind: CombineKind) -> BinaryKind {
    match kind {
        CombineKind::Add => BinaryKind::Add,
        CombineKind::Mul => BinaryKind::Mul,
        CombineKind::Min | CombineKind::NpMin => BinaryKind::Min,
        CombineKind::Max | CombineKind::NpMax => BinaryKind::Max,
        CombineKind::And => BinaryKind::And,
        CombineKind::Or => BinaryKind::Or,
        CombineKind::Xor => BinaryKind::Xor,
    }
}

/// Combines two values; with `reassociate` additions may be reassociated.
pub(crate) fn combine<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: CombineKind,
    reassociate: bool,
    before: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let float = is_float(before.ty());
    match kind {
        // The operations of `arith` let a NaN win, and vectorise.
        CombineKind::NpMin if float => return builder.bin(arith::MinimumF::NAME, before, value),
        CombineKind::NpMax if float => return builder.bin(arith::MaximumF::NAME, before, value),
        _ => {}
    }
    let result = builder.binary(operator(kind), before, value);
    if reassociate
        && float
        && let Some(operation) = result.defining_op()
    {
        operation.set_attr(marks::REASSOC, Attribute::unit(builder.context()));
    }
    result
}

/// Whether a call is a reduction step without effects.
pub(crate) fn is_pure_step(call: OperationRef) -> bool {
    call.symbol_attr(marks::COMBINER)
        .and_then(|name| Combiner::find(call, name))
        .is_some_and(|combiner| combiner.pure)
}
