//! How much code inlining a function at each of its calls makes.
//!
//! A function that calls an inner one twice, which calls another one twice, and so on, would be
//! copied twice as often with each of them.

use super::{
    capture::{Assignments, Capture, is_write},
    escapes::Escapes,
    function_object::{FunctionObject, constant},
    inlining::Default,
};
use crate::infra::{OperationExt, ValueExt, ops::py};
use std::collections::HashMap;

/// What is called more than once is a function of its own if its copies would have more operations.
const MOST_COPIED: usize = 2_000;

/// The sizes of functions with all that is inlined into them.
pub(super) struct Copies<'p, 'c, 'a> {
    functions: &'p HashMap<&'c str, py::Func<'c, 'a>>,
    sizes: HashMap<&'c str, usize>,
    assignments: Assignments,
    escapes: &'p Escapes<'c, 'a>,
}

impl<'p, 'c: 'a, 'a> Copies<'p, 'c, 'a> {
    /// Prepares for functions by their symbols, as they are before anything is inlined.
    pub fn new(
        functions: &'p HashMap<&'c str, py::Func<'c, 'a>>,
        escapes: &'p Escapes<'c, 'a>,
    ) -> Self {
        let mut copies = Self {
            functions,
            sizes: HashMap::new(),
            assignments: Assignments::default(),
            escapes,
        };
        for function in functions.values() {
            copies.size(*function);
        }
        copies
    }

    /// Whether copies of a function for so many calls are more than it is worth.
    pub fn are_too_many(&mut self, calls: usize, callee: py::Func<'c, 'a>) -> bool {
        calls > 1 && calls.saturating_mul(self.size(callee)) > MOST_COPIED
    }

    /// The number of operations of a function with the functions that are inlined into it.
    fn size(&mut self, function: py::Func<'c, 'a>) -> usize {
        let symbol = function.sym_name();
        if let Some(size) = self.sizes.get(symbol) {
            return *size;
        }
        let operations = function.pre_order();
        let own = operations.len();
        // A function that makes itself isn't inlined.
        self.sizes.insert(symbol, own);
        let mut size = own;
        for maker in operations.into_iter().filter_map(py::MakeFunction::of) {
            let Some(&callee) = self.functions.get(maker.code()) else {
                continue;
            };
            let calls = maker.result().uses().len();
            if !self.are_too_many(calls, callee) {
                size = size.saturating_add(calls.saturating_mul(self.size(callee)));
            }
        }
        self.sizes.insert(symbol, size);
        size
    }

    /// Whether `py-convert-closures` can make a function of its own of a function object.
    pub fn can_stay(
        &mut self,
        maker: py::MakeFunction<'c, 'a>,
        parts: &FunctionObject<'c, 'a>,
        callee: py::Func<'c, 'a>,
    ) -> bool {
        let is_constant = |default: &Default| match default {
            Default::Constant(_) => true,
            Default::Value(value) => constant(*value).is_some(),
        };
        let mut positional = parts.defaults.iter().flatten();
        let mut named = parts.keyword_defaults.iter().flatten();
        if !positional.all(is_constant) || !named.all(|(_, value)| constant(*value).is_some()) {
            return false;
        }
        let mut free = callee.nested_ops::<py::FreeCell>().into_iter();
        free.all(|free| {
            let index = free.index() as usize;
            let Some(cell) = parts.cells.get(index).and_then(|cell| cell.defining_op()) else {
                return false;
            };
            if self.assignments.include(callee, index, self.functions) {
                return false;
            }
            match py::Op::of(cell) {
                Some(py::Op::MakeCell(cell)) => {
                    let capture = Capture::new(maker, cell);
                    !capture.may_be_empty() && !capture.is_changed_in_use(self.escapes)
                }
                // A variable of a function further out, which becomes a parameter of this one.
                Some(py::Op::FreeCell(cell)) => !cell.result().uses().into_iter().any(is_write),
                _ => false,
            }
        })
    }
}
