//! `py-rewrite`: applies the rewrites that are registered for before inference.

use crate::{
    infra::{PassContext, PassResult, PassSpec},
    rewrite::{Point, STATISTICS, run_point},
};
use melior::ir::OperationRef;

/// The before-inference registry.
pub static PASS: PassSpec = PassSpec {
    description: "Applies every rewrite of the registry that runs before inference to every block, \
                  each until it no longer matches: those of this compiler, and those added from \
                  Rust or Python.",
    dialects: &["py"],
    statistics: STATISTICS,
    ..PassSpec::new("py-rewrite", "apply the rewrites for before inference", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    run_point(cx, root, Point::BeforeInference)
}
