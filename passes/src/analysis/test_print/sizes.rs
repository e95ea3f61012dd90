//! Prints sizes of arrays.

use super::tagged_values;
use crate::{
    analysis::{shape::rank, sizes::Derivation},
    infra::{PassContext, PassResult, PassSpec, ValueExt},
};
use melior::ir::{OperationRef, operation::OperationLike};
use pyopt_dialects::typed::array_type;

/// The `test-print-sizes` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reports the sizes of the arrays and integers that operations with a `tag` give. \
                  Known numbers are printed; other sizes are called `s0`, `s1` and so on, equal ones \
                  alike.",
    ..PassSpec::new("test-print-sizes", "print sizes of arrays", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let mut known = Derivation::default();
    let mut classes = Vec::new();
    for (value, tag) in tagged_values(root) {
        let sizes: Vec<_> = match array_type(value.ty()) {
            Some(_) => (0..rank(value))
                .map(|dimension| known.dimension(value, dimension))
                .collect(),
            None => vec![known.value(value)],
        };
        let parts: Vec<_> = sizes
            .into_iter()
            .map(|size| match size.as_number() {
                Some(number) => number.to_string(),
                None => {
                    let at = classes.iter().position(|known| *known == size);
                    let at = at.unwrap_or_else(|| {
                        classes.push(size);
                        classes.len() - 1
                    });
                    format!("s{at}")
                }
            })
            .collect();
        let operation = value.defining_op().expect("a result was tagged");
        cx.remark(
            operation.location(),
            format!("'{tag}' has the size {}", parts.join(" x ")),
        );
    }
    Ok(())
}
