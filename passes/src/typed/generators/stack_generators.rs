//! Allocates the state of generators that don't escape on the stack.
//!
//! `sum(x * x for x in a)` makes a generator, resumes it until it ends, and drops it. Its state
//! needs no heap allocation, and once LLVM has inlined the resume function, no memory at all.

use super::{lending::lend, maker::Maker};
use crate::{
    analysis::ownership::{BORROWED, owners},
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, OperationInterfaces, PassContext,
        PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt,
        ops::{func, typed},
    },
};
use melior::ir::{Attribute, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::typed::TypedType;
use std::collections::{BTreeMap, BTreeSet};

/// On `typed.new_generator`: the state is on the stack of the function.
pub(crate) const STACK: &str = "stack";

/// Moves states of generators to the stack.
pub static PASS: PassSpec = PassSpec {
    description: "A generator that is only resumed, by the function that makes it or by those that \
        it is passed to, has its state at the start of that function. Owners among its arguments \
        are kept by the function instead; a generator that makes owners of its own stays as it is. Where all that a \
        generator yields are views of its arguments, and is done with before the generator is let go, items come \
        without references of their own.",
    dialects: &["arith", "typed"],
    statistics: &[
        StatisticSpec::new("generators", "generators on the stack"),
        StatisticSpec::new("lent", "generators whose items are lent"),
    ],
    ..PassSpec::new(
        "typed-stack-generators",
        "keep states of generators on the stack",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let makers: Vec<_> = module
        .nested_ops::<func::Func>()
        .into_iter()
        .filter_map(Maker::of)
        .collect();
    if makers.is_empty() {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), module);
    let tried: BTreeSet<_> = module
        .nested_ops::<typed::TryCall>()
        .into_iter()
        .map(typed::TryCall::callee)
        .collect();
    let mut calls: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for call in module.nested_ops::<typed::Call>() {
        calls.entry(call.callee()).or_default().push(call);
    }
    for maker in &makers {
        let symbol = maker.function.sym_name();
        let Some(calls) = calls.get(symbol) else {
            continue;
        };
        if !keeps_arguments_only(module, maker) {
            continue;
        }
        let stay = |call: &typed::Call<'c, '_>| stays_in_function(module, *call);
        let placed: Vec<_> = calls.iter().copied().filter(stay).collect();
        let only_here = maker.function.sym_visibility() == Some("private")
            && placed.len() == calls.len()
            && !tried.contains(symbol);
        if only_here && lend(module, maker) {
            cx.bump("lent", 1);
        }
        for call in placed {
            place(&builder, maker, call);
            cx.bump("generators", 1);
        }
    }
    Ok(())
}

/// Whether the generator that a call makes is only resumed, and let go by the function that makes it.
fn stays_in_function<'c: 'a, 'a>(module: OperationRef<'c, 'a>, call: typed::Call<'c, 'a>) -> bool {
    call.results()[0].uses().into_iter().all(|one| {
        one.user.isa::<typed::Release>()
            || is_held(one.user, one.operand)
            || is_only_resumed(module, one.user, one.operand, &mut BTreeSet::new())
    })
}

/// Whether a generator owns nothing but its arguments: the resume function stores and loads no
/// other owners.
fn keeps_arguments_only<'c: 'a, 'a>(module: OperationRef<'c, 'a>, maker: &Maker<'c, 'a>) -> bool {
    maker.resume(module).is_some_and(|resume| {
        let stores = resume.nested_ops::<typed::GeneratorStore>().into_iter();
        let loads = resume.nested_ops::<typed::GeneratorLoad>().into_iter();
        stores.map(|one| one.value()).all(owns_nothing)
            && loads
                .filter(|one| !one.flag_attr(BORROWED))
                .all(|one| owns_nothing(one.result()))
    })
}

fn owns_nothing(value: Value) -> bool {
    owners(value.ty()) == 0
}

/// Whether an operand is one of an operation's `releasing` operands.
fn is_held(user: OperationRef, operand: usize) -> bool {
    user.released_operands()
        .is_some_and(|released| released.contains(&operand))
}

/// Whether a generator passed to a call doesn't escape: the callee resumes it, or passes it to
/// functions for which the same holds.
fn is_only_resumed<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    call: OperationRef<'c, 'a>,
    operand: usize,
    seen: &mut BTreeSet<(&'c str, usize)>,
) -> bool {
    let Some(callee) = typed::Call::of(call).map(typed::Call::callee) else {
        return false;
    };
    if let TypedType::Generator(resume, _) = TypedType::from(call.operand_value(operand).ty())
        && resume == callee
    {
        return true;
    }
    let Some(body) = module
        .lookup_symbol(callee)
        .and_then(func::Func::of)
        .and_then(|function| function.body().entry())
    else {
        return false;
    };
    if !seen.insert((callee, operand)) {
        return true;
    }
    let uses = body.argument_value(operand).uses().into_iter();
    uses.into_iter()
        .all(|one| is_only_resumed(module, one.user, one.operand, seen))
}

/// Inlines the constructor, with a state on the stack of the caller.
fn place<'c: 'a, 'a>(builder: &Builder<'c, 'a>, maker: &Maker<'c, 'a>, call: typed::Call<'c, 'a>) {
    let old = call.results()[0];
    let function = call
        .ancestor::<func::Func>()
        .expect("a call is in a function");
    let entry = function
        .body()
        .entry()
        .expect("a function with a call has a body");
    builder.at_start(entry).at(call.location());
    let state = builder.clone_op(*maker.new, &[]);
    state.set_attr(STACK, Attribute::unit(builder.context()));
    let state = state.result_value(0);

    let inputs = call.inputs();
    let parameters = maker.stores.iter().map(|store| store.value());
    let given: Vec<_> = parameters
        .map(|parameter| inputs[parameter.position()])
        .collect();
    builder.before(*call);
    // It may have been resumed in an earlier iteration of a loop.
    let first = builder.index(0);
    typed::GeneratorStore::create(builder, first, state, maker.new.owners(), 0);
    for (store, value) in maker.stores.iter().zip(&given) {
        let mapping = [(store.value(), *value), (store.generator(), state)];
        let kept = builder.clone_op(**store, &mapping);
        kept.set_attr(BORROWED, Attribute::unit(builder.context()));
    }
    let owners: Vec<_> = given
        .into_iter()
        .filter(|&value| !owns_nothing(value))
        .collect();
    for &value in &owners {
        typed::Acquire::create(builder, value);
    }
    for one in old.uses() {
        if one.user.isa::<typed::Release>() {
            builder.before(one.user);
            for &value in &owners {
                typed::Release::create(builder, value);
            }
            builder.erase_op(one.user);
        } else if !is_held(one.user, one.operand) {
            one.user.set_operand_value(one.operand, state);
        }
    }
    for user in old.users() {
        hold_instead(user, old, &owners);
    }
    builder.erase_op(*call);
}

/// Replaces the owners that an operation releases when it raises.
fn hold_instead<'c: 'a, 'a>(
    user: OperationRef<'c, 'a>,
    old: Value<'c, 'a>,
    owners: &[Value<'c, 'a>],
) {
    let operands = user.operand_values();
    let mut others = Vec::new();
    for operand in user
        .released_operands()
        .into_iter()
        .flatten()
        .map(|at| operands[at])
    {
        match operand == old {
            true => others.extend(owners),
            false => others.push(operand),
        }
    }
    user.set_released(&others);
}
