//! Common subexpressions across branches: `if a[i] > best: best = a[i]`.

use crate::{
    analysis::effects::{Footprint, any_alias},
    infra::{
        BlockExt, Builder, OperationExt, RegionExt,
        ops::{scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, operation::OperationLike};

/// Replaces an expression in a branch by an earlier equal one, and a load by an earlier equal one
/// if the loop doesn't write to the array: then the value that is compared and the one that is kept
/// are the same SSA value.
pub(super) fn forward<'c: 'a, 'a>(builder: &Builder<'c, 'a>, operation: scf::For<'c, 'a>) {
    let footprint = Footprint::of(*operation);
    for block in operation.nested_blocks() {
        visit(builder, &footprint, block, &mut Vec::new());
    }
}

/// `before` holds the operations that dominate the block.
fn visit<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    footprint: &Footprint<'c, 'a>,
    block: BlockRef<'c, 'a>,
    before: &mut Vec<OperationRef<'c, 'a>>,
) {
    let outside = before.len();
    for operation in block.operation_list() {
        let lasting = match typed::Load::of(operation) {
            Some(load) => !footprint.unknown && !any_alias(&footprint.writes, &[load.array()]),
            None => operation.is_pure() && !operation.is_terminator(),
        };
        if lasting && operation.region_list().is_empty() {
            match before.iter().find(|earlier| equal(**earlier, operation)) {
                Some(earlier) => builder.replace_op(operation, &earlier.result_values()),
                None => before.push(operation),
            }
            continue;
        }
        for region in operation.region_list() {
            region
                .block_list()
                .into_iter()
                .for_each(|inner| visit(builder, footprint, inner, before));
        }
    }
    before.truncate(outside);
}

fn equal<'c: 'a, 'a>(one: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) -> bool {
    one.full_name() == other.full_name()
        && one.operand_values() == other.operand_values()
        && one.result_types() == other.result_types()
        && one.attributes().eq(other.attributes())
}
