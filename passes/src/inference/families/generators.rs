//! Generators: what they yield, what a call of one gives, and resuming one.

use crate::{
    inference::{
        emit::Emit,
        issue::{Stop, Typing},
        lattice::Fact,
        val::Val,
    },
    infra::ops::typed,
    types::{
        display::display,
        iteration::{generator_item, never_yields, resumed_item},
        join::{is_other_container, join_types},
    },
};
use pyopt_dialects::typed::TypedType;

/// `yield value`: None, as `next` sends nothing.
pub(crate) fn suspend<'c, 'a>(e: &mut Emit<'_, 'c, 'a>, value: Val<'c, 'a>) -> Typing<Val<'c, 'a>> {
    let context = e.context();
    let specialization = &mut e.program.specializations[e.specialization];
    let before = specialization.yielded;
    let yielded = before.join(context, Fact::of(value.ty));
    specialization.yielded = yielded;
    if let Some(joined) = yielded.ty
        && is_other_container(value.ty, joined)
    {
        e.wish(value, joined);
    }
    if yielded != before && !before.is_bottom() && !e.is_emitting() {
        // What was yielded before may have to be another list.
        e.program.pending.push(e.specialization);
    }
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

/// Resumes a generator: whether there is an item, and it.
pub(crate) fn resume<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    generator: Val<'c, 'a>,
) -> Typing<(Val<'c, 'a>, Val<'c, 'a>)> {
    let TypedType::Generator(function, item) = TypedType::from(generator.ty) else {
        return Err(Stop::issue(format!(
            "{} is no generator",
            display(generator.ty)
        )));
    };
    let item = resumed_item(e.context(), item);
    let ty = e.type_of(TypedType::Unbound(item));
    let resumed = e.op(ty, |b| {
        typed::Call::create(b, function, &[generator.ir()], &[], &[ty])
    });
    let more = e.op(e.i1(), |b| typed::IsBound::create(b, resumed.ir()));
    let value = e.op(item, |b| typed::BoundValue::create(b, resumed.ir(), item));
    Ok((more, value))
}

/// `next(generator, default)`.
pub(crate) fn next<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    generator: Val<'c, 'a>,
    default: Option<Val<'c, 'a>>,
) -> Typing<Val<'c, 'a>> {
    let (more, item) = resume(e, generator)?;
    match default {
        None if never_yields(generator.ty) => Err(Stop::Raises("StopIteration", String::new())),
        Some(default) if never_yields(generator.ty) => Ok(default),
        None => {
            let none = e.not(more);
            e.raise_if(none, "StopIteration", None);
            Ok(item)
        }
        Some(default) => {
            let ty = join_types(e.context(), item.ty, default.ty);
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
