//! An out-of-tree tool: everything in `pyopt` and one pass more.
//!
//! A crate that depends on `pyopt-passes` needs no more than this for its own mlir-opt. The lit
//! tests of the pass infrastructure run it.

use melior::ir::{
    OperationRef,
    operation::{OperationLike, WalkOrder, WalkResult},
};
use pyopt_passes::{
    infra::{OptionSpec, PassContext, PassResult, PassSpec, StatisticSpec},
    tool::{self, Extension},
};

static COUNT_OPS: PassSpec = PassSpec {
    anchor: "",
    options: &[
        OptionSpec::text("name", "the operation to count; all when empty", ""),
        OptionSpec::int("limit", "more operations than this fail the pass", i64::MAX),
        OptionSpec::bool("report", "write a remark with the number", false),
    ],
    statistics: &[StatisticSpec::new("counted", "operations counted")],
    ..PassSpec::new("example-count-ops", "count operations", count_ops)
};

fn count_ops(cx: &PassContext, root: OperationRef) -> PassResult {
    let wanted = cx.options().text("name");
    let limit = cx.options().int("limit");
    let mut count = 0;
    root.walk(WalkOrder::PreOrder, |operation| {
        let name = operation.name();
        if wanted.is_empty() || name.as_string_ref().as_str() == Ok(wanted) {
            count += 1;
        }
        WalkResult::Advance
    });
    cx.bump("counted", count as u64);

    // A bug in a pass is no more than a failed pass.
    assert!(limit >= 0, "a limit of {limit} makes no sense");
    if count > limit {
        return Err(cx.error(
            root.location(),
            format!("{count} operations are more than {limit}"),
        ));
    }
    if cx.options().bool("report") {
        cx.remark(root.location(), format!("{count} operations"));
    }
    Ok(())
}

fn main() {
    tool::main(
        "extended-opt",
        Extension {
            passes: &[&COUNT_OPS],
            ..Extension::default()
        },
    )
}
