//! Prints intervals.

use super::tagged_values;
use crate::{
    analysis::interval::{Interval, Intervals},
    infra::{OptionSpec, PassContext, PassResult, PassSpec, ValueExt},
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `test-print-intervals` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reports the interval of the first result of each operation with a `tag`: as a \
                  number, and as an index, which may be known better.",
    options: &[OptionSpec::bool(
        "counting",
        "assume that no loop runs longer than a counter of 62 bits lasts",
        true,
    )],
    ..PassSpec::new("test-print-intervals", "print intervals of integers", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let mut intervals = match cx.options().bool("counting") {
        true => Intervals::default(),
        false => Intervals::without_counting(),
    };
    for (value, tag) in tagged_values(root) {
        let number = show(intervals.of(value));
        let index = show(intervals.of_index(value));
        let operation = value.defining_op().expect("a result was tagged");
        cx.remark(
            operation.location(),
            format!("'{tag}' is in {number}, as an index in {index}"),
        );
    }
    Ok(())
}

fn show(interval: Interval) -> String {
    format!("[{}, {}]", interval.low, interval.high)
}
