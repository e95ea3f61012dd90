//! What passes tell LLVM about a loop.
//!
//! Each text is the `loop_annotation` of an `scf.for`. As an attribute of the llvm dialect it stays
//! with the loop when that is lowered to branches.

use super::{Builder, OperationExt};
use melior::{
    Context,
    ir::{Attribute, OperationRef},
};

/// The attribute's name, which the lowering to branches knows.
const ANNOTATION: &str = "loop_annotation";

/// Loops are left as they are: neither vectorised nor unrolled.
pub(crate) const PLAIN: &str =
    "#llvm.loop_annotation<vectorize = <disable = true>, unroll = <disable = true>>";

/// A loop that is bound by memory is vectorised without interleaving, which would only add code.
pub(crate) const STREAM: &str =
    "#llvm.loop_annotation<vectorize = <disable = false>, interleave = <count = 1 : i32>>";

/// The epilogue is folded into the vector loop under a mask (tail folding), so that no scalar copy
/// of the body is left.
pub(crate) const PREDICATED: &str = "#llvm.loop_annotation<\
    vectorize = <disable = false, predicateEnable = true>, interleave = <count = 1 : i32>>";

/// Whether a loop is annotated to be left as it is.
pub(crate) fn is_plain<'c: 'a, 'a>(context: &'c Context, r#loop: OperationRef<'c, 'a>) -> bool {
    let annotation = r#loop.attr(ANNOTATION);
    annotation.is_some() && annotation == Attribute::parse(context, PLAIN)
}

/// Annotates a loop with one of the texts above.
pub(crate) fn annotate_loop<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
    annotation: &str,
) {
    let annotation = Attribute::parse(builder.context(), annotation);
    r#loop.set_attr(ANNOTATION, annotation.expect("the llvm dialect is loaded"));
}
