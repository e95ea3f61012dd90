//! Verifies the module.

use crate::infra::{PassContext, PassFailure, PassResult, PassSpec};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `verify-module` pass.
pub static PASS: PassSpec = PassSpec {
    description: "The tool verifies after each pass, unless it is told not to. The host's compiler \
                  does it where this pass stands, at the ends of stages: a tenth of the time of a \
                  first call went into the rest.",
    ..PassSpec::new("verify-module", "verify everything in the module", run)
};

fn run(_: &PassContext, module: OperationRef) -> PassResult {
    match module.verify() {
        true => Ok(()),
        false => Err(PassFailure::Reported),
    }
}
