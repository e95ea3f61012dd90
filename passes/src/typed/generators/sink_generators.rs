//! Makes generators where they are used, not in the functions that prepare their arguments.

use super::maker::Maker;
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt, StatisticSpec,
    ValueExt,
    ops::{func, marks, typed},
    types_of,
};
use melior::ir::{OperationRef, operation::OperationLike, r#type::FunctionType};
use std::collections::BTreeMap;

/// Moves calls of constructors into callers.
pub static PASS: PassSpec = PassSpec {
    description: "A function that returns what a generator's constructor gives, such as one that prepares the \
        arguments, is copied as one that returns the arguments; who calls it calls the constructor. The generator \
        doesn't leave the function that resumes it then, so `typed-stack-generators` can place its state. Chains of \
        such functions are followed. Runs on structured control flow.",
    dialects: &["typed"],
    statistics: &[StatisticSpec::new(
        "sunk",
        "calls whose generators are made by the caller",
    )],
    ..PassSpec::new(
        "typed-sink-generators",
        "make generators where they are used",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let functions = module.nested_ops::<func::Func>();
    if !functions
        .iter()
        .any(|function| Maker::of(*function).is_some())
    {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), module);
    let mut preparing = BTreeMap::new();
    // A function that calls one of these becomes one itself.
    loop {
        let before = preparing.len();
        for function in module.nested_ops::<func::Func>() {
            let symbol = function.sym_name();
            if !preparing.contains_key(symbol)
                && let Some(constructor) = returned_constructor(module, function)
            {
                let copy = preparation(&builder, module, function);
                preparing.insert(symbol, (copy, constructor));
            }
        }
        if preparing.len() == before {
            return Ok(());
        }
        for call in module.nested_ops::<typed::Call>() {
            if let Some((copy, constructor)) = preparing.get(call.callee()) {
                sink(&builder, call, *copy, constructor);
                cx.bump("sunk", 1);
            }
        }
    }
}

/// The constructor whose generator a function returns, if it does nothing else with that.
fn returned_constructor<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    function: func::Func<'c, 'a>,
) -> Option<&'c str> {
    let call = returned_call(function)?;
    let constructor = module
        .lookup_symbol(call.callee())
        .and_then(func::Func::of)?;
    Maker::of(constructor).map(|_| call.callee())
}

/// The call whose only result a function of one block returns.
fn returned_call<'c: 'a, 'a>(function: func::Func<'c, 'a>) -> Option<typed::Call<'c, 'a>> {
    let blocks = function.body().block_list();
    let [block] = blocks.as_slice() else {
        return None;
    };
    let end = block.terminator_op().and_then(func::Return::of)?;
    let [returned] = end.operands()[..] else {
        return None;
    };
    let call = returned.defining_op().and_then(typed::Call::of)?;
    (call.parent_block() == Some(*block) && returned.uses().len() == 1).then_some(call)
}

/// Copies a function as one that returns what it gives to the constructor.
fn preparation<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: func::Func<'c, 'a>,
) -> func::Func<'c, 'a> {
    builder.after(*function).at(function.location());
    let copy = func::Func::of(builder.clone_op(*function, &[])).expect("a copy of a function");
    let name = (0..)
        .map(|count| format!("{}.arguments.{count}", function.sym_name()))
        .find(|name| module.lookup_symbol(name).is_none())
        .expect("there are names without end");
    copy.set_sym_name(&name);
    copy.set_sym_visibility(Some("private"));
    copy.remove_attr(marks::ENTRY);
    let call = returned_call(copy).expect("the function that was copied has one");
    let arguments = call.inputs();
    let end = call.parent_block().and_then(BlockExt::terminator_op);
    let end = end.expect("blocks of functions end");
    builder.before(end).at(end.location());
    func::Return::create(builder, &arguments);
    builder.erase_op(end);
    builder.erase_op(*call);
    let ty = FunctionType::try_from(copy.function_type()).expect("the type of a function");
    let inputs: Vec<_> = (0..ty.input_count())
        .map(|at| ty.input(at).expect("an input"))
        .collect();
    let ty = FunctionType::new(builder.context(), &inputs, &types_of(&arguments));
    copy.set_function_type(ty.into());
    copy
}

/// Makes a generator in the place of a call that would give it.
fn sink<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    call: typed::Call<'c, 'a>,
    preparation: func::Func<'c, 'a>,
    constructor: &str,
) {
    let ty = FunctionType::try_from(preparation.function_type()).expect("the type of a function");
    let results: Vec<_> = (0..ty.result_count())
        .map(|at| ty.result(at).expect("a result"))
        .collect();
    builder.before(*call).at(call.location());
    let prepared = typed::Call::create(
        builder,
        preparation.sym_name(),
        &call.inputs(),
        &[],
        &results,
    );
    let made = typed::Call::create(
        builder,
        constructor,
        &prepared.results(),
        &[],
        &types_of(&call.results()),
    );
    builder.replace_op(*call, &made.results());
}
