//! Copies of operations, and what values become in them.

use crate::infra::{Builder, OperationExt};
use melior::ir::{OperationRef, Value};

/// What values become in a copy.
pub(super) type Mapping<'c, 'a> = Vec<(Value<'c, 'a>, Value<'c, 'a>)>;

/// Copies an operation and notes what its results become.
pub(super) fn copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    mapping: &mut Mapping<'c, 'a>,
) {
    let copy = builder.clone_op(operation, mapping);
    let results = operation.result_values().into_iter();
    mapping.extend(results.zip(copy.result_values()));
}
