//! Prints liveness.

use super::{TAG, name};
use crate::{
    analysis::liveness::Liveness,
    infra::{
        BlockExt, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
        ops::func,
    },
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `test-print-liveness` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Reports for each block of a function what is live at its start: of the function's \
                  arguments and the results of operations with a `tag`.",
    anchor: func::Func::NAME,
    ..PassSpec::new("test-print-liveness", "print what is live into blocks", run)
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    for region in function.region_list() {
        let blocks = region.block_list();
        let arguments = blocks.first().map(|entry| entry.argument_values());
        let mut values = arguments.unwrap_or_default();
        for operation in blocks.iter().flat_map(|block| block.operation_list()) {
            if operation.str_attr(TAG).is_some() {
                values.extend(operation.result_values());
            }
        }
        let liveness = Liveness::new(&blocks, values);
        for (at, block) in blocks.iter().enumerate() {
            let live = liveness.live_in(at).iter();
            let names: Vec<_> = live.map(|number| name(liveness.value(*number))).collect();
            let first = block.operation_list()[0];
            cx.remark(
                first.location(),
                format!("live into the block: {}", names.join(", ")),
            );
        }
    }
    Ok(())
}
