//! Prints affine forms.

use super::{name, tagged_values};
use crate::{
    analysis::affine::Sum,
    infra::{PassContext, PassResult, PassSpec, ValueExt},
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `test-print-affine` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reports the affine form of the first result of each operation with a `tag`.",
    ..PassSpec::new("test-print-affine", "print affine forms of integers", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    for (value, tag) in tagged_values(root) {
        let sum = Sum::of(value);
        let terms = sum.terms().into_iter().map(|(value, size_of, factor)| {
            let name = name(value);
            match size_of {
                Some(dimension) => format!("{factor} * size({name}, {dimension})"),
                None => format!("{factor} * {name}"),
            }
        });
        let mut parts: Vec<_> = terms.collect();
        parts.push(sum.number().to_string());
        let operation = value.defining_op().expect("a result was tagged");
        cx.remark(
            operation.location(),
            format!("'{tag}' is {}", parts.join(" + ")),
        );
    }
    Ok(())
}
