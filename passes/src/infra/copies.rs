//! Cloning operations with a mapping of values.

use crate::infra::{Builder, OperationExt};
use melior::ir::{OperationRef, Value};

/// From original values to their clones.
pub(crate) type Mapping<'c, 'a> = Vec<(Value<'c, 'a>, Value<'c, 'a>)>;

/// Clones an operation and maps its results.
pub(crate) fn copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    mapping: &mut Mapping<'c, 'a>,
) {
    let copy = builder.clone_op(operation, mapping);
    let results = operation.result_values().into_iter();
    mapping.extend(results.zip(copy.result_values()));
}
