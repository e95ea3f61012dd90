//! How much code inlining a function at each of its calls makes.
//!
//! A function that calls an inner one twice, which calls another one twice, and so on, would be
//! copied twice as often with each of them.

use super::{
    capture::{Assignments, Capture},
    function_object::{FunctionObject, constant},
    inlining::Default,
};
use crate::infra::{OperationAttributes, OperationExt, ValueExt};
use melior::ir::OperationRef;
use std::collections::HashMap;

/// What is called more than once is a function of its own if its copies would have more operations.
const MOST_COPIED: usize = 2_000;

/// The sizes of functions with all that is inlined into them.
pub(super) struct Copies<'p, 'c, 'a> {
    functions: &'p HashMap<&'c str, OperationRef<'c, 'a>>,
    sizes: HashMap<&'c str, usize>,
    assignments: Assignments,
}

impl<'p, 'c: 'a, 'a> Copies<'p, 'c, 'a> {
    /// Prepares for functions by their symbols, as they are before anything is inlined.
    pub fn new(functions: &'p HashMap<&'c str, OperationRef<'c, 'a>>) -> Self {
        let mut copies = Self {
            functions,
            sizes: HashMap::new(),
            assignments: Assignments::default(),
        };
        for function in functions.values() {
            copies.size(*function);
        }
        copies
    }

    /// Whether copies of a function for so many calls are more than it is worth.
    pub fn are_too_many(&mut self, calls: usize, callee: OperationRef<'c, 'a>) -> bool {
        calls > 1 && calls.saturating_mul(self.size(callee)) > MOST_COPIED
    }

    /// The number of operations of a function with the functions that are inlined into it.
    fn size(&mut self, function: OperationRef<'c, 'a>) -> usize {
        let symbol = function.symbol_name().unwrap_or_default();
        if let Some(size) = self.sizes.get(symbol) {
            return *size;
        }
        let operations = function.pre_order();
        let own = operations.len();
        // A function that makes itself isn't inlined.
        self.sizes.insert(symbol, own);
        let mut size = own;
        for maker in operations {
            let code = maker
                .symbol_attr("code")
                .filter(|_| maker.is("py.make_function"));
            let Some(callee) = code.and_then(|code| self.functions.get(code)).copied() else {
                continue;
            };
            let calls = maker.result_value(0).uses().len();
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
        maker: OperationRef<'c, 'a>,
        parts: &FunctionObject<'c, 'a>,
        callee: OperationRef<'c, 'a>,
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
        callee.nested("py.free_cell").into_iter().all(|free| {
            let index = free.int_attr("index").unwrap_or_default() as usize;
            let Some(cell) = parts.cells.get(index).and_then(|cell| cell.defining_op()) else {
                return false;
            };
            if self.assignments.include(callee, index, self.functions) {
                return false;
            }
            if cell.is("py.make_cell") {
                let capture = Capture::new(maker, cell);
                return !capture.may_be_empty() && !capture.is_changed_in_use();
            }
            // A variable of a function further out, which becomes a parameter of this one.
            let mut uses = cell.result_value(0).uses().into_iter();
            cell.is("py.free_cell")
                && !uses.any(|one| {
                    one.operand == 0
                        && matches!(one.user.full_name(), "py.store_cell" | "py.delete_cell")
                })
        })
    }
}
