//! Reports operations that weren't lowered.

use crate::infra::{OperationExt, PassContext, PassResult, PassSpec};
use melior::ir::{OperationRef, operation::OperationLike};

/// An error for every operation that isn't LLVM's.
pub static PASS: PassSpec = PassSpec {
    description: "The end of `finalize-to-llvm`: LLVM's translation ends the process on what it \
                  doesn't know, so what is left of other dialects is a located error here.",
    ..PassSpec::new(
        "require-llvm",
        "report every operation that is not of the llvm dialect",
        require_llvm,
    )
};

/// Fails with an error for each operation that LLVM's translation doesn't know.
pub(super) fn require_llvm<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let mut result = Ok(());
    for operation in module.pre_order().into_iter().skip(1) {
        if operation.dialect() != "llvm" {
            let message = format!("'{}' has no lowering to LLVM", operation.full_name());
            result = Err(cx.error(operation.location(), message));
        }
    }
    result
}
