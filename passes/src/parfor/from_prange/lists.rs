//! Lists that are defined outside of a loop.

use crate::infra::{OperationExt, ValueExt};
use melior::ir::OperationRef;

/// Whether iterations append to, or otherwise change, a list that they share.
pub(super) fn grow<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    let shared = |name: &str, operand: usize| {
        operation
            .nested(name)
            .into_iter()
            .any(|one| !one.operand_value(operand).is_inside(operation))
    };
    shared("typed.list_push", 1)
        || shared("typed.list_reserve", 0)
        || shared("typed.list_truncate", 0)
}
