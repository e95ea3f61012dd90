//! `py-promote-cells`: makes values of cells that only one function uses.
//!
//! A cell is there for variables that functions share. Where the others were inlined, it is a
//! variable like any other: its reads become the value that was written last, and where several
//! writes meet a block gets an argument, in minimal SSA form.

use super::{blocks::Blocks, edges::Edge, inlining::jump, protect::Handler};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
    ops::py,
};
use melior::{
    Context,
    ir::{BlockRef, Location, OperationRef, Value, operation::OperationLike},
};
use pyopt_dialects::py::object_type;
use pyopt_frontend::control_flow::BlockIndex;
use std::collections::BTreeSet;

/// Cells to values.
pub static PASS: PassSpec = PassSpec {
    description: "A `py.make_cell` that is only read and written in its function goes. A write in a \
                  protected range ends its block, so that a handler gets what is written by then. \
                  Cells whose emptiness must be told by the name of a free variable stay.",
    anchor: py::Func::NAME,
    dialects: &["py"],
    statistics: &[StatisticSpec::new("promoted", "cells that became values")],
    ..PassSpec::new(
        "py-promote-cells",
        "make values of cells that one function uses",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    if let Some(function) = py::Func::of(function) {
        cx.bump("promoted", promote(cx.context(), function));
    }
    Ok(())
}

/// Makes values of the cells of a function, and gives how many these are.
pub(super) fn promote<'c: 'a, 'a>(context: &'c Context, function: py::Func<'c, 'a>) -> u64 {
    let mut makers = function.nested_ops::<py::MakeCell>();
    makers.retain(|maker| is_variable(*maker));
    if makers.is_empty() {
        return 0;
    }
    let builder = Builder::new(context, *function);
    for &maker in &makers {
        let writes = maker.result().users().into_iter();
        for write in writes.filter(|user| user.isa::<py::StoreCell>()) {
            isolate(&builder, write);
        }
        isolate(&builder, *maker);
    }
    let Some(flow) = Blocks::of(function) else {
        return 0;
    };
    let mut promoted = 0;
    for maker in makers {
        if let Some(mut cell) = Cell::of(&flow, maker) {
            cell.promote(context, &builder);
            promoted += 1;
        }
    }
    promoted
}

/// Whether a cell is only read and written.
fn is_variable(maker: py::MakeCell) -> bool {
    let mut uses = maker.result().uses().into_iter();
    uses.all(|one| match py::Op::of(one.user) {
        Some(py::Op::LoadCell(_)) => true,
        Some(py::Op::StoreCell(_)) => one.operand == py::StoreCell::CELL_OPERAND,
        _ => false,
    })
}

/// Puts a write in a protected range into a block of its own that needs no protection: a handler
/// gets one value from a block, wherever in it the exception comes from.
fn isolate<'c: 'a, 'a>(builder: &Builder<'c, 'a>, write: OperationRef<'c, 'a>) {
    let block = write.parent_block().expect("a write is in a block");
    let terminator = block.terminator_op().expect("a block has a terminator");
    let Some(handler) = Handler::of(terminator) else {
        return;
    };
    if block.first() != Some(write) {
        builder.at(write.location());
        let own = builder.split_block(write);
        handler.branch(builder.at_end(block), own, &[]);
    }
    let own = write.parent_block().expect("a write is in a block");
    let next = write.next_in_block().expect("a write is no terminator");
    let rest = builder.at(write.location()).split_block(next);
    jump(builder.at_end(own), rest, &[]);
}

/// A cell that can become a value.
struct Cell<'p, 'c, 'a> {
    flow: &'p Blocks<'c, 'a>,
    maker: py::MakeCell<'c, 'a>,
    home: BlockIndex,
    name: Option<&'c str>,
    /// The blocks that get an argument.
    joins: BTreeSet<BlockIndex>,
    /// The blocks at whose start the cell may be empty.
    empty: BTreeSet<BlockIndex>,
}

impl<'p, 'c: 'a, 'a> Cell<'p, 'c, 'a> {
    fn of(flow: &'p Blocks<'c, 'a>, maker: py::MakeCell<'c, 'a>) -> Option<Self> {
        let home = flow.position(maker.parent_block()?)?;
        let value = maker.result();
        let mut writes = BTreeSet::from([home]);
        let mut reads = BTreeSet::new();
        let mut name = None;
        for user in value.users() {
            let block = flow.position(user.parent_block()?)?;
            if let Some(load) = py::LoadCell::of(user) {
                reads.insert(block);
                name = Some(load.name());
            } else {
                writes.insert(block);
            }
        }
        let mut cell = Self {
            joins: BTreeSet::new(),
            empty: BTreeSet::new(),
            flow,
            maker,
            home,
            name,
        };
        cell.find_joins(&writes, &reads);
        cell.find_empty();
        let bare = cell.bare_reads();
        let needs_name_error = bare.iter().any(|read| read.free());
        (!needs_name_error).then_some(cell)
    }

    /// Whether an operation reads the cell, and whether it writes it.
    fn access(&self, operation: OperationRef<'c, 'a>) -> (bool, bool) {
        let cell = self.maker.result();
        match py::Op::of(operation) {
            Some(py::Op::LoadCell(load)) => (load.cell() == cell, false),
            Some(py::Op::StoreCell(store)) => (false, store.cell() == cell),
            _ => (false, operation == *self.maker),
        }
    }

    /// Where writes meet and a read follows.
    fn find_joins(&mut self, writes: &BTreeSet<BlockIndex>, reads: &BTreeSet<BlockIndex>) {
        let graph = &self.flow.graph;
        // The blocks at whose start the value matters.
        let mut live = BTreeSet::new();
        let mut open: Vec<_> = reads
            .iter()
            .copied()
            .filter(|&block| self.is_read_first(block))
            .collect();
        while let Some(block) = open.pop() {
            if block != self.home && live.insert(block) {
                let before = graph.predecessors(block).iter();
                open.extend(before.filter(|before| !writes.contains(before)));
            }
        }
        let frontiers = graph.dominance_frontiers();
        let mut open: Vec<_> = writes.iter().copied().collect();
        while let Some(block) = open.pop() {
            for &join in &frontiers[block] {
                if live.contains(&join) && self.joins.insert(join) {
                    open.push(join);
                }
            }
        }
    }

    fn is_read_first(&self, block: BlockIndex) -> bool {
        for operation in self.flow.blocks[block].operation_list() {
            match self.access(operation) {
                (true, _) => return true,
                (_, true) => return false,
                _ => {}
            }
        }
        false
    }

    /// Follows the empty cell from where it is made.
    fn find_empty(&mut self) {
        if self.maker.initial().is_some() {
            return;
        }
        let written = |block: BlockIndex| {
            let mut operations = self.flow.blocks[block].operation_list().into_iter();
            operations.any(|operation| self.access(operation).1 && operation != *self.maker)
        };
        let mut empty = BTreeSet::new();
        let mut open = vec![self.home];
        while let Some(block) = open.pop() {
            if written(block) {
                continue;
            }
            let next = self.flow.graph.successors(block).iter();
            open.extend(next.filter(|next| empty.insert(**next)));
        }
        self.empty = empty;
    }

    /// The reads that may find the cell empty.
    fn bare_reads(&self) -> Vec<py::LoadCell<'c, 'a>> {
        let mut bare = Vec::new();
        for (index, block) in self.flow.blocks.iter().enumerate() {
            let mut is_empty = self.empty.contains(&index);
            for operation in block.operation_list() {
                match self.access(operation) {
                    (true, _) if is_empty => bare.extend(py::LoadCell::of(operation)),
                    (_, true) => {
                        is_empty = operation == *self.maker && self.maker.initial().is_none();
                    }
                    _ => {}
                }
            }
        }
        bare
    }

    fn promote(&mut self, context: &'c Context, builder: &Builder<'c, 'a>) {
        let object = object_type(context);
        let bare = self.bare_reads();
        builder.before(*self.maker);
        let initial = match self.maker.initial() {
            Some(initial) => initial,
            None => py::Unbound::create(builder).result(),
        };
        let count = self.flow.blocks.len();
        let mut starts: Vec<Option<Value>> = vec![None; count];
        for &join in &self.joins {
            let block = self.flow.blocks[join];
            starts[join] = Some(block.push_argument(object, self.location(context, block)));
        }
        let mut ends: Vec<Option<Value>> = vec![None; count];
        for &index in &self.flow.graph.order {
            let dominator = self.flow.graph.immediate_dominator(index);
            let mut current = starts[index].or_else(|| ends[dominator?]);
            for operation in self.flow.blocks[index].operation_list() {
                let (reads, writes) = self.access(operation);
                if let Some(store) = py::StoreCell::of(operation).filter(|_| writes) {
                    current = Some(store.value());
                    store.erase();
                } else if writes {
                    current = Some(initial);
                } else if let Some(load) = py::LoadCell::of(operation).filter(|_| reads)
                    && let Some(mut value) = current
                {
                    if bare.contains(&load) {
                        let builder = builder.before(operation);
                        value = py::CheckBound::create(builder, value, load.name()).result();
                    }
                    load.replace_results(&[value]);
                    load.erase();
                }
            }
            ends[index] = current;
        }
        for (index, end) in ends.iter().enumerate() {
            let terminator = self.flow.blocks[index].terminator_op();
            if let Some(terminator) = terminator {
                self.pass_on(terminator, end.unwrap_or(initial));
            }
        }
        self.maker.erase();
    }

    /// Passes the value to the joins that a block leads to. They have their argument already.
    fn pass_on(&self, terminator: OperationRef<'c, 'a>, value: Value<'c, 'a>) {
        let is_join = |block: BlockRef<'c, 'a>| {
            let position = self.flow.position(block);
            position.is_some_and(|position| self.joins.contains(&position))
        };
        for edge in Edge::of(terminator).iter().rev() {
            if is_join(edge.target) {
                let mut passed = edge.passed(terminator);
                passed.push(value);
                edge.pass(terminator, &passed);
            }
        }
    }

    /// A join's argument carries the variable's name.
    fn location(&self, context: &'c Context, block: BlockRef<'c, 'a>) -> Location<'c> {
        let first = block
            .first()
            .map_or(self.maker.location(), |first| first.location());
        match self.name {
            Some(name) => Location::name(context, name, first),
            None => first,
        }
    }
}
