//! `py-inline-closures`: puts functions that are made and called in one function in the place of
//! their calls.
//!
//! Numba's `InlineClosureLikes`. A function defined in a function, a lambda or a comprehension,
//! whose function object is only called, needs no function object: its free variables are the
//! cells of the function around it, which `py-promote-cells` then makes values.

use super::{
    copies::Copies,
    escapes::Escapes,
    function::PyFunction,
    function_object::{FunctionObject, erase_with_parts},
    inlining::Inlining,
    single_values::settle_cells,
};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
    ops::py,
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
    let functions: Vec<_> = operations.filter_map(py::Func::of).collect();
    let by_symbol: HashMap<_, _> = functions
        .iter()
        .map(|function| (function.sym_name(), *function))
        .collect();
    let builder = Builder::new(cx.context(), root);
    let escapes = Escapes::new(cx.context(), root);
    let mut copies = Copies::new(&by_symbol, &escapes);
    for &function in &functions {
        settle_cells(function);
        // A function is made at its nesting's depth, so what is inlined comes to an end.
        let mut open = function.nested_ops::<py::MakeFunction>();
        while let Some(maker) = open.pop() {
            let callee = by_symbol.get(maker.code());
            let Some(&callee) = callee.filter(|callee| **callee != function) else {
                continue;
            };
            for block in inline_calls(cx, &builder, function, maker, callee, &mut copies)? {
                let made = block.operation_list().into_iter();
                open.extend(made.filter_map(py::MakeFunction::of));
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
    function: py::Func<'c, 'a>,
    maker: py::MakeFunction<'c, 'a>,
    callee: py::Func<'c, 'a>,
    copies: &mut Copies<'_, 'c, 'a>,
) -> PassResult<Vec<BlockRef<'c, 'a>>> {
    let Some(parts) = FunctionObject::of(maker) else {
        return Ok(Vec::new());
    };
    let object = maker.result();
    let users = object.users();
    let mut calls: Vec<_> = match users.len() {
        // In the order of the program.
        2.. => function.nested_ops::<py::Call>(),
        _ => users.into_iter().filter_map(py::Call::of).collect(),
    };
    calls.retain(|call| call.callee() == object);
    if calls.len() != object.uses().len() {
        return Ok(Vec::new());
    }
    let free = callee.nested_ops::<py::FreeCell>();
    let in_closure = |cell: &py::FreeCell<'c, 'a>| {
        usize::try_from(cell.index()).is_ok_and(|index| index < parts.cells.len())
    };
    if !free.iter().all(in_closure) {
        return Ok(Vec::new());
    }
    let defaults = |function: &PyFunction<'c, 'a>, index: usize| parts.default_of(function, index);
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
            if let Some(cell) = py::FreeCell::of(cell) {
                builder.replace_op(*cell, &[parts.cells[cell.index() as usize]]);
            }
        }
        cx.bump("inlined", 1);
        blocks.extend(made);
    }
    erase_with_parts(maker);
    Ok(blocks)
}
