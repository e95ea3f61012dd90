//! Whether a function object may hold a variable's value in the place of its cell.

use super::edges::Edge;
use crate::infra::{BlockExt, Identity, Key, OperationExt, Use, ValueExt, ops::py};
use melior::ir::{BlockRef, OperationRef, Value};
use std::collections::{HashMap, HashSet};

/// Builtins whose results hold none of the functions or generators that they get.
const CONSUMERS: &[&str] = &[
    "all", "any", "bool", "float", "int", "len", "list", "max", "min", "sorted", "sum", "tuple",
];

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

    /// Whether the variable has the function itself and never anything else, but no value before it is made.
    pub fn is_function_itself(&self) -> bool {
        let [write] = self.writes.as_slice() else {
            return false;
        };
        let object = self.maker.result();
        self.cell.initial().is_none()
            && py::StoreCell::of(*write).is_some_and(|store| store.value() == object)
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
    pub fn is_changed_in_use(&self) -> bool {
        let holders = holders(self.maker.result());
        let parts = self.maker.parts().into_iter();
        let mut making: Vec<_> = parts.filter_map(ValueExt::defining_op).collect();
        making.push(*self.maker);
        let uses = |operation: OperationRef<'c, 'a>| {
            let mut operands = operation.operand_values().into_iter();
            // A function that calls itself is in its own closure, which is no use of it yet.
            operands.any(|operand| holders.contains(&operand.key())) && !making.contains(&operation)
        };
        self.writes
            .iter()
            .any(|write| reaches(*write, &|operation| operation == *self.maker, &uses))
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
/// one that ends the way.
fn reaches<'c: 'a, 'a>(
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
        let mut goes_on = true;
        for operation in operations {
            if wanted(operation) {
                return true;
            }
            if ends(operation) {
                goes_on = false;
                break;
            }
        }
        if goes_on {
            for next in block.successor_list() {
                if seen.insert(next.key()) {
                    open.push((next, next.operation_list()));
                }
            }
        }
    }
    false
}

/// The values that may hold a function object, directly or in something else.
fn holders(object: Value) -> HashSet<Key> {
    let mut holders = HashSet::from([object.key()]);
    let mut open = vec![object];
    while let Some(value) = open.pop() {
        let mut found = Vec::new();
        for one in value.uses() {
            let user = one.user;
            match py::Op::of(user) {
                Some(py::Op::SetItem(set)) => found.push(set.object()),
                Some(py::Op::SetAttr(set)) => found.push(set.object()),
                Some(py::Op::Extend(extend)) => found.push(extend.container()),
                // What is in a cell is in each closure that has the cell, too.
                Some(py::Op::StoreCell(store)) => found.push(store.cell()),
                Some(py::Op::Call(call)) if is_consumer(call) => {}
                Some(carrier) if carries(carrier) => {
                    // `list.append` and the like: the object of the method holds it.
                    let first = user.operand_values().first().copied();
                    let method = first.and_then(py::GetAttr::defining);
                    found.extend(method.map(|method| method.object()));
                    found.extend(user.result_values());
                }
                _ if user.is_terminator() => {
                    for edge in Edge::of(user) {
                        let arguments = edge.target.argument_values();
                        // The items of a tuple may be functions.
                        let items = &arguments[..edge.produced];
                        let is_iterated = user.isa::<py::ForIter>()
                            && one.operand == py::ForIter::ITERATOR_OPERAND;
                        found.extend(items.iter().filter(|_| is_iterated));
                        let passed = edge.passed(user).into_iter();
                        let pairs = passed.zip(&arguments[edge.produced..]);
                        let held = pairs.filter(|(operand, _)| *operand == value);
                        found.extend(held.map(|(_, argument)| *argument));
                    }
                }
                _ => {}
            }
        }
        open.extend(
            found
                .into_iter()
                .filter(|value| holders.insert(value.key())),
        );
    }
    holders
}

/// Whether an operation gives results that hold what it gets. Others compute something new of it.
fn carries(operation: py::Op) -> bool {
    matches!(
        operation,
        py::Op::BuildList(_)
            | py::Op::BuildTuple(_)
            | py::Op::Call(_)
            | py::Op::CallEx(_)
            | py::Op::CheckBound(_)
            | py::Op::GetIter(_)
            | py::Op::GetAttr(_)
            | py::Op::GetItem(_)
            | py::Op::ListToTuple(_)
            | py::Op::LoadCell(_)
            | py::Op::MakeCell(_)
            | py::Op::MakeFunction(_)
            | py::Op::NewReference(_)
            | py::Op::Unpack(_)
    )
}

/// Whether a call is one of a builtin that goes through what it gets at once.
fn is_consumer(call: py::Call) -> bool {
    let callee = py::Global::defining(call.callee());
    let name = callee.and_then(|callee| callee.binding().rsplit('.').next());
    name.is_some_and(|name| CONSUMERS.contains(&name))
}
