//! Allocates the state of generators that don't escape on the stack.
//!
//! `sum(x * x for x in a)` makes a generator, resumes it until it ends, and drops it. Its state
//! needs no heap allocation, and once LLVM has inlined the resume function, no memory at all.

use super::ownership::owners;
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, StatisticSpec, ValueExt,
};
use crate::lowering::segment_sizes;
use melior::ir::{
    Attribute, OperationRef, Value,
    attribute::{DenseI32ArrayAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::IntegerType,
};
use pyopt_dialects::typed::TypedType;
use std::collections::BTreeSet;

/// On `typed.new_generator`: the state is on the stack of the function.
pub(crate) const STACK: &str = "stack";
/// On `typed.generator_load` and `typed.generator_store`: the value is borrowed; another reference
/// keeps it alive while it is used.
pub(crate) const BORROWED: &str = "borrowed";

/// Moves states of generators to the stack.
pub static PASS: PassSpec = PassSpec {
    description: "A generator that is only resumed, by the function that makes it or by those that \
        it is passed to, has its state at the start of that function. Owners among its arguments \
        are kept by the function instead; a generator that makes owners of its own stays as it is.",
    dialects: &["arith", "typed"],
    statistics: &[StatisticSpec::new("generators", "generators on the stack")],
    ..PassSpec::new(
        "typed-stack-generators",
        "keep states of generators on the stack",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let makers: Vec<_> = module
        .nested("func.func")
        .into_iter()
        .filter_map(Maker::of)
        .collect();
    if makers.is_empty() {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), module);
    for call in module.nested("typed.call") {
        let callee = call.symbol_attr("callee");
        let maker = makers
            .iter()
            .find(|maker| maker.function.symbol_name() == callee);
        if let Some(maker) = maker
            && keeps_arguments_only(module, maker)
            && call.result_value(0).uses().into_iter().all(|one| {
                one.user.is("typed.release")
                    || is_held(one.user, one.operand)
                    || is_only_resumed(module, one.user, one.operand, &mut BTreeSet::new())
            })
        {
            place(&builder, maker, call);
            cx.bump("generators", 1);
        }
    }
    Ok(())
}

/// A function that makes a generator.
struct Maker<'c, 'a> {
    function: OperationRef<'c, 'a>,
    new: OperationRef<'c, 'a>,
    stores: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Maker<'c, 'a> {
    /// Matches the constructors that `typed-expand-generators` makes.
    fn of(function: OperationRef<'c, 'a>) -> Option<Self> {
        let blocks = function.region_at(0).block_list();
        let [block] = blocks.as_slice() else {
            return None;
        };
        let operations = block.operation_list();
        let (new, rest) = operations.split_first()?;
        let (end, stores) = rest.split_last()?;
        let generator = new.is("typed.new_generator").then(|| new.result_value(0))?;
        let is_store = |one: &OperationRef<'c, 'a>| {
            one.is("typed.generator_store") && !one.flag_attr(BORROWED)
        };
        (end.is("func.return")
            && end.operand_values() == [generator]
            && stores.iter().all(is_store))
        .then(|| Self {
            function,
            new: *new,
            stores: stores.to_vec(),
        })
    }

    /// The resume function of the generator.
    fn resume(&self, module: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        match TypedType::from(self.new.result_value(0).ty()) {
            TypedType::Generator(symbol, _) => module.lookup_symbol(symbol),
            _ => None,
        }
    }
}

/// Whether a generator owns nothing but its arguments: the resume function stores and loads no
/// other owners.
fn keeps_arguments_only<'c: 'a, 'a>(module: OperationRef<'c, 'a>, maker: &Maker<'c, 'a>) -> bool {
    maker.resume(module).is_some_and(|resume| {
        let stores = resume.nested("typed.generator_store").into_iter();
        let loads = resume.nested("typed.generator_load").into_iter();
        stores.map(|one| one.operand_value(0)).all(owns_nothing)
            && loads
                .filter(|one| !one.flag_attr(BORROWED))
                .all(|one| owns_nothing(one.result_value(0)))
    })
}

fn owns_nothing(value: Value) -> bool {
    owners(value.ty()) == 0
}

/// Whether an operand is one of an operation's `releasing` operands.
fn is_held(user: OperationRef, operand: usize) -> bool {
    if user.is("typed.raise_if") {
        return operand > 0;
    }
    let has_list = user.is("typed.call") || user.is("typed.empty") || user.is("typed.broadcast");
    let held = has_list.then(|| segment_sizes(user).pop()).flatten();
    held.is_some_and(|held| operand >= user.operand_count() - held)
}

/// Whether a generator passed to a call doesn't escape: the callee resumes it, or passes it to
/// functions for which the same holds.
fn is_only_resumed<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    call: OperationRef<'c, 'a>,
    operand: usize,
    seen: &mut BTreeSet<(&'c str, usize)>,
) -> bool {
    let Some(callee) = call.symbol_attr("callee").filter(|_| call.is("typed.call")) else {
        return false;
    };
    if let TypedType::Generator(resume, _) = TypedType::from(call.operand_value(operand).ty())
        && resume == callee
    {
        return true;
    }
    let Some(body) = module
        .lookup_symbol(callee)
        .and_then(|function| function.region_at(0).entry())
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
fn place<'c: 'a, 'a>(builder: &Builder<'c, 'a>, maker: &Maker<'c, 'a>, call: OperationRef<'c, 'a>) {
    let old = call.result_value(0);
    let function = call
        .parent_named("func.func")
        .expect("a call is in a function");
    let entry = function
        .region_at(0)
        .entry()
        .expect("a function with a call has a body");
    builder.at_start(entry).at(call.location());
    let state = builder.clone_op(maker.new, &[]);
    state.set_attr(STACK, Attribute::unit(builder.context()));
    let state = state.result_value(0);

    let parameters = maker.stores.iter().map(|store| store.operand_value(0));
    let given: Vec<_> = parameters
        .map(|parameter| call.operand_value(parameter.position()))
        .collect();
    builder.before(call);
    // It may have been resumed in an earlier iteration of a loop.
    let number = |value: i64| -> Attribute<'c> {
        let i64 = IntegerType::new(builder.context(), 64).into();
        IntegerAttribute::new(i64, value).into()
    };
    let owners = maker.new.int_attr("owners").unwrap_or_default();
    let first = builder.index(0);
    let position = [("word", number(owners)), ("owner", number(0))];
    builder.op("typed.generator_store", &[first, state], &[], &position);
    for (store, value) in maker.stores.iter().zip(&given) {
        let mapping = [
            (store.operand_value(0), *value),
            (store.operand_value(1), state),
        ];
        let kept = builder.clone_op(*store, &mapping);
        kept.set_attr(BORROWED, Attribute::unit(builder.context()));
    }
    let held: Vec<_> = given
        .into_iter()
        .filter(|&value| !owns_nothing(value))
        .collect();
    for &value in &held {
        builder.op("typed.acquire", &[value], &[], &[]);
    }
    for one in old.uses() {
        if one.user.is("typed.release") {
            builder.before(one.user);
            for &value in &held {
                builder.op("typed.release", &[value], &[], &[]);
            }
            builder.erase_op(one.user);
        } else if !is_held(one.user, one.operand) {
            one.user.set_operand_value(one.operand, state);
        }
    }
    for user in old.users() {
        hold_instead(builder, user, old, &held);
    }
    builder.erase_op(call);
}

/// Replaces the owners that an operation releases when it raises.
fn hold_instead<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    user: OperationRef<'c, 'a>,
    old: Value<'c, 'a>,
    held: &[Value<'c, 'a>],
) {
    let operands = user.operand_values();
    let mut others = Vec::new();
    for operand in &operands {
        match *operand == old {
            true => others.extend(held),
            false => others.push(*operand),
        }
    }
    if !user.is("typed.raise_if") {
        let mut segments: Vec<_> = segment_sizes(user)
            .into_iter()
            .map(|size| size as i32)
            .collect();
        if let Some(last) = segments.last_mut() {
            *last += others.len() as i32 - operands.len() as i32;
        }
        let segments = DenseI32ArrayAttribute::new(builder.context(), &segments);
        user.set_attr("operandSegmentSizes", segments);
    }
    user.set_operand_values(&others);
}
