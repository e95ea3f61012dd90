//! What was emitted and isn't needed.

use crate::infra::{BlockExt, OperationExt};
use melior::ir::OperationRef;

/// Erases what was emitted inside of an operation for values known at compile time and isn't needed
/// any more: users before what they use, and what is erased isn't looked into.
pub(super) fn erase_dead(outer: OperationRef) {
    for block in outer.nested_blocks().into_iter().rev() {
        for operation in block.operation_list().into_iter().rev() {
            match operation.is_trivially_dead() {
                true => operation.erase(),
                false => erase_dead(operation),
            }
        }
    }
}
