//! `py-live-variables`: makes the end of each value's life explicit.
//!
//! Numba's live variable analysis. Each value of a function is one reference to an object, which is
//! given up exactly once on every path: by `py.del` behind its last use; by being passed to a
//! block, whose argument then is the reference; or by `py.return`. A value that isn't used any more
//! on one of several ways is deleted at the start of that way, for which a block is inserted where
//! other ways lead there too. What is passed and used later too is passed as a
//! `py.new_reference`.
//!
//! An exception is a way out of the middle of a block, so it has no operations of its own: what
//! leaves the function, or goes to a handler, gives up everything that is alive at the operation
//! that raises, but for what the handler is passed or uses.

use super::{blocks::Blocks, edges::Edge};
use crate::{
    analysis::liveness::{Liveness, Number},
    infra::{
        BlockExt, Builder, Identity, Key, OperationExt, PassContext, PassResult, PassSpec,
        StatisticSpec, ValueExt,
        ops::{cf, py},
    },
};
use melior::ir::{BlockRef, OperationRef, RegionRef, Type, Value, operation::OperationLike};
use pyopt_dialects::py::object_type;
use pyopt_frontend::control_flow::BlockIndex;
use std::collections::{BTreeSet, HashSet};

/// Inserts `py.del` behind last uses.
pub static PASS: PassSpec = PassSpec {
    description: "Every value gives up its reference exactly once on each path: by a py.del behind \
                  its last use, by moving to a block's argument, or by being returned. Deletions \
                  and further references that are there already are made anew.",
    anchor: py::Func::NAME,
    dialects: &["py", "cf"],
    statistics: &[
        StatisticSpec::new("deletions", "py.del inserted"),
        StatisticSpec::new("references", "py.new_reference inserted"),
    ],
    ..PassSpec::new(
        "py-live-variables",
        "delete values behind their last use",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let Some(function) = py::Func::of(function) else {
        return Ok(());
    };
    remove_marks(function);
    let Some(flow) = Blocks::of(function) else {
        return Ok(());
    };
    let lives = Lives::of(&flow, object_type(cx.context()));
    let mut marker = Marker {
        cx,
        builder: Builder::new(cx.context(), *function),
        region: function.body(),
        dead_at_start: vec![None; flow.blocks.len()],
        flow: &flow,
        lives: &lives,
    };
    let ends: Vec<_> = (0..flow.blocks.len())
        .map(|block| marker.end_of(block))
        .collect();
    for end in &ends {
        marker.find_dead_at_start(end);
    }
    for (block, end) in ends.iter().enumerate() {
        marker.mark_block(block, end);
    }
    Ok(())
}

/// Removes what an earlier run inserted.
fn remove_marks(function: py::Func) {
    for reference in function.nested_ops::<py::NewReference>() {
        reference.replace_results(&[reference.value()]);
        reference.erase();
    }
    for deletion in function.nested_ops::<py::Del>() {
        deletion.erase();
    }
}

/// Where the objects of a function are alive.
struct Lives<'c, 'a> {
    /// The objects, in the order of their definitions.
    objects: Liveness<'c, 'a>,
    /// The values that each block defines.
    defined: Vec<Vec<Number>>,
}

impl<'c: 'a, 'a> Lives<'c, 'a> {
    fn of(flow: &Blocks<'c, 'a>, object: Type<'c>) -> Self {
        let mut objects = Vec::new();
        let mut defined = Vec::new();
        for block in &flow.blocks {
            let results = block.operation_list().into_iter();
            let results = results.flat_map(OperationExt::result_values);
            let values = block.argument_values().into_iter().chain(results);
            let first = objects.len();
            objects.extend(values.filter(|value| value.ty() == object));
            defined.push((first..objects.len()).collect());
        }
        Self {
            objects: Liveness::new(&flow.blocks, objects),
            defined,
        }
    }
}

/// Inserts the operations, block by block.
struct Marker<'p, 'c, 'a> {
    cx: &'p PassContext<'c>,
    builder: Builder<'c, 'a>,
    region: RegionRef<'c, 'a>,
    flow: &'p Blocks<'c, 'a>,
    lives: &'p Lives<'c, 'a>,
    /// What is dead on all ways into a block; nothing is known before the first of them.
    dead_at_start: Vec<Option<BTreeSet<Number>>>,
}

/// The end of a block.
struct End<'c, 'a> {
    terminator: OperationRef<'c, 'a>,
    ways: Vec<Way<'c, 'a>>,
    /// The values that neither the terminator nor what follows uses.
    staying: Vec<Number>,
}

/// A way out of a block.
struct Way<'c, 'a> {
    edge: Edge<'c, 'a>,
    target: BlockIndex,
    /// The values that are neither passed nor used behind it.
    dead: BTreeSet<Number>,
    /// Which of the values that are passed are passed once more, or used behind it too.
    shared: Vec<usize>,
}

impl<'c: 'a, 'a> Marker<'_, 'c, 'a> {
    fn end_of(&self, index: BlockIndex) -> End<'c, 'a> {
        let block = self.flow.blocks[index];
        let terminator = block.terminator_op().expect("a block has a terminator");
        let edges = Edge::of(terminator);
        let live = |edge: &Edge<'c, 'a>| {
            let target = self.flow.position(edge.target);
            self.lives
                .objects
                .live_in(target.expect("successors are reached"))
        };
        let used: BTreeSet<Number> = terminator
            .operand_values()
            .into_iter()
            .filter_map(|operand| self.lives.objects.number(operand))
            .collect();
        let entering = self.lives.objects.live_in(index).iter();
        let (leaving, staying): (Vec<Number>, Vec<Number>) = entering
            .chain(&self.lives.defined[index])
            .partition(|number| {
                used.contains(number) || edges.iter().any(|edge| live(edge).contains(number))
            });
        let ways = edges.into_iter().map(|edge| {
            let passed = edge.passed(terminator);
            let mut dead = BTreeSet::new();
            let mut shared = Vec::new();
            for &number in &leaving {
                let value = self.lives.objects.value(number);
                let mut uses = (0..passed.len())
                    .filter(|&at| passed[at] == value)
                    .peekable();
                let is_live = live(&edge).contains(&number);
                if uses.peek().is_none() && !is_live {
                    dead.insert(number);
                }
                shared.extend(uses.skip(usize::from(!is_live)));
            }
            Way {
                target: self
                    .flow
                    .position(edge.target)
                    .expect("successors are reached"),
                edge,
                dead,
                shared,
            }
        });
        End {
            terminator,
            ways: ways.collect(),
            staying,
        }
    }

    fn find_dead_at_start(&mut self, end: &End<'c, 'a>) {
        for way in &end.ways {
            let dead = match &self.dead_at_start[way.target] {
                // What an exception leaves behind is none of the handler's business.
                _ if way.edge.unwind => BTreeSet::new(),
                None => way.dead.clone(),
                Some(known) => known & &way.dead,
            };
            self.dead_at_start[way.target] = Some(dead);
        }
    }

    fn mark_block(&self, index: BlockIndex, end: &End<'c, 'a>) {
        let block = self.flow.blocks[index];
        // Each goes before those that are there already.
        for &number in end.staying.iter().rev() {
            self.delete_behind_last_use(block, number);
        }
        self.go_to_start(block);
        for &number in self.dead_at_start[index].iter().flatten() {
            self.delete(number);
        }
        // Operands of edges that come later move when one is redirected, those before don't.
        for way in end.ways.iter().rev().filter(|way| !way.edge.unwind) {
            self.mark_way(end, way);
        }
    }

    /// Deletes a value that is not used behind its block's terminator.
    fn delete_behind_last_use(&self, block: BlockRef<'c, 'a>, number: Number) {
        let value = self.lives.objects.value(number);
        let users: HashSet<Key> = value.users().into_iter().map(|user| user.key()).collect();
        let operations = block.operation_list();
        let last = operations
            .iter()
            .rev()
            .find(|operation| users.contains(&operation.key()))
            .copied()
            .or_else(|| value.defining_op());
        match last {
            Some(operation) => self.builder.after(operation),
            None => self.go_to_start(block),
        };
        self.delete(number);
    }

    /// Balances the references on one way out of a block.
    fn mark_way(&self, end: &End<'c, 'a>, way: &Way<'c, 'a>) {
        let Way { edge, shared, .. } = way;
        let terminator = end.terminator;
        let mut passed = edge.passed(terminator);
        if end.ways.len() == 1 {
            self.builder.before(terminator);
            for &position in shared {
                edge.replace(terminator, position, self.refer_again(passed[position]));
            }
            return;
        }
        let later = self.dead_at_start[way.target].as_ref();
        let dead: Vec<_> = way
            .dead
            .iter()
            .filter(|number| !later.is_some_and(|later| later.contains(number)))
            .collect();
        if dead.is_empty() && shared.is_empty() {
            return;
        }
        let first = edge.target.first().expect("a block has a terminator");
        self.builder.at(first.location());
        let made = vec![object_type(self.cx.context()); edge.produced];
        let between = self.builder.append_block(self.region, &made);
        edge.redirect(terminator, between);
        for &position in shared {
            passed[position] = self.refer_again(passed[position]);
        }
        dead.into_iter().for_each(|&number| self.delete(number));
        let mut operands = between.argument_values();
        operands.append(&mut passed);
        cf::Branch::create(&self.builder, &operands, edge.target);
    }

    /// Goes before the first operation of a block.
    fn go_to_start(&self, block: BlockRef<'c, 'a>) -> &Builder<'c, 'a> {
        let first = block.first().expect("a block has a terminator");
        self.builder.before(first)
    }

    fn delete(&self, number: Number) {
        self.cx.bump("deletions", 1);
        py::Del::create(&self.builder, self.lives.objects.value(number));
    }

    fn refer_again(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.cx.bump("references", 1);
        py::NewReference::create(&self.builder, value).result()
    }
}
