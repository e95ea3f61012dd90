//! `py-expand-yield-from`: makes loops of `yield from`.
//!
//! Compiled code sends nothing to generators, so what a generator delegates to is gone through like
//! what a `for` loop goes through.

use super::edges::Edge;
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
    ops::{cf, py},
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::py::{PyAttribute, object_type};

/// Delegation to loops.
pub static PASS: PassSpec = PassSpec {
    description: "A `py.send` whose receiver is that of a `yield from` becomes a `py.for_iter`, \
                  where the value that `yield from` gives isn't used: a loop doesn't know it. In a \
                  protected range exceptions go to the same handler.",
    anchor: py::Func::NAME,
    dialects: &["cf", "py"],
    statistics: &[StatisticSpec::new("expanded", "delegations")],
    ..PassSpec::new(
        "py-expand-yield-from",
        "yield the items of a `yield from` in a loop",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let Some(function) = py::Func::of(function) else {
        return Ok(());
    };
    for send in function.nested_ops::<py::Send>() {
        if expand(&builder, function, send).is_some() {
            cx.bump("expanded", 1);
        }
    }
    Ok(())
}

/// How the block of a `py.send` ends.
pub(super) struct End<'c, 'a> {
    /// Its terminator.
    pub terminator: OperationRef<'c, 'a>,
    /// The branch on whether the delegate is done: the terminator, or in a protected range the only operation of
    /// the next block.
    pub branch: cf::CondBranch<'c, 'a>,
    /// Where exceptions of the delegate go to, and what goes with them.
    handler: Option<(BlockRef<'c, 'a>, Vec<Value<'c, 'a>>)>,
}

impl<'c: 'a, 'a> End<'c, 'a> {
    /// Finds it, if it has the form that bytecode gives it.
    pub fn of(send: py::Send<'c, 'a>) -> Option<Self> {
        let terminator = send.parent_block()?.terminator_op()?;
        if let Some(branch) = cf::CondBranch::of(terminator) {
            return Some(Self {
                terminator,
                branch,
                handler: None,
            });
        }
        py::TryBr::of(terminator)?;
        let edges = Edge::of(terminator);
        let unwind = edges.iter().find(|edge| edge.unwind)?;
        let next = edges.iter().find(|edge| !edge.unwind)?.target;
        let is_own = next.predecessor_blocks().len() == 1 && next.argument_values().is_empty();
        let branch = next
            .first()
            .filter(|_| is_own)
            .and_then(cf::CondBranch::of)?;
        Some(Self {
            terminator,
            branch,
            handler: Some((unwind.target, unwind.passed(terminator))),
        })
    }

    /// Erases the terminator and the branch.
    pub fn erase(self, builder: &Builder<'c, 'a>) {
        let next = self.handler.and_then(|_| self.branch.parent_block());
        builder.erase_op(*self.branch);
        if let Some(next) = next {
            builder.erase_op(self.terminator);
            builder.erase_block(next);
        }
    }
}

/// Expands one delegation, if it has the form that bytecode gives it.
fn expand<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: py::Func<'c, 'a>,
    send: py::Send<'c, 'a>,
) -> Option<()> {
    let object = object_type(builder.context());
    let delegate = py::GetYieldFromIter::defining(send.receiver())?;
    let ends = End::of(send)?;
    let end = ends.branch;
    let (result, done) = (send.result(), send.done());
    if end.condition() != done || done.uses().len() != 1 {
        return None;
    }
    let (exit, body) = (end.true_dest(), end.false_dest());
    let mut leaves = end.true_dest_operands();
    for (value, argument) in leaves.iter_mut().zip(exit.argument_values()) {
        if *value == result {
            if argument.has_uses() {
                return None;
            }
            builder.before(ends.terminator).at(send.location());
            let none = PyAttribute::None.to_attribute(builder.context());
            *value = py::Constant::create(builder, none).result();
        }
    }
    let passed = end.false_dest_operands();
    let between = builder.append_block(function.body(), &[object]);
    let item = between.argument_value(0);

    builder.before(ends.terminator).at(end.location());
    let handlers: Vec<_> = ends.handler.iter().map(|(block, _)| *block).collect();
    py::ForIter::create(
        builder,
        send.receiver(),
        &[],
        &leaves,
        ends.handler
            .as_ref()
            .map_or(&[], |(_, passed)| passed.as_slice()),
        between,
        exit,
        &handlers,
    );
    builder.at_end(between).at(send.location());
    let passed: Vec<Value> = passed
        .into_iter()
        .map(|value| if value == result { item } else { value })
        .collect();
    cf::Branch::create(builder, &passed, body);
    ends.erase(builder);
    result.replace_all_uses(item);
    builder.erase_op(*send);
    builder.before(*delegate).at(delegate.location());
    let iterator = py::GetIter::create(builder, delegate.iterable()).result();
    builder.replace_op(*delegate, &[iterator]);
    Some(())
}
