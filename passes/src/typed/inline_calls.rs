//! Inlines small functions while loops and array expressions are still operations: a call is a
//! barrier to fusion, hoisting and vectorisation.

use crate::{
    analysis::reduction::is_pure_step,
    infra::{
        Access, BlockExt, Builder, Effect, OperationExt, OperationInterfaces, OptionSpec,
        PassContext, PassResult, PassSpec, Raises, RegionExt, StatisticSpec,
        emit::{Emit, mapped},
        ops::{AnyOp, func, marks, parfor, typed},
    },
};
use melior::ir::{BlockRef, OperationRef};
use std::collections::HashMap;

/// The most operations, nested ones included, of a function that is inlined. A larger one costs
/// more in compile time than its calls do at run time.
const MAX_OPERATIONS: usize = 60;

/// The `typed-inline-calls` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `typed.call` of a function that is a straight piece of structured operations \
                  becomes that piece, if it is small, not `no_inline`, of no other fast-math flags than the caller, and \
                  can neither raise nor call: a traceback shows \
                  every call, so those that may raise stay. Calls that are steps of a reduction of the program \
                  stay too, until loops were made of it; its `parfor.combiner` is marked `pure` \
                  if its function is such a piece. Runs on structured control flow, before array expressions are fused.",
    dialects: &["func", "typed"],
    options: &[OptionSpec::bool(
        "combiners",
        "only the calls that are steps of reductions, which loops are made of by now",
        false,
    )],
    statistics: &[StatisticSpec::new(
        "inlined",
        "calls replaced by what they call",
    )],
    ..PassSpec::new(
        "typed-inline-calls",
        "put small functions in the place of their calls",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let combiners = cx.options().bool("combiners");
    let mut calls = module.nested_ops::<typed::Call>();
    calls.retain(|call| is_step(*call) == combiners);
    let mut declared = match combiners {
        true => Vec::new(),
        false => module.nested_ops::<parfor::Combiner>(),
    };
    if calls.is_empty() && declared.is_empty() {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), module);
    let functions: HashMap<_, _> = module
        .nested_ops::<func::Func>()
        .into_iter()
        .map(|function| (function.sym_name(), function))
        .collect();
    // A function whose last call was inlined has become a leaf for the next round.
    loop {
        let before = (calls.len(), declared.len());
        // Each function is analysed once, however many calls it has.
        let bodies: HashMap<_, _> = functions
            .iter()
            .filter_map(|(name, function)| Some((*name, straight_body(*function)?)))
            .collect();
        declared.retain(|combiner| {
            let straight = bodies.contains_key(combiner.combine());
            if straight {
                combiner.set_pure(true);
            }
            !straight
        });
        calls.retain(|call| {
            let Some(body) = bodies.get(call.callee()) else {
                return true;
            };
            if !has_flags_of(functions[call.callee()], *call) {
                return true;
            }
            inline(&builder, *call, *body);
            cx.bump("inlined", 1);
            false
        });
        if (calls.len(), declared.len()) == before {
            break;
        }
    }
    Ok(())
}

/// Whether a function may have the fast-math flags of the one that calls it: it says nothing of them, or the
/// same.
fn has_flags_of(function: func::Func, call: typed::Call) -> bool {
    let own = function.attr(marks::FASTMATH);
    let caller = call.ancestor::<func::Func>();
    own.is_none() || own == caller.and_then(|caller| caller.attr(marks::FASTMATH))
}

/// The body of a function that may be inlined.
fn straight_body<'c: 'a, 'a>(function: func::Func<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    if function.no_inline() {
        return None;
    }
    let blocks = function.body().block_list();
    let [block] = blocks.as_slice() else {
        return None;
    };
    let operations = function.pre_order();
    let small = operations.len() <= MAX_OPERATIONS;
    let returns = block
        .terminator_op()
        .is_some_and(OperationExt::isa::<func::Return>);
    // The first operation is the function itself.
    (small && returns && operations[1..].iter().all(|operation| is_calm(*operation)))
        .then_some(*block)
}

/// Whether an operation, its regions aside, can't raise and calls nothing but a reduction step for
/// which the same holds.
fn is_calm(operation: OperationRef) -> bool {
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Call(call)) => is_pure_step(*call),
        _ if operation.is_element_loop() => false,
        _ if operation.is_terminator() => true,
        _ if operation.raises() != Raises::Nothing => false,
        _ => operation
            .effects()
            .is_some_and(|effects| match effects[..] {
                [] => !operation.region_list().is_empty() || operation.is_pure(),
                _ => effects.iter().all(is_access),
            }),
    }
}

/// Whether an effect is an access to the memory of a value. An allocation may raise when memory is
/// short, which isn't counted among what an operation raises.
fn is_access(effect: &Effect) -> bool {
    matches!(effect.access, Access::Read | Access::Write) && effect.value.is_some()
}

/// Whether a call is a reduction step, or is diagnosed as an invalid one later.
fn is_step(call: typed::Call) -> bool {
    call.attr(marks::COMBINER).is_some() || call.attr(marks::NO_COMBINER).is_some()
}

fn inline<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    call: typed::Call<'c, 'a>,
    body: BlockRef<'c, 'a>,
) {
    let mut mapping: Vec<_> = body
        .argument_values()
        .into_iter()
        .zip(call.inputs())
        .collect();
    builder.before(*call);
    builder.copy_block(body, &mut mapping);
    let results: Vec<_> = body
        .terminator_op()
        .expect("a function returns")
        .operand_values()
        .into_iter()
        .map(|value| mapped(&mapping, value))
        .collect();
    builder.replace_op(*call, &results);
}
