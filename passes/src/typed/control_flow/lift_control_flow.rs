//! Turns control flow graphs into structured code.
//!
//! Upstream's `transformCFGToSCF` does the work. Raises and counted loops are dealt with before
//! (`typed-fold-raise`, `typed-range-to-for`), so that the rest has a single exit. Upstream's own
//! pass handles functions only and silently skips what it can't structure; here that is an error.

use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
    ops::{func, scf, typed},
};
use melior::ir::{OperationRef, RegionLike, RegionRef, operation::OperationLike};
use mlir_sys::MlirRegion;

/// Structures every region of a function.
pub static PASS: PassSpec = PassSpec {
    description: "Bodies of functions, of `stencil.apply` and of the `scf.execute_region`s that \
        `typed-range-to-for` makes become single blocks of `scf.if`, `scf.while` and \
        `scf.index_switch`; an `scf.execute_region` is gone afterwards. A region that can't be \
        structured is an error.",
    anchor: func::Func::NAME,
    dialects: &["arith", "scf", "ub", "cf"],
    ..PassSpec::new(
        "typed-lift-control-flow",
        "turn control flow graphs into structured code",
        run,
    )
};

// Structure.cpp
unsafe extern "C" {
    fn pyoptLiftControlFlow(region: MlirRegion) -> bool;
}

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), root);

    // Nested regions first, so that an inlined region has a single block.
    for operation in root.post_order() {
        if operation.region_list().is_empty() {
            continue;
        }
        for region in operation.region_list() {
            lift(cx, operation, region)?;
        }
        if let Some(region) = scf::ExecuteRegion::of(operation) {
            inline(&builder, region);
        }
    }
    Ok(())
}

/// Structures a region into a single block.
fn lift<'c>(
    cx: &PassContext<'c>,
    operation: OperationRef<'c, '_>,
    region: RegionRef<'c, '_>,
) -> PassResult {
    let blocks = region.block_list();
    if blocks.len() < 2 {
        return Ok(());
    }
    let terminators: Vec<_> = blocks
        .iter()
        .filter_map(|block| block.terminator_op())
        .collect();
    if let Some(iteration) = terminators.iter().find(|terminator| {
        use typed::Op::{ForIter, Raise, RaiseValue};
        let left = typed::Op::of(**terminator);
        matches!(left, Some(ForIter(_) | Raise(_) | RaiseValue(_)))
    }) {
        return Err(cx.error(
            iteration.location(),
            format!(
                "'{}' can't be structured: run typed-fold-raise and typed-range-to-for first",
                iteration.full_name()
            ),
        ));
    }

    let location = terminators
        .first()
        .map_or(operation.location(), |terminator| terminator.location());
    // SAFETY: the region is valid; nothing of it is used after this.
    if unsafe { pyoptLiftControlFlow(region.to_raw()) } {
        Ok(())
    } else {
        Err(cx.error(location, "control flow can't be structured"))
    }
}

/// Inlines the single block of an operation's region in place of the operation.
fn inline<'c: 'a, 'a>(builder: &Builder<'c, 'a>, operation: scf::ExecuteRegion<'c, 'a>) {
    let Some(block) = operation.region().entry() else {
        return;
    };
    let Some(last) = block.terminator_op() else {
        return;
    };
    let values = last.operand_values();
    builder.inline_block(block, *operation, &[]);
    builder.replace_op(*operation, &values);
    last.erase();
}
