//! Generators: what they yield, what a call of one gives, and resuming one.

use super::{
    emit::{Emit, Val},
    flow::Flow,
    issue::{Stop, Typing},
    lattice::Fact,
    program::Program,
    specialization::SpecId,
};
use crate::{
    infra::{
        AttributeExt, BlockExt, OperationExt,
        ops::{py, typed},
    },
    types::{display::display, iteration::generator_item},
};
use melior::ir::{Attribute, OperationRef, attribute::FlatSymbolRefAttribute};
use pyopt_dialects::typed::TypedType;

/// What the name of the function ends with that resumes a generator.
const RESUME: &str = ".next";

/// `yield value`: None, as `next` sends nothing.
pub(super) fn suspend<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let context = e.context();
    let specialization = &mut e.program.specializations[e.specialization];
    specialization.yielded = specialization.yielded.join(context, Fact::of(value.ty));
    if e.is_emitting() {
        let specialization = &e.program.specializations[e.specialization];
        let (yielded, result) = (specialization.yielded, specialization.result);
        if let Some((a, b)) = yielded.conflict {
            return Err(Stop::issue(format!(
                "can't unify the types of what is yielded: {} and {}",
                display(a),
                display(b)
            ))
            .hint("yield one type everywhere"));
        }
        let item = result.ty.and_then(generator_item).ok_or(Stop::Unknown)?;
        let item = e.coerce(value, item)?;
        e.effect(|b| typed::YieldValue::create(b, item.ir()));
    }
    Ok(e.none())
}

/// What a call of a generator function gives, as far as it is known what it yields. One that
/// yields nothing has no items.
pub(super) fn result<'c, 'a>(
    program: &Program<'c, 'a>,
    id: SpecId,
    flow: &Flow<'c, 'a>,
) -> Option<Fact<'c>> {
    let specialization = &program.specializations[id];
    let yielded = specialization.yielded;
    let is_yield = |operation: &OperationRef| operation.isa::<py::Yield>();
    let yields = || {
        flow.reached()
            .any(|block| block.operation_list().iter().any(is_yield))
    };
    if yielded.is_bottom() && (flow.waits || yields()) {
        return None;
    }
    let item = yielded.storage(program.context);
    let function = format!("{}{RESUME}", specialization.symbol);
    let function: Attribute = FlatSymbolRefAttribute::new(program.context, &function).into();
    let name = function.symbol_value().unwrap_or_default();
    let generator = TypedType::Generator(name, item);
    Some(Fact::of(generator.to_type(program.context)))
}

/// Resumes a generator: whether there is an item, and it.
pub(super) fn resume<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    generator: Val<'c, 'a>,
) -> Typing<(Val<'c, 'a>, Val<'c, 'a>)> {
    let TypedType::Generator(function, item) = TypedType::from(generator.ty) else {
        return Err(Stop::issue(format!(
            "{} is no generator",
            display(generator.ty)
        )));
    };
    let ty = e.type_of(TypedType::Unbound(item));
    let resumed = e.op(ty, |b| {
        typed::Call::create(b, function, &[generator.ir()], &[], &[ty])
    });
    let more = e.op(e.i1(), |b| typed::IsBound::create(b, resumed.ir()));
    let value = e.op(item, |b| typed::BoundValue::create(b, resumed.ir(), item));
    Ok((more, value))
}

/// `next(generator, default)`.
pub(super) fn next<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    generator: Val<'c, 'a>,
    default: Option<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let (more, item) = resume(e, generator)?;
    match default {
        None => {
            let none = e.not(more);
            e.raise_if(none, "StopIteration", None);
            Ok(item)
        }
        Some(default) => {
            let ty = crate::types::join::join_types(e.context(), item.ty, default.ty);
            let Some(ty) = ty else {
                return Err(Stop::issue(format!(
                    "can't unify the items of the generator and the default of next(): {} and {}",
                    display(item.ty),
                    display(default.ty)
                )));
            };
            let item = e.coerce(item, ty)?;
            let default = e.coerce(default, ty)?;
            Ok(e.select(more, item, default))
        }
    }
}
