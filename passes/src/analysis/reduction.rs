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
        attribute::{FlatSymbolRefAttribute, StringAttribute},
    },
};
use pyopt_dialects::enums::{BinaryKind, ReduceKind};

/// The combiner of a reduction's contributions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Combination {
    /// By the operator of this name.
    Operator(String),
    /// By the `parfor.combiner` of this name.
    Combiner(String),
}

impl Combination {
    /// Reads an element of the `reductions` of a loop.
    pub fn read(attribute: Attribute) -> Option<Self> {
        let operator = attribute.string_value();
        let combiner = || attribute.symbol_value();
        operator
            .map(|name| Self::Operator(name.to_owned()))
            .or_else(|| Some(Self::Combiner(combiner()?.to_owned())))
    }

    /// What diagnostics call it: an operator by its name, a combiner by its function's.
    pub fn describe(&self, from: OperationRef) -> String {
        match self {
            Self::Operator(name) => name.clone(),
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
            Self::Operator(name) => StringAttribute::new(context, name).into(),
            Self::Combiner(name) => FlatSymbolRefAttribute::new(context, name).into(),
        }
    }
}

/// A `parfor.combiner`, by the functions that it names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Combiner<'c> {
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
pub(crate) fn reduce_kind(kind: ReduceKind, element: Type) -> &'static str {
    match kind {
        ReduceKind::Sum => "add",
        ReduceKind::Prod => "mul",
        // Only floats know a NaN that would have to win.
        ReduceKind::Min if is_float(element) => "npmin",
        ReduceKind::Max if is_float(element) => "npmax",
        ReduceKind::Min => "min",
        ReduceKind::Max => "max",
        ReduceKind::Any | ReduceKind::Or => "or",
        ReduceKind::All | ReduceKind::And => "and",
        ReduceKind::Xor => "xor",
    }
}

/// The value that changes nothing when it is combined with another one; `None` where there is
/// none.
pub(crate) fn identity<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: &str,
    r#type: Type<'c>,
) -> Option<Value<'c, 'a>> {
    let text = match Number::of(r#type)? {
        Number::Complex(width) => match kind {
            "add" => format!("[0.0 : f{width}, 0.0 : f{width}]"),
            "mul" => format!("[1.0 : f{width}, 0.0 : f{width}]"),
            _ => return None,
        },
        Number::Float(width) => {
            let infinity = |sign: u64| match width {
                16 => format!("0x{:04X} : f16", 0x7C00 | sign << 15),
                32 => format!("0x{:08X} : f32", 0x7F80_0000 | sign << 31),
                _ => format!("0x{:016X} : f64", 0x7FF0_0000_0000_0000 | sign << 63),
            };
            match kind {
                "add" => format!("0.0 : {type}"),
                "mul" => format!("1.0 : {type}"),
                "min" | "npmin" => infinity(0),
                "max" | "npmax" => infinity(1),
                _ => return None,
            }
        }
        Number::Bool => match kind {
            "add" | "or" | "xor" | "max" => "false".to_owned(),
            "mul" | "and" | "min" => "true".to_owned(),
            _ => return None,
        },
        Number::Int { width, signed } => {
            let (lowest, highest) = match signed {
                true => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
                false => (0, (1_i128 << width) - 1),
            };
            let number = match kind {
                "add" | "or" | "xor" => 0,
                "mul" => 1,
                "min" => highest,
                "max" => lowest,
                "and" if signed => -1,
                "and" => highest,
                _ => return None,
            };
            format!("{number} : {type}")
        }
    };
    let value = Attribute::parse(builder.context(), &text)?;
    Some(builder.typed_constant(r#type, value))
}

/// The value that changes nothing at all: unlike the [`identity`] of sums also not a zero's sign, so that
/// the addition folds away.
pub(crate) fn neutral<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: &str,
    r#type: Type<'c>,
) -> Option<Value<'c, 'a>> {
    if kind != "add" || !is_float(r#type) {
        return identity(builder, kind, r#type);
    }
    let value = Attribute::parse(builder.context(), &format!("-0.0 : {type}"))?;
    Some(builder.typed_constant(r#type, value))
}

/// Combines two values; with `reassociate` additions may be reassociated.
pub(crate) fn combine<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: &str,
    reassociate: bool,
    before: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let float = is_float(before.ty());
    let binary = match kind {
        "add" => BinaryKind::Add,
        "mul" => BinaryKind::Mul,
        // The operations of `arith` let a NaN win, and vectorise.
        "npmin" if float => return builder.bin(arith::MinimumF::NAME, before, value),
        "npmax" if float => return builder.bin(arith::MaximumF::NAME, before, value),
        "min" | "npmin" => BinaryKind::Min,
        "max" | "npmax" => BinaryKind::Max,
        "and" => BinaryKind::And,
        "or" => BinaryKind::Or,
        _ => BinaryKind::Xor,
    };
    let result = builder.binary(binary, before, value);
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
