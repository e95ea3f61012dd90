//! Passes that say what an analysis finds, so that it can be tested by itself.
//!
//! Each reports by a remark on operations that carry a string attribute `tag`, under which later
//! remarks mention their results; an argument of a function is `arg0`, the induction variable of
//! the loop tagged `outer` is `outer.0`.

pub mod affine;
pub mod effects;
pub mod intervals;
pub mod iterator_loops;
pub mod liveness;
pub mod recurrence;
pub mod sizes;
pub mod work;

use crate::infra::{BlockExt, OperationAttributes, OperationExt, ValueExt};
use melior::ir::{OperationRef, Value};

/// The attribute that tells which operations are reported.
const TAG: &str = "tag";

/// The operations below one that have a tag, with it, in order.
fn tagged<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, &'c str)> {
    let all = root.pre_order().into_iter();
    all.filter_map(|operation| Some((operation, operation.str_attr(TAG)?)))
        .collect()
}

/// The first results of the tagged operations, with their tags.
fn tagged_values<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, &'c str)> {
    let tagged = tagged(root).into_iter();
    tagged
        .filter_map(|(operation, tag)| Some((*operation.result_values().first()?, tag)))
        .collect()
}

/// What remarks call a value.
fn name(value: Value) -> String {
    let tag = |operation: OperationRef| operation.str_attr(TAG).map(str::to_owned);
    match value.defining_op() {
        Some(operation) => tag(operation).unwrap_or_else(|| "?".into()),
        None => {
            let parent = value.defining_block().parent();
            match parent.and_then(tag) {
                Some(tag) => format!("{tag}.{}", value.position()),
                None => format!("arg{}", value.position()),
            }
        }
    }
}

/// The names of values, separated by commas.
fn names(values: &[Value]) -> String {
    let names: Vec<_> = values.iter().map(|value| name(*value)).collect();
    names.join(", ")
}
