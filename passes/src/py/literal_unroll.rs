//! `py-literal-unroll`: loops over `literal_unroll(items)` become their turns.
//!
//! Numba's `LiteralUnroll`: the items may have different types, so each turn is typed by itself.
//! The blocks of the loop are copied for each item; what is used behind the loop goes through
//! cells, which `py-promote-cells` makes values again.

use super::{
    bindings::{Bindings, erase_known},
    blocks::{Blocks, copy_blocks, erase_unreachable},
    edges::Edge,
    fixup_args::argument_type,
    inlining::jump,
};
use crate::{
    infra::{
        AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, Report,
        Severity, StatisticSpec, ValueExt, ops::py,
    },
    types::tuples,
};
use melior::ir::{
    Attribute, BlockRef, Location, OperationRef, RegionRef, Value, attribute::IntegerAttribute,
    operation::OperationLike, r#type::IntegerType,
};
use pyopt_dialects::py::object_type;
use std::collections::BTreeSet;

/// `literal_unroll`.
pub static PASS: PassSpec = PassSpec {
    description: "A `for` loop over `literal_unroll` of a tuple whose length is known, or of a list \
                  of constants, becomes a copy of its body for each item.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("unrolled", "loops that were unrolled")],
    ..PassSpec::new(
        "py-literal-unroll",
        "unroll loops over literal_unroll()",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    if !bindings.mentions("literal_unroll") {
        return Ok(());
    }
    let operations = root
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list);
    for function in operations.filter_map(py::Func::of) {
        while let Some(call) = first_call(&bindings, function) {
            unroll(cx, &bindings, function, call)?;
            erase_unreachable(function);
            cx.bump("unrolled", 1);
        }
    }
    Ok(())
}

fn first_call<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    function: py::Func<'c, 'a>,
) -> Option<py::Call<'c, 'a>> {
    let mut calls = function.nested_ops::<py::Call>().into_iter();
    calls.find(|call| bindings.is_ours(call.callee(), "literal_unroll"))
}

fn unroll<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    bindings: &Bindings<'c, 'a>,
    function: py::Func<'c, 'a>,
    call: py::Call<'c, 'a>,
) -> PassResult {
    let location = call.location();
    let refuse = |message: &str, hint: &str| {
        let report = Report::new(Severity::Error, location, message);
        Err(cx.fail(report.note(location, format!("hint: {hint}"))))
    };
    let callee = call.callee();
    let &[container] = call.args().as_slice() else {
        return refuse("literal_unroll takes one argument", "pass a tuple");
    };
    let Some(iterator) = iterator_of(call) else {
        let message = "the result of literal_unroll is used for something else than one for loop";
        return refuse(message, "write it in the head of the loop");
    };
    let flow = Blocks::of(function).expect("a function with a call has a body");
    let Some(head) = head_of(&flow, iterator) else {
        return refuse(
            "this loop over literal_unroll can't be unrolled",
            "let the loop begin right at the for statement, outside of any try block",
        );
    };
    let builder = Builder::new(cx.context(), *function);
    builder.before(*iterator);
    let Some(items) = items(cx, &builder, bindings, container) else {
        return refuse(
            "literal_unroll takes a tuple, or a list of constants",
            "its length must be known when the function is compiled",
        );
    };
    let natural = flow
        .graph
        .loops()
        .iter()
        .find(|natural| natural.header == head);
    // A body that always leaves the loop is no cycle: the head alone is repeated then.
    let body = natural.map_or_else(|| BTreeSet::from([head]), |natural| natural.body.clone());
    let in_order = flow.graph.order.iter().filter(|block| body.contains(block));
    let turn = Turn {
        cx,
        builder: &builder,
        region: function.body(),
        head: flow.blocks[head],
        blocks: in_order.map(|&block| flow.blocks[block]).collect(),
    };
    turn.carry_out(*iterator);
    turn.unroll(&items);
    iterator.erase();
    call.erase();
    if let Some(list) = py::BuildList::defining(container) {
        erase_list(list);
        erase_known([callee]);
    } else {
        erase_known([callee, container]);
    }
    Ok(())
}

/// The only use of the call: the iterator that is made of its result.
fn iterator_of<'c: 'a, 'a>(call: py::Call<'c, 'a>) -> Option<py::GetIter<'c, 'a>> {
    match call.result().users().as_slice() {
        [iterator] => py::GetIter::of(*iterator),
        _ => None,
    }
}

/// The block that does nothing but take the next item.
fn head_of(flow: &Blocks, iterator: py::GetIter) -> Option<usize> {
    let users = iterator.result().users();
    let &[next] = users.as_slice() else {
        return None;
    };
    let next = py::ForIter::of(next).filter(|next| next.unwind().is_empty())?;
    let block = next
        .parent_block()
        .filter(|block| block.first() == Some(*next))?;
    flow.position(block)
}

/// The items, as values that are there before the loop.
fn items<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    bindings: &Bindings<'c, 'a>,
    container: Value<'c, 'a>,
) -> Option<Vec<Value<'c, 'a>>> {
    let constant = |value: Attribute<'c>| py::Constant::create(builder, value).result();
    if let Some(tuple) = py::BuildTuple::defining(container) {
        return Some(tuple.elements());
    }
    if let Some(list) = list_of_constants(bindings, container) {
        return Some(list.into_iter().map(constant).collect());
    }
    if let Some(elements) = bindings.constant(container) {
        return Some(elements.elements()?.into_iter().map(constant).collect());
    }
    let count = match bindings.tuple(container) {
        Some(items) => items.len(),
        None => tuples::elements(argument_type(container)?)?.len(),
    };
    let int = IntegerType::new(cx.context(), 64).into();
    let item = |index| {
        let index = constant(IntegerAttribute::new(int, index as i64).into());
        py::GetItem::create(builder, container, index).result()
    };
    Some((0..count).map(item).collect())
}

/// A list of constants: built from them, or extended by a constant tuple as the compiler of Python
/// does it.
fn list_of_constants<'c: 'a, 'a>(
    bindings: &Bindings<'c, 'a>,
    list: Value<'c, 'a>,
) -> Option<Vec<Attribute<'c>>> {
    let built = py::BuildList::defining(list)?;
    let mut items: Vec<_> = built
        .elements()
        .into_iter()
        .map(|item| bindings.constant(item))
        .collect::<Option<_>>()?;
    for extend in list.users().into_iter().filter_map(py::Extend::of) {
        if extend.container() == list {
            items.extend(bindings.constant(extend.item())?.elements()?);
        }
    }
    Some(items)
}

/// Removes a list that was only built for the loop.
fn erase_list(list: py::BuildList) {
    let users = list.result().distinct_users();
    if users.iter().all(|user| user.isa::<py::Extend>()) {
        users.into_iter().for_each(OperationExt::erase);
        list.erase();
    }
}

/// The blocks of a loop that is unrolled.
struct Turn<'p, 'c, 'a> {
    cx: &'p PassContext<'c>,
    builder: &'p Builder<'c, 'a>,
    region: RegionRef<'c, 'a>,
    head: BlockRef<'c, 'a>,
    /// The blocks, the head too, each behind those that dominate it.
    blocks: Vec<BlockRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Turn<'_, 'c, 'a> {
    /// Puts values of the loop that are used behind it into cells, so that it doesn't matter which
    /// copy of the loop they come from.
    fn carry_out(&self, iterator: OperationRef<'c, 'a>) {
        let object = object_type(self.cx.context());
        for block in &self.blocks {
            let results = block.operation_list().into_iter();
            let results = results.flat_map(OperationExt::result_values);
            for value in block.argument_values().into_iter().chain(results) {
                let outside = value.uses().into_iter().filter(|r#use| {
                    let home = r#use.user.parent_block();
                    home.is_some_and(|home| !self.blocks.contains(&home))
                });
                let outside: Vec<_> = outside.collect();
                if outside.is_empty() || value.ty() != object {
                    continue;
                }
                let cell = py::MakeCell::create(self.builder.before(iterator), None).result();
                match value.defining_op() {
                    Some(operation) => self.builder.after(operation),
                    None => self
                        .builder
                        .before(block.first().expect("a block has a terminator")),
                };
                py::StoreCell::create(self.builder, cell, value);
                for r#use in outside {
                    let builder = self.builder.before(r#use.user);
                    let read = py::LoadCell::create(builder, cell, "the loop's variable");
                    r#use.user.set_operand_value(r#use.operand, read.result());
                }
            }
        }
    }

    /// Makes a copy of the loop for each item, and of its head for the end.
    fn unroll(&self, items: &[Value<'c, 'a>]) {
        let mut turns = vec![self.blocks.clone()];
        for _ in 1..items.len() {
            turns.push(self.copy(&self.blocks));
        }
        if items.is_empty() {
            self.leave(self.head);
            return;
        }
        let end = self.copy(&[self.head])[0];
        let position = self.blocks.iter().position(|block| *block == self.head);
        let position = position.expect("the head is one of the blocks");
        for (number, (turn, &item)) in turns.iter().zip(items).enumerate() {
            let next = turns.get(number + 1).map_or(end, |next| next[position]);
            for block in turn.iter().filter_map(|block| block.terminator_op()) {
                for (index, target) in block.successor_blocks().into_iter().enumerate() {
                    if target == turn[position] {
                        block.set_successor_block(index, next);
                    }
                }
            }
            self.take(turn[position], item);
        }
        self.leave(end);
    }

    fn copy(&self, blocks: &[BlockRef<'c, 'a>]) -> Vec<BlockRef<'c, 'a>> {
        copy_blocks(self.builder, self.region, blocks, &mut Vec::new())
    }

    /// Has a head go to the body with an item.
    fn take(&self, head: BlockRef<'c, 'a>, item: Value<'c, 'a>) {
        self.end_with(head, 0, Some(item));
    }

    /// Has a head leave the loop.
    fn leave(&self, head: BlockRef<'c, 'a>) {
        self.end_with(head, 1, None);
    }

    fn end_with(&self, head: BlockRef<'c, 'a>, way: usize, first: Option<Value<'c, 'a>>) {
        let next = head
            .terminator_op()
            .expect("the head ends with py.for_iter");
        let edge = Edge::of(next).swap_remove(way);
        let values: Vec<_> = first.into_iter().chain(edge.passed(next)).collect();
        let location: Location = next.location();
        self.builder.before(next).at(location);
        jump(self.builder, edge.target, &values);
        next.erase();
    }
}
