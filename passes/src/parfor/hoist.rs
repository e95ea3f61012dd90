//! Loop-invariant code motion out of parallel loops.

use super::diagnostics::described;
use crate::{
    analysis::nest::Nest,
    infra::{
        Builder, OperationExt, PassContext, PassResult, PassSpec, REMARKS, StatisticSpec, ValueExt,
        ops::{func, typed},
    },
    types::number::Number,
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `parfor-hoist` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A pure operation on numbers in a `parfor.loop`, also in branches and inner loops, \
                  whose operands all come from outside goes before the loop. Constants stay: the \
                  outlined body makes its own.",
    anchor: func::Func::NAME,
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "hoisted",
        "operations moved before a loop",
    )],
    ..PassSpec::new(
        "parfor-hoist",
        "move invariant operations out of parallel loops",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    // Inner loops first: what is hoisted out of one may be hoisted out of its parent too.
    for operation in function.post_order() {
        let Some(nest) = Nest::of(operation) else {
            continue;
        };
        for inside in operation.pre_order() {
            if !is_invariant(&builder, inside, operation) {
                continue;
            }
            builder.move_before(inside, operation);
            cx.bump("hoisted", 1);
            if cx.options().bool(REMARKS.name) {
                let message = format!("hoisted {} out of {}", kind(inside), described(&nest));
                cx.remark_on("hoisted", inside.location(), message);
            }
        }
    }
    Ok(())
}

/// Whether an operation is invariant in the loop it is in, and may be executed even if there are no
/// iterations.
fn is_invariant<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
) -> bool {
    let operands = operation.operand_values();
    operation.is_pure()
        && !operation.is_terminator()
        && operation.region_list().is_empty()
        && !operands.is_empty()
        && operands.into_iter().all(|value| !value.is_inside(r#loop))
        && operation
            .result_types()
            .into_iter()
            .all(|r#type| Number::of(r#type).is_some() || r#type == builder.index_type())
}

/// An operation by its kind, such as `sqrt`, or else by its name.
fn kind<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> String {
    let kind = match typed::Op::of(operation) {
        Some(typed::Op::Unary(unary)) => unary.kind().name(),
        Some(typed::Op::Binary(binary)) => binary.kind().name(),
        Some(typed::Op::Compare(compare)) => compare.kind().name(),
        _ => operation.full_name(),
    };
    kind.to_owned()
}
