//! `typed-rewrite`: applies the rewrites that are registered for after inference.

use crate::{
    infra::{PassContext, PassResult, PassSpec},
    rewrite::{Point, STATISTICS, run_point},
};
use melior::ir::OperationRef;

/// The after-inference registry.
pub static PASS: PassSpec = PassSpec {
    description: "Applies every rewrite of the registry that runs after inference to every block, \
                  each until it no longer matches. The types of the values are the type map.",
    dialects: &["typed", "arith"],
    statistics: STATISTICS,
    ..PassSpec::new(
        "typed-rewrite",
        "apply the rewrites for after inference",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    run_point(cx, root, Point::AfterInference)
}
