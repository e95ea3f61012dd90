//! What keeps a loop on the host.

use crate::{
    analysis::{
        effects::{Footprint, Raises},
        nest::{Nest, is_constant},
        reduction::{Combination, Combiner},
    },
    devices::DeviceSpec,
    infra::{
        Access, Effect, OperationExt, OperationInterfaces, RegionExt, ValueExt,
        ops::{AnyOp, func, parfor, typed},
    },
    types::{layout::parts_of, number::Number},
};
use melior::ir::{OperationRef, Type, TypeLike, r#type::IntegerType};
use pyopt_dialects::{
    enums::{BinaryKind, UnaryKind},
    typed::{Layout, TypedType},
};

/// How many values the message of an exception may have: the runtime has room for them.
const MOST_VALUES: usize = 15;

/// What a device can do.
pub(super) struct Device<'x> {
    /// What it says itself of loops.
    pub spec: &'x DeviceSpec,
    /// Whether it computes with double precision.
    pub fp64: bool,
    /// The operators and functions of floats that it has not, by their names.
    pub lacks: &'x [String],
}

/// Why a loop can't run on the device.
pub(super) fn obstacle<'c: 'a, 'a>(nest: &Nest<'c, 'a>, device: &Device) -> Option<String> {
    if !nest.fresh().is_empty() {
        return Some("its arrays aren't allocated yet".to_owned());
    }
    let mut extents = nest.extents.iter();
    if extents.any(|extent| parfor::Chunks::defining(*extent).is_some()) {
        return Some("it reduces more than numbers, by chunks for the host's threads".to_owned());
    }
    for reduction in &nest.reductions {
        if Number::of(reduction.init.ty()).is_none() {
            return Some("it reduces what isn't a number".to_owned());
        }
        if let Combination::Combiner(name) = &reduction.kind
            && let Some(reason) = of_combiner(nest, name, device)
        {
            return Some(reason);
        }
    }
    let captured = nest
        .live_ins()
        .into_iter()
        .filter(|value| !is_constant(*value));
    let outside = captured.map(|value| value.ty());
    let inits = nest.reductions.iter().map(|reduction| reduction.init.ty());
    for r#type in outside.chain(inits) {
        if !is_device_type(r#type, device) || !is_passed(r#type) {
            return Some(format!("a value of type {} can't be passed", r#type));
        }
    }
    let mut inside = nest.operation.pre_order().into_iter().skip(1);
    let general = inside.find_map(|operation| {
        let reason = of_operation(operation, device)?;
        Some(format!("'{}' {reason}", operation.full_name()))
    });
    general.or_else(|| (device.spec.accepts)(nest).err())
}

/// Whether a reduction of a loop calls functions.
fn has_combiner(nest: &Nest) -> bool {
    let mut reductions = nest.reductions.iter();
    reductions.any(|reduction| matches!(reduction.kind, Combination::Combiner(_)))
}

/// What keeps a combiner from being copied into a kernel.
fn of_combiner<'c: 'a, 'a>(nest: &Nest<'c, 'a>, name: &str, device: &Device) -> Option<String> {
    let combiner = Combiner::find(nest.operation, name)?;
    if !combiner.pure {
        return Some("it reduces by a function that has effects".to_owned());
    }
    for function in [combiner.identity, combiner.combine] {
        let function = nest
            .operation
            .lookup_symbol(function)
            .and_then(func::Func::of)?;
        if function.body().block_list().len() != 1 {
            return Some("it reduces by a function with branches".to_owned());
        }
        for operation in function.pre_order().into_iter().skip(1) {
            if let Some(reason) = of_operation(operation, device) {
                return Some(format!("'{}' {reason}", operation.full_name()));
            }
        }
    }
    None
}

/// Whether a value from outside can be an argument of a kernel.
fn is_passed(r#type: Type) -> bool {
    matches!(
        TypedType::from(r#type),
        TypedType::Array(_) | TypedType::Sequence(..) | TypedType::Other(_)
    )
}

/// What keeps an operation from running on the device. What this says of effects, exceptions and
/// types, an operation says itself; nested operations aside.
fn of_operation<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, device: &Device) -> Option<String> {
    let values = operation
        .operand_values()
        .into_iter()
        .map(|value| value.ty());
    for r#type in values.chain(operation.result_types()) {
        if !is_device_type(r#type, device) {
            return Some(format!("has values of type {}", r#type));
        }
    }
    if let Some(inner) = Nest::of(operation)
        && has_combiner(&inner)
    {
        return Some("reduces by a function".to_owned());
    }
    if !operation.region_list().is_empty() {
        let structured = ["scf", "parfor"].contains(&operation.dialect());
        return (!structured).then(|| "isn't control flow that runs there".to_owned());
    }
    if is_of_host(operation, device) {
        return Some("with these operands is a call of the host".to_owned());
    }
    if let Some(function) = function_of_floats(operation)
        && device.lacks.iter().any(|name| name == function)
    {
        return Some(format!("is '{function}', which the device doesn't have"));
    }
    if let Some(raise) = typed::RaiseIf::of(operation) {
        let is_long = raise.values().len() > MOST_VALUES;
        return is_long.then(|| format!("has more than {MOST_VALUES} values in its message"));
    }
    let mut footprint = Footprint::default();
    footprint.add_alone(operation);
    let mut effects = operation.effects().into_iter().flatten();
    if effects.any(|effect: Effect| effect.access == Access::Allocate) {
        Some("allocates memory".to_owned())
    } else if footprint.unknown {
        Some("may do anything".to_owned())
    } else if footprint.raises != Raises::Nothing {
        Some("may raise an exception".to_owned())
    } else {
        None
    }
}

/// Whether a number's operator is a function of the runtime or of libm on the host that kernels haven't got.
fn is_of_host<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, device: &Device) -> bool {
    let is_complex = |r#type| matches!(Number::of(r#type), Some(Number::Complex(_)));
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Binary(binary)) => {
            binary.kind() == BinaryKind::Pow && is_complex(binary.lhs().ty())
        }
        AnyOp::Typed(typed::Op::Unary(unary)) if is_complex(unary.operand().ty()) => {
            use UnaryKind::{
                Abs, Conj, Cos, Cosh, Exp, Imag, IsFinite, IsInf, IsNan, Log, Neg, Real, Sin, Sinh,
                Sqrt, Tan, Tanh,
            };
            match unary.kind() {
                Abs | Conj | Imag | IsFinite | IsInf | IsNan | Neg | Real => false,
                // They compute in double precision.
                Cos | Cosh | Exp | Log | Sin | Sinh | Sqrt | Tan | Tanh => !device.fp64,
                _ => true,
            }
        }
        _ => false,
    }
}

/// The name of the operator or function of floats that an operation computes.
fn function_of_floats<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<&'static str> {
    let is_inexact = |r#type| Number::of(r#type).is_some_and(|number| !number.is_integral());
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Binary(one)) if is_inexact(one.lhs().ty()) => {
            Some(one.kind().name())
        }
        AnyOp::Typed(typed::Op::Unary(one)) if is_inexact(one.operand().ty()) => {
            let complex = matches!(Number::of(one.operand().ty()), Some(Number::Complex(_)));
            match one.kind() {
                // The length of a vector.
                UnaryKind::Abs if complex => Some(BinaryKind::Hypot.name()),
                kind => Some(kind.name()),
            }
        }
        _ => None,
    }
}

/// Whether the device has values of a type: numbers, arrays of them, and what is made of these.
fn is_device_type(r#type: Type, device: &Device) -> bool {
    let inner = |r#type| is_device_type(r#type, device);
    match TypedType::from(r#type) {
        TypedType::None
        | TypedType::Literal(_)
        | TypedType::DType(_)
        | TypedType::Named(_)
        | TypedType::Function(_) => true,
        TypedType::Array(array) => array.layout != Layout::Bytes && inner(array.element),
        TypedType::Unbound(value) | TypedType::Optional(value) => inner(value),
        TypedType::Range(_) | TypedType::Slice(_) | TypedType::Sequence(..) => {
            parts_of(r#type).is_some_and(|parts| parts.into_iter().all(inner))
        }
        TypedType::Other(_) => match Number::of(r#type) {
            // Few devices compute with these.
            Some(Number::Float(16) | Number::Complex(16)) => false,
            Some(Number::Float(64) | Number::Complex(64)) => device.fp64,
            Some(_) => true,
            None => {
                r#type.is_index()
                    || IntegerType::try_from(r#type).is_ok()
                    || parts_of(r#type).is_some_and(|parts| parts.into_iter().all(inner))
            }
        },
        _ => false,
    }
}
