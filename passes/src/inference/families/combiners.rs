//! Reductions that a program declares: functions that make one of two values, with the value that
//! changes nothing.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing, stop},
        program::{Program, declarations::Combiner, specialization::SpecId},
        rules,
        val::Val,
    },
    infra::ops::marks,
    py::function::PyFunction,
    types::{
        display::{display, display_list},
        number::Number,
        sequences::is_list,
        tuples::elements,
    },
};
use melior::ir::{
    Attribute, Type,
    attribute::{FlatSymbolRefAttribute, StringAttribute},
};
use pyopt_dialects::typed::TypedType;
use std::rc::Rc;

/// Among the bindings of a function: the identity of the reduction that it is. No name in a program
/// looks like this.
const IDENTITY: &str = "<identity>";

/// What is noted on a call of a function: the combiner, if the function is a reduction and loops
/// are for threads, or why it can't be one for these types.
pub(crate) fn of_call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    function: &Rc<PyFunction<'c, 'a>>,
    inputs: &[Val<'c, 'a>],
    result: Type<'c>,
) -> Option<(&'static str, Attribute<'c>)> {
    if !e.program.threads {
        return None;
    }
    let name = format!("{}.{IDENTITY}", function.symbol);
    let identity = e.program.binding(&name)?;
    let combine = match check(e, function, inputs, result, identity) {
        Ok(combine) => combine,
        Err(Stop::Issue(issue)) => {
            let reason = StringAttribute::new(e.context(), &issue.message);
            return Some((marks::NO_COMBINER, reason.into()));
        }
        Err(_) => return None,
    };
    if e.is_emitting() {
        e.program.want(combine);
        let known = &mut e.program.combiners;
        if !known.iter().any(|one| one.combine == combine) {
            known.push(Combiner {
                combine,
                identity,
                location: e.location,
            });
        }
    }
    let symbol = symbol(e.program, combine);
    let symbol = FlatSymbolRefAttribute::new(e.context(), &symbol);
    Some((marks::COMBINER, symbol.into()))
}

/// The specialisation of a reduction for two values of the type that a call gives.
fn check<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    function: &Rc<PyFunction<'c, 'a>>,
    inputs: &[Val<'c, 'a>],
    result: Type<'c>,
    identity: Attribute<'c>,
) -> Typing<SpecId> {
    let name = function.name();
    if !inputs.iter().any(|input| input.ty == result) {
        let given = display_list(inputs.iter().map(|input| input.ty));
        return stop(format!(
            "{name}() gives {} for ({given}), the type of neither argument",
            display(result)
        ));
    }
    if !is_value(result) {
        return stop(format!(
            "{name}() gives {}: only numbers and tuples of them are combined on threads",
            display(result)
        ));
    }
    let (location, caller) = (e.location, e.specialization);
    let both = vec![result, result];
    let prototypes = function.prototypes();
    let declared = prototypes.iter().find(|one| one.arguments == both);
    if declared.is_none() && !prototypes.is_empty() {
        return stop(format!(
            "{name}() declares no signature for two values of type {}",
            display(result)
        ));
    }
    let wanted = declared.and_then(|one| one.returns);
    let Some(combine) =
        e.program
            .demand(function.clone(), both, Vec::new(), wanted, location, caller)
    else {
        return stop(format!("{name}() is called with ever new types"));
    };
    let together = e.program.specializations[combine].result;
    let together = together.ty.ok_or(Stop::Unknown)?;
    if together != result {
        return stop(format!(
            "{name}() gives {} for two values of type {}",
            display(together),
            display(result)
        ));
    }
    let value = rules::constant(e, identity)?;
    let given = display(value.ty).to_string();
    match convert(e, value, result) {
        Ok(_) => Ok(combine),
        Err(_) => stop(format!(
            "the identity of {name}(), of type {given}, is no {}",
            display(result)
        )),
    }
}

/// Whether values of a type are numbers or tuples of them.
fn is_value(r#type: Type) -> bool {
    match elements(r#type) {
        Some(items) => !is_list(r#type) && items.into_iter().all(is_value),
        None => Number::of(r#type).is_some(),
    }
}

/// An identity as a value of the type that is reduced: a number of a kind that this type holds, or
/// a tuple of such, also for a named one.
pub(crate) fn convert<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    value: Val<'c, 'a>,
    ty: Type<'c>,
) -> Typing<Val<'c, 'a>> {
    let Some(types) = elements(ty) else {
        return match holds(ty, value) {
            true => e.coerce(value, ty),
            false => stop("another kind of number"),
        };
    };
    let items = e.unpack(value).filter(|items| items.len() == types.len());
    let Some(items) = items else {
        return stop("another number of items");
    };
    let items = items.into_iter().zip(types);
    let items = items.map(|(item, ty)| convert(e, item, ty));
    let items = items.collect::<Typing<Vec<_>>>()?;
    let tuple = e.tuple(&items);
    Ok(match TypedType::from(ty) {
        TypedType::Sequence(_, class) => e.of_class(tuple, class),
        _ => tuple,
    })
}

/// Whether a type holds a number without loss of more than digits.
fn holds(ty: Type, value: Val) -> bool {
    let rank = |number| match number {
        Number::Bool => 0,
        Number::Int { .. } => 1,
        Number::Float(_) => 2,
        Number::Complex(_) => 3,
    };
    match (value.number(), Number::of(ty), value.literal_int()) {
        (
            Some(Number::Int { signed: true, .. }),
            Some(Number::Int { width, signed }),
            Some(value),
        ) => {
            let value = i128::from(value);
            let bits = if signed { width - 1 } else { width };
            let lowest = if signed { -(1 << bits) } else { 0 };
            (lowest..1_i128 << bits).contains(&value)
        }
        (Some(from), Some(to), _) => rank(from) <= rank(to),
        _ => false,
    }
}

/// The symbol of the combiner of a specialisation.
pub(crate) fn symbol(program: &Program, combine: SpecId) -> String {
    format!("{}.reduction", program.specializations[combine].symbol)
}
