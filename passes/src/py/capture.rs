//! Whether a function object may hold a variable's value in the place of its cell.

use super::{
    edges::Edge,
    escapes::{Escapes, Holders},
};
use crate::infra::{BlockExt, Identity, Key, OperationExt, Use, ValueExt, ops::py};
use melior::ir::{BlockRef, OperationRef, Value};
use std::collections::{HashMap, HashSet};

/// A cell of one function in the closure of another.
pub(super) struct Capture<'c, 'a> {
    maker: py::MakeFunction<'c, 'a>,
    cell: py::MakeCell<'c, 'a>,
    writes: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Capture<'c, 'a> {
    /// The cell of a `py.make_cell` in the closure of a `py.make_function`.
    pub fn new(maker: py::MakeFunction<'c, 'a>, cell: py::MakeCell<'c, 'a>) -> Self {
        let uses = cell.result().uses().into_iter();
        let writes = uses.filter(|one| is_write(*one));
        Self {
            maker,
            cell,
            writes: writes.map(|one| one.user).collect(),
        }
    }

    /// The function object that the variable has and never anything else, but no value before that is assigned.
    pub fn function(&self) -> Option<(py::StoreCell<'c, 'a>, py::MakeFunction<'c, 'a>)> {
        let &[write] = self.writes.as_slice() else {
            return None;
        };
        let store = py::StoreCell::of(write).filter(|_| self.cell.initial().is_none())?;
        Some((store, py::MakeFunction::defining(store.value())?))
    }

    /// Whether the function can be used before an assignment that comes behind its making.
    pub fn is_used_before(&self, store: py::StoreCell<'c, 'a>, escapes: &Escapes<'c, 'a>) -> bool {
        let holders = escapes.holders(self.maker);
        if holders.everywhere {
            return true;
        }
        let is_holder = |value: Value<'c, 'a>| {
            let key = value.key();
            let mut by_cells = holders.by_cells.iter();
            holders.values.contains(&key) || by_cells.any(|(_, values)| values.contains(&key))
        };
        let uses = |operation: OperationRef<'c, 'a>| {
            operation.operand_values().into_iter().any(is_holder) && !only_keeps(operation)
        };
        reaches(*self.maker, &|operation| operation == *store, &uses)
    }

    /// Whether the function can be made while the variable has no value.
    pub fn may_be_empty(&self) -> bool {
        let is_emptied = |write: &OperationRef| write.isa::<py::DeleteCell>();
        let empties = self.writes.iter().copied().filter(is_emptied);
        let starts = self.cell.initial().is_none().then_some(*self.cell);
        starts.into_iter().chain(empties).any(|start| {
            let is_stored = |operation: OperationRef<'c, 'a>| {
                operation.isa::<py::StoreCell>() && self.writes.contains(&operation)
            };
            reaches(start, &is_stored, &|operation| operation == *self.maker)
        })
    }

    /// Whether the variable can be assigned between the making of the function and its last use.
    pub fn is_changed_in_use(&self, escapes: &Escapes<'c, 'a>) -> bool {
        self.changes_in_use(&self.writes, escapes)
    }

    /// Whether one of some assignments can come between the making of the function and its last use.
    pub fn changes_in_use(
        &self,
        writes: &[OperationRef<'c, 'a>],
        escapes: &Escapes<'c, 'a>,
    ) -> bool {
        // Where the function can't be made yet there is none that could be used.
        let mut made = writes
            .iter()
            .filter(|write| reaches(*self.maker, &|_| false, &|operation| operation == **write))
            .peekable();
        if made.peek().is_none() {
            return false;
        }
        let holders = escapes.holders(self.maker);
        holders.everywhere || made.any(|write| self.is_used_behind(*write, &holders))
    }

    /// Whether a function object that is there at an operation can be used behind it. That is followed through
    /// what may hold it, as the object may outlive the making of the next one.
    fn is_used_behind(&self, start: OperationRef<'c, 'a>, holders: &Holders) -> bool {
        let Some(home) = start.parent_block() else {
            return true;
        };
        let behind = home.operation_list().into_iter();
        let behind: Vec<_> = behind.skip_while(|one| *one != start).skip(1).collect();
        let mut known: HashMap<Key, HashSet<Key>> = HashMap::new();
        let mut open = vec![(behind, holders.values.clone())];
        while let Some((operations, mut held)) = open.pop() {
            // An exception may leave the block anywhere.
            let mut ever_held = held.clone();
            for operation in operations {
                if self.is_use(operation, holders, &held) {
                    return true;
                }
                self.follow(operation, holders, &mut held);
                ever_held.extend(&held);
                for edge in Edge::of(operation) {
                    let held = if edge.unwind { &ever_held } else { &held };
                    let arguments = edge.target.argument_values();
                    let mut next = held.clone();
                    arguments.iter().for_each(|argument| {
                        next.remove(&argument.key());
                    });
                    let passed = edge.passed(operation).into_iter();
                    let pairs = passed.zip(&arguments[edge.produced..]);
                    let holding = pairs.filter(|(operand, _)| held.contains(&operand.key()));
                    next.extend(holding.map(|(_, argument)| argument.key()));
                    let is_new = !known.contains_key(&edge.target.key());
                    let before = known.entry(edge.target.key()).or_default();
                    let count = before.len();
                    before.extend(next);
                    if is_new || before.len() > count {
                        open.push((edge.target.operation_list(), before.clone()));
                    }
                }
            }
        }
        false
    }

    /// Whether an operation does more with the object than to keep it.
    fn is_use(
        &self,
        operation: OperationRef<'c, 'a>,
        holders: &Holders,
        held: &HashSet<Key>,
    ) -> bool {
        let is_held = |value: Value<'c, 'a>| {
            let key = value.key();
            let in_cell =
                |(cell, values): &(Key, HashSet<Key>)| held.contains(cell) && values.contains(&key);
            held.contains(&key) || holders.by_cells.iter().any(in_cell)
        };
        if let Some(iteration) = py::ForIter::of(operation) {
            return is_held(iteration.iterator());
        }
        !only_keeps(operation) && operation.operand_values().into_iter().any(is_held)
    }

    /// Finds out what holds the object behind an operation.
    fn follow(&self, operation: OperationRef<'c, 'a>, holders: &Holders, held: &mut HashSet<Key>) {
        let (results, is_held) = match py::StoreCell::of(operation) {
            Some(store) => (vec![store.cell()], held.contains(&store.value().key())),
            None => {
                let mut operands = operation.operand_values().into_iter();
                let is_held = operands.any(|operand| held.contains(&operand.key()));
                // The closure of a function has the cell, and not what is in it at that time.
                let is_copied = match operation.isa::<py::BuildTuple>() {
                    true => has_values(operation, held),
                    false => operation != *self.maker,
                };
                (operation.result_values(), is_held && is_copied)
            }
        };
        for result in results {
            match is_held && holders.values.contains(&result.key()) {
                true => held.insert(result.key()),
                false => held.remove(&result.key()),
            };
        }
    }
}

/// Whether a cell is written to, by a use of it.
pub(super) fn is_write(one: Use) -> bool {
    match py::Op::of(one.user) {
        Some(py::Op::StoreCell(_)) => one.operand == py::StoreCell::CELL_OPERAND,
        Some(py::Op::DeleteCell(_)) => true,
        _ => false,
    }
}

/// Which free variables functions assign to. Inlining and converting functions doesn't change it, so it is
/// found out once: a function may make another one often, which makes a third one often.
#[derive(Default)]
pub(super) struct Assignments {
    known: HashMap<(Key, usize), bool>,
}

impl Assignments {
    /// Whether a function, or one that is made in it, assigns to a free variable.
    pub fn include(
        &mut self,
        function: py::Func,
        index: usize,
        functions: &HashMap<&str, py::Func>,
    ) -> bool {
        let variable = (function.key(), index);
        if let Some(known) = self.known.get(&variable) {
            return *known;
        }
        let cells = function.nested_ops::<py::FreeCell>().into_iter();
        let cells = cells.filter(|cell| cell.index() == index as i64);
        let mut uses = cells.flat_map(|cell| cell.result().uses());
        let found = uses.any(|one| match py::BuildTuple::of(one.user) {
            // The closure of another function.
            Some(closure) => {
                let users = closure.result().users().into_iter();
                let mut makers = users.filter_map(py::MakeFunction::of);
                makers.any(|maker| {
                    let inner = functions.get(maker.code());
                    inner.is_some_and(|inner| self.include(*inner, one.operand, functions))
                })
            }
            None => is_write(one),
        });
        self.known.insert(variable, found);
        found
    }
}

/// Whether execution can come from behind an operation to one that is looked for, without passing
/// one that ends the way. Something in a block may raise before that is reached.
pub(super) fn reaches<'c: 'a, 'a>(
    start: OperationRef<'c, 'a>,
    ends: &dyn Fn(OperationRef<'c, 'a>) -> bool,
    wanted: &dyn Fn(OperationRef<'c, 'a>) -> bool,
) -> bool {
    let Some(home) = start.parent_block() else {
        return true;
    };
    let behind = home.operation_list().into_iter();
    let behind: Vec<_> = behind.skip_while(|one| *one != start).skip(1).collect();
    let mut seen: HashSet<Key> = HashSet::new();
    let mut open: Vec<(BlockRef, Vec<OperationRef>)> = vec![(home, behind)];
    while let Some((block, operations)) = open.pop() {
        let end = operations.iter().position(|one| ends(*one));
        let passed = end.map_or(operations.len(), |end| end + 1);
        if operations[..passed].iter().any(|one| wanted(*one)) {
            return true;
        }
        for edge in block.terminator_op().into_iter().flat_map(Edge::of) {
            let goes_on = end.is_none_or(|end| edge.unwind && end > 0);
            if goes_on && seen.insert(edge.target.key()) {
                open.push((edge.target, edge.target.operation_list()));
            }
        }
    }
    false
}

/// Whether one of the items of a tuple, no cell, is among the values.
fn has_values(operation: OperationRef, values: &HashSet<Key>) -> bool {
    let items = py::BuildTuple::of(operation).map(py::BuildTuple::elements);
    let mut items = items.unwrap_or_default().into_iter();
    items.any(|item| values.contains(&item.key()) && py::MakeCell::defining(item).is_none())
}

/// Whether an operation puts what it gets somewhere where it is found again, and does nothing else with it.
fn only_keeps(operation: OperationRef) -> bool {
    let is_kept = matches!(
        py::Op::of(operation),
        Some(
            py::Op::BuildTuple(_)
                | py::Op::CheckBound(_)
                | py::Op::LoadCell(_)
                | py::Op::MakeCell(_)
                | py::Op::MakeFunction(_)
                | py::Op::NewReference(_)
                | py::Op::StoreCell(_)
        )
    );
    is_kept || operation.is_terminator() && !operation.isa::<py::Return>()
}
