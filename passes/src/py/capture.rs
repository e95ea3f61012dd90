//! Whether a function object may hold a variable's value in the place of its cell.

use super::edges::Edge;
use crate::infra::{BlockExt, OperationAttributes, OperationExt, ValueExt};
use melior::ir::{BlockLike, BlockRef, OperationRef, Value};
use std::collections::{HashMap, HashSet};

/// Builtins whose results hold none of the functions or generators that they get.
const CONSUMERS: &[&str] = &[
    "all", "any", "bool", "float", "int", "len", "list", "max", "min", "sorted", "sum", "tuple",
];

/// Operations that give results that hold what they get. Others compute something new of it.
const CARRIERS: &[&str] = &[
    "py.build_list",
    "py.build_tuple",
    "py.call",
    "py.call_ex",
    "py.check_bound",
    "py.get_iter",
    "py.getattr",
    "py.getitem",
    "py.list_to_tuple",
    "py.load_cell",
    "py.make_cell",
    "py.make_function",
    "py.new_reference",
    "py.unpack",
];

/// A cell of one function in the closure of another.
pub(super) struct Capture<'c, 'a> {
    maker: OperationRef<'c, 'a>,
    cell: OperationRef<'c, 'a>,
    writes: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Capture<'c, 'a> {
    /// The cell of a `py.make_cell` in the closure of a `py.make_function`.
    pub fn new(maker: OperationRef<'c, 'a>, cell: OperationRef<'c, 'a>) -> Self {
        let users = cell.result_value(0).uses().into_iter();
        let writes = users.filter(|one| {
            one.operand == 0 && matches!(one.user.full_name(), "py.store_cell" | "py.delete_cell")
        });
        Self {
            maker,
            cell,
            writes: writes.map(|one| one.user).collect(),
        }
    }

    /// Whether the function can be made while the variable has no value.
    pub fn may_be_empty(&self) -> bool {
        let is_emptied = |write: &OperationRef| write.is("py.delete_cell");
        let empties = self.writes.iter().copied().filter(is_emptied);
        let starts = (self.cell.operand_values().is_empty()).then_some(self.cell);
        starts.into_iter().chain(empties).any(|start| {
            let is_stored = |operation: OperationRef<'c, 'a>| {
                operation.is("py.store_cell") && self.writes.contains(&operation)
            };
            reaches(start, &is_stored, &|operation| operation == self.maker)
        })
    }

    /// Whether the variable can be assigned between the making of the function and its last use.
    pub fn is_changed_in_use(&self) -> bool {
        let holders = holders(self.maker.result_value(0));
        let uses = |operation: OperationRef<'c, 'a>| {
            let mut operands = operation.operand_values().into_iter();
            operands.any(|operand| holders.contains(&key(operand)))
        };
        self.writes
            .iter()
            .any(|write| reaches(*write, &|operation| operation == self.maker, &uses))
    }
}

/// Which free variables functions assign to. Inlining and converting functions doesn't change it, so it is
/// found out once: a function may make another one often, which makes a third one often.
#[derive(Default)]
pub(super) struct Assignments {
    known: HashMap<(usize, usize), bool>,
}

impl Assignments {
    /// Whether a function, or one that is made in it, assigns to a free variable.
    pub fn include(
        &mut self,
        function: OperationRef,
        index: usize,
        functions: &HashMap<&str, OperationRef>,
    ) -> bool {
        let variable = (function.to_raw().ptr as usize, index);
        if let Some(known) = self.known.get(&variable) {
            return *known;
        }
        let cells = function.nested("py.free_cell").into_iter();
        let cells = cells.filter(|cell| cell.int_attr("index") == Some(index as i64));
        let mut uses = cells.flat_map(|cell| cell.result_value(0).uses());
        let found = uses.any(|one| match one.user.full_name() {
            "py.store_cell" | "py.delete_cell" => one.operand == 0,
            // The closure of another function.
            "py.build_tuple" => one.user.result_value(0).users().into_iter().any(|maker| {
                let inner = maker.symbol_attr("code");
                let inner = inner.and_then(|code| functions.get(code));
                inner.is_some_and(|inner| self.include(*inner, one.operand, functions))
            }),
            _ => false,
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
    let mut seen: HashSet<usize> = HashSet::new();
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
                if seen.insert(block_key(next)) {
                    open.push((next, next.operation_list()));
                }
            }
        }
    }
    false
}

/// The values that may hold a function object, directly or in something else.
fn holders(object: Value) -> HashSet<usize> {
    let mut holders = HashSet::from([key(object)]);
    let mut open = vec![object];
    while let Some(value) = open.pop() {
        let mut found = Vec::new();
        for one in value.uses() {
            let user = one.user;
            match user.full_name() {
                // What is in a cell is in each closure that has the cell, too.
                "py.setitem" | "py.setattr" | "py.extend" | "py.store_cell" => {
                    found.push(user.operand_value(0));
                }
                "py.call" if is_consumer(user) => {}
                name if CARRIERS.contains(&name) => {
                    // `list.append` and the like: the object of the method holds it.
                    let method = user.operand_value(0).defined_by("py.getattr");
                    found.extend(method.map(|method| method.operand_value(0)));
                    found.extend(user.result_values());
                }
                _ if user.is_terminator() => {
                    for edge in Edge::of(user) {
                        let arguments = edge.target.argument_values();
                        // The items of a tuple may be functions.
                        let items = &arguments[..edge.produced];
                        let is_iterated = user.is("py.for_iter") && one.operand == 0;
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
                .filter(|value| holders.insert(key(*value))),
        );
    }
    holders
}

/// Whether a call is one of a builtin that goes through what it gets at once.
fn is_consumer(call: OperationRef) -> bool {
    let callee = call.operand_value(0).defined_by("py.global");
    let symbol = callee.and_then(|callee| callee.symbol_attr("binding"));
    let name = symbol.and_then(|symbol| symbol.rsplit('.').next());
    name.is_some_and(|name| CONSUMERS.contains(&name))
}

fn key(value: Value) -> usize {
    melior::ir::ValueLike::to_raw(&value).ptr as usize
}

fn block_key(block: BlockRef) -> usize {
    BlockLike::to_raw(&block).ptr as usize
}
