//! Erasing what became dead, transitively.

use super::key::{Identity, Key};
use super::{OperationExt, ValueExt};
use melior::ir::{OperationRef, Value};
use std::collections::HashSet;

/// Erases what computes `values` where nobody uses it any more, then what only that used, and so on, as far
/// as `may_go` allows. The values may be the same or depend on each other: each operation is erased
/// once, and none is looked at after that.
pub fn erase_unused<'c: 'a, 'a>(
    values: impl IntoIterator<Item = Value<'c, 'a>>,
    may_go: impl Fn(OperationRef<'c, 'a>) -> bool,
) {
    let mut open = Open::default();
    open.extend(values);
    while let Some(operation) = open.pop() {
        // What holds others would take those along that wait here.
        if operation.is_unused() && operation.region_list().is_empty() && may_go(operation) {
            open.extend(operation.operand_values());
            operation.erase();
        }
    }
}

/// The operations to look at, each once at a time. One that is still used is looked at again when the
/// last of its users goes.
#[derive(Default)]
struct Open<'c, 'a> {
    stack: Vec<OperationRef<'c, 'a>>,
    /// The addresses of those on the stack.
    waiting: HashSet<Key>,
}

impl<'c: 'a, 'a> Open<'c, 'a> {
    fn extend(&mut self, values: impl IntoIterator<Item = Value<'c, 'a>>) {
        for operation in values.into_iter().filter_map(ValueExt::defining_op) {
            if self.waiting.insert(operation.key()) {
                self.stack.push(operation);
            }
        }
    }

    fn pop(&mut self) -> Option<OperationRef<'c, 'a>> {
        let operation = self.stack.pop()?;
        self.waiting.remove(&operation.key());
        Some(operation)
    }
}
