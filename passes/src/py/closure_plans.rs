//! Which variables inner functions get as parameters, where function objects may refer to each other.
//!
//! A free variable that is read when the function is made becomes a parameter. One that holds a function
//! object that is made later, or that refers to this one in turn, can't be: the function makes that object
//! itself, of the variables that it needs, which become parameters too.

use super::{capture::Capture, function_object::FunctionObject};
use crate::infra::{
    Identity, Key, OperationAttributes,
    ops::{marks, py},
};
use std::collections::HashMap;

/// The free variables of a function that no binding gives a meaning: their positions in its closure, and
/// their names.
pub(super) type FreeVariables<'c> = Vec<(usize, &'c str)>;

/// What a function gets for its free variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Captured<'c> {
    /// What become parameters: their names, and their positions in the closure, where they are its own.
    pub variables: Vec<(Option<usize>, &'c str)>,
    /// The variables that hold what the function makes.
    pub functions: Vec<Made<'c>>,
}

/// A free variable that always holds one function object.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Made<'c> {
    /// Its position in the closure.
    pub index: usize,
    pub name: &'c str,
    /// The function of the object.
    pub code: &'c str,
    /// Which of the parameters the object is made of.
    pub captured: Vec<usize>,
}

/// How a function object is converted.
pub(super) struct Plan<'c, 'a> {
    pub captured: Captured<'c>,
    /// The cells of the variables that become parameters.
    pub cells: Vec<py::MakeCell<'c, 'a>>,
    /// What assigns the variables that hold functions which are made anew.
    pub stores: Vec<py::StoreCell<'c, 'a>>,
}

/// A function object with its free variables.
struct Node<'c, 'a> {
    maker: py::MakeFunction<'c, 'a>,
    variables: Vec<Variable<'c, 'a>>,
}

struct Variable<'c, 'a> {
    index: usize,
    name: &'c str,
    cell: py::MakeCell<'c, 'a>,
    /// The number of the object that it always holds, and what assigns that.
    held: Option<(usize, py::StoreCell<'c, 'a>)>,
    /// Whether the function makes that object itself.
    is_made: bool,
}

/// The function objects that one refers to, directly or through others, which comes first.
pub(super) struct Plans<'c, 'a> {
    nodes: Vec<Node<'c, 'a>>,
}

impl<'c: 'a, 'a> Plans<'c, 'a> {
    /// Looks at a function object; `None` where a cell of it isn't known. `free` gives the free variables of
    /// a function.
    pub fn of(
        maker: py::MakeFunction<'c, 'a>,
        free: &mut dyn FnMut(&'c str) -> Option<FreeVariables<'c>>,
    ) -> Option<Self> {
        let mut plans = Self { nodes: Vec::new() };
        let mut numbers: HashMap<Key, usize> = HashMap::from([(maker.key(), 0)]);
        let mut waiting = vec![maker];
        let mut at = 0;
        while at < waiting.len() {
            let maker = waiting[at];
            at += 1;
            let cells = FunctionObject::of(maker)?.cells;
            let mut variables = Vec::new();
            for (index, name) in free(maker.code())? {
                let cell = py::MakeCell::defining(*cells.get(index)?)?;
                let held = Capture::new(maker, cell).function();
                // One that is converted already is a value like any other.
                let held = held.filter(|(_, other)| other.int_attr(marks::CAPTURES).is_none());
                let held = held.map(|(store, other)| {
                    let number = *numbers.entry(other.key()).or_insert_with(|| {
                        waiting.push(other);
                        waiting.len() - 1
                    });
                    (number, store)
                });
                variables.push(Variable {
                    index,
                    name,
                    cell,
                    held,
                    is_made: false,
                });
            }
            plans.nodes.push(Node { maker, variables });
        }
        plans.find_made();
        Some(plans)
    }

    /// Decides which function objects are made by others: those that may not be there yet, and those that
    /// refer to the other in turn.
    fn find_made(&mut self) {
        let refers: Vec<Vec<usize>> = self.nodes.iter().map(Node::held).collect();
        for (number, node) in self.nodes.iter_mut().enumerate() {
            for variable in &mut node.variables {
                variable.is_made = variable.held.is_some_and(|(held, _)| {
                    reachable(held, &refers).contains(&number)
                        || Capture::new(node.maker, variable.cell).may_be_empty()
                });
            }
        }
    }

    /// The plans of all that the first one refers to that way, by what makes them.
    pub fn into_plans(self) -> Vec<(py::MakeFunction<'c, 'a>, Plan<'c, 'a>)> {
        let made: Vec<Vec<usize>> = self.nodes.iter().map(Node::made).collect();
        let group = reachable(0, &made);
        let plans = group.iter().map(|&number| {
            let cells = self.cells(number, &made);
            let node = &self.nodes[number];
            let mut plan = Plan {
                captured: Captured::default(),
                cells: cells.iter().map(|(cell, _)| *cell).collect(),
                stores: Vec::new(),
            };
            plan.captured.variables = cells
                .iter()
                .map(|(cell, name)| (node.position(*cell), *name))
                .collect();
            for variable in node.variables.iter().filter(|one| one.is_made) {
                let Some((held, store)) = variable.held else {
                    continue;
                };
                let place = |(cell, _): &(py::MakeCell<'c, 'a>, _)| {
                    cells.iter().position(|(own, _)| own.key() == cell.key())
                };
                plan.captured.functions.push(Made {
                    index: variable.index,
                    name: variable.name,
                    code: self.nodes[held].maker.code(),
                    captured: self.cells(held, &made).iter().filter_map(place).collect(),
                });
                plan.stores.push(store);
            }
            (node.maker, plan)
        });
        plans.collect()
    }

    /// The cells that become parameters, with the names: its own, then those of what it makes.
    fn cells(&self, number: usize, made: &[Vec<usize>]) -> Vec<(py::MakeCell<'c, 'a>, &'c str)> {
        let mut cells: Vec<(py::MakeCell<'c, 'a>, &'c str)> = Vec::new();
        for number in reachable(number, made) {
            for variable in self.nodes[number]
                .variables
                .iter()
                .filter(|one| !one.is_made)
            {
                if cells
                    .iter()
                    .all(|(cell, _)| cell.key() != variable.cell.key())
                {
                    cells.push((variable.cell, variable.name));
                }
            }
        }
        cells
    }
}

impl<'c, 'a> Node<'c, 'a> {
    fn held(&self) -> Vec<usize> {
        let held = self.variables.iter().filter_map(|one| one.held);
        held.map(|(number, _)| number).collect()
    }

    fn made(&self) -> Vec<usize> {
        let made = self.variables.iter().filter(|one| one.is_made);
        made.filter_map(|one| one.held)
            .map(|(number, _)| number)
            .collect()
    }

    /// The position of a cell in the closure.
    fn position(&self, cell: py::MakeCell<'c, 'a>) -> Option<usize> {
        let own = self
            .variables
            .iter()
            .find(|one| one.cell.key() == cell.key());
        own.map(|one| one.index)
    }
}

/// What is reached from a node, itself first, in the order in which it is met.
fn reachable(start: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut found = vec![start];
    let mut at = 0;
    while at < found.len() {
        for &next in &edges[found[at]] {
            if !found.contains(&next) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_comes_once_and_itself_first() {
        let edges = [vec![2, 1], vec![0], vec![1], vec![]];
        assert_eq!(reachable(0, &edges), [0, 2, 1]);
        assert_eq!(reachable(3, &edges), [3]);
    }
}
