//! `py-inline-closures`: puts functions that are made and called in one function in the place of
//! their calls.
//!
//! Numba's `InlineClosureLikes`. A function defined in a function, a lambda or a comprehension,
//! whose function object is only called, needs no function object: its free variables are the
//! cells of the function around it, which `py-promote-cells` then makes values.

use super::{
    copies::Copies,
    function_object::FunctionObject,
    inlining::{Default, Inlining},
};
use crate::{
    inference::function::PyFunction,
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
        StatisticSpec, ValueExt, erase_unused,
    },
};
use melior::ir::{BlockRef, OperationRef};
use std::collections::HashMap;

/// Closures and comprehensions.
pub static PASS: PassSpec = PassSpec {
    description: "A `py.make_function` whose result is only called, by calls whose arguments fit, \
                  goes, and the calls become the function's body; in a protected range its \
                  exceptions go to the handler. Generators stay, and so does what would be copied for \
                  many calls, with all that is called in it, where it can be a function of its own.",
    dialects: &["py", "cf"],
    statistics: &[
        StatisticSpec::new("inlined", "calls that were inlined"),
        StatisticSpec::new(
            "left",
            "functions that are too large for a copy at each call",
        ),
    ],
    ..PassSpec::new(
        "py-inline-closures",
        "inline functions that are made where they are called",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let operations = root
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list);
    let functions: Vec<_> = operations
        .filter(|operation| operation.is("py.func"))
        .collect();
    let by_symbol: HashMap<_, _> = functions
        .iter()
        .filter_map(|function| Some((function.symbol_name()?, *function)))
        .collect();
    let builder = Builder::new(cx.context(), root);
    let mut copies = Copies::new(&by_symbol);
    for &function in &functions {
        // A function is made at its nesting's depth, so what is inlined comes to an end.
        let mut open = function.nested("py.make_function");
        while let Some(maker) = open.pop() {
            let callee = maker
                .symbol_attr("code")
                .and_then(|code| by_symbol.get(code));
            let Some(&callee) = callee.filter(|callee| **callee != function) else {
                continue;
            };
            for block in inline_calls(cx, &builder, function, maker, callee, &mut copies)? {
                let made = block.operation_list().into_iter();
                open.extend(made.filter(|operation| operation.is("py.make_function")));
            }
        }
    }
    Ok(())
}

/// Inlines all calls of a function object, if that is all that is done with it. Returns the blocks
/// that were made.
fn inline_calls<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    function: OperationRef<'c, 'a>,
    maker: OperationRef<'c, 'a>,
    callee: OperationRef<'c, 'a>,
    copies: &mut Copies<'_, 'c, 'a>,
) -> PassResult<Vec<BlockRef<'c, 'a>>> {
    let Some(parts) = FunctionObject::of(maker) else {
        return Ok(Vec::new());
    };
    let object = maker.result_value(0);
    let mut calls = object.users();
    if calls.len() > 1 {
        // In the order of the program.
        calls = function.nested("py.call");
    }
    calls.retain(|call| call.is("py.call") && call.operand_value(0) == object);
    if calls.len() != object.uses().len() {
        return Ok(Vec::new());
    }
    let free = callee.nested("py.free_cell");
    let in_closure = |cell: &OperationRef<'c, 'a>| {
        let index = cell
            .int_attr("index")
            .and_then(|index| usize::try_from(index).ok());
        index.is_some_and(|index| index < parts.cells.len())
    };
    if !free.iter().all(in_closure) {
        return Ok(Vec::new());
    }
    let defaults =
        |function: &PyFunction<'c, 'a>, index: usize| default_of(&parts, function, index);
    for call in &calls {
        if Inlining::of(*call, callee, &defaults)?.is_none() {
            return Ok(Vec::new());
        }
    }
    if copies.are_too_many(calls.len(), callee) && copies.can_stay(maker, &parts, callee) {
        cx.bump("left", 1);
        return Ok(Vec::new());
    }
    let mut blocks = Vec::new();
    for call in calls {
        // Only now: an argument may be the result of the call before.
        let inlining = Inlining::of(call, callee, &defaults)?.expect("the calls are checked");
        let made = inlining.apply(builder);
        for cell in made.iter().flat_map(|block| block.operation_list()) {
            if cell.is("py.free_cell") {
                let index = cell.int_attr("index").unwrap_or_default() as usize;
                builder.replace_op(cell, &[parts.cells[index]]);
            }
        }
        cx.bump("inlined", 1);
        blocks.extend(made);
    }
    erase_with_parts(maker);
    Ok(blocks)
}

/// Removes a function object that isn't called any more, and the tuples and the dict of defaults it
/// was made of.
fn erase_with_parts(maker: OperationRef) {
    let parts = maker.operand_values();
    maker.erase();
    // What the parts hold may be computed by what raises: that stays.
    erase_unused(parts, |built| {
        built.is("py.build_tuple") || built.is("py.build_map")
    });
}

/// The default of a parameter of a function object.
fn default_of<'c, 'a>(
    parts: &FunctionObject<'c, 'a>,
    function: &PyFunction<'c, 'a>,
    index: usize,
) -> Option<Default<'c, 'a>> {
    let positional = function.defaults.len() - function.keyword_only;
    if index < positional {
        let defaults = parts.defaults.as_ref()?;
        let from_end = positional - index;
        let position = defaults.len().checked_sub(from_end)?;
        return defaults.get(position).copied();
    }
    let name = function.parameters[index];
    let mut named = parts.keyword_defaults.iter().flatten();
    let found = named.find(|(keyword, _)| *keyword == name);
    found.map(|(_, value)| Default::Value(*value))
}
