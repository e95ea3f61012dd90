//! Runs passes where there is something for them to do.
//!
//! A conversion pass makes its patterns and sorts them before it looks at the module. For a function
//! of one expression that takes longer than what is converted, and few functions have operations of
//! every dialect.

use crate::infra::{OperationExt, OptionSpec, PassContext, PassResult, PassSpec};
use melior::ir::OperationRef;

/// The `run-for-dialect` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Runs a pipeline if there is an operation of a dialect, and otherwise does nothing.",
    anchor: "",
    options: &[
        OptionSpec::text("dialect", "the dialect", ""),
        OptionSpec::text("pipeline", "what runs if it is used", ""),
    ],
    dialects: &["arith", "func", "llvm"],
    ..PassSpec::new(
        "run-for-dialect",
        "run passes on what has operations of a dialect",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let dialect = cx.options().text("dialect");
    let mut operations = root.pre_order().into_iter();
    match operations.any(|operation| operation.dialect() == dialect) {
        true => cx.run_others(root, cx.options().text("pipeline")),
        false => Ok(()),
    }
}
