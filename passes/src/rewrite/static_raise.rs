//! `py-static-raise`: the arguments of exceptions that are known to be constants become constants.
//!
//! Numba's `RewriteConstRaises`: compiled code raises an exception whose class and arguments are
//! known. What can never be raised is an error here.

use super::{Point, RewriteContext, RewriteSpec, static_getitem::make_static};
use crate::{
    infra::{
        AttributeExt, BlockExt, OperationExt, PassResult, PassSpec, Report, Severity, ValueExt,
    },
    lowering::segment_sizes,
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};

/// `raise ValueError(MESSAGE)` with the message as a constant.
pub static REWRITE: RewriteSpec = RewriteSpec {
    name: "py-static-raise",
    summary: "make the constant arguments of exceptions constants",
    description: "A message that is a constant on every path, also one put together of constants, \
                  becomes one `py.constant`. Raising a constant is an error.",
    point: Point::BeforeInference,
    roots: &["py.raise"],
    matches,
    apply,
};

/// The rewrite alone.
pub static PASS: PassSpec = REWRITE.pass();

fn matches<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Vec<OperationRef<'c, 'a>> {
    let raise = block
        .terminator_op()
        .filter(|operation| operation.is("py.raise"));
    let matching = raise.filter(|raise| {
        let Some(exception) = exception(*raise) else {
            return false;
        };
        cx.constant(exception).is_some() || !open_arguments(cx, *raise).is_empty()
    });
    matching.into_iter().collect()
}

fn apply<'c, 'a>(cx: &RewriteContext<'_, 'c, 'a>, raise: OperationRef<'c, 'a>) -> PassResult {
    if let Some(constant) = exception(raise).and_then(|exception| cx.constant(exception)) {
        let message = "exceptions must derive from BaseException";
        let hint = match constant.string_value() {
            Some(text) => format!("hint: raise an exception with the text: RuntimeError({text:?})"),
            None => "hint: raise an exception class or an instance of one".into(),
        };
        let report = Report::new(Severity::Error, raise.location(), message);
        return Err(cx.cx.fail(report.note(raise.location(), hint)));
    }
    for (call, operand) in open_arguments(cx, raise) {
        make_static(cx, call, operand)?;
    }
    Ok(())
}

/// What is raised, if anything new. Operands for a handler may follow.
fn exception<'c, 'a>(raise: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    (segment_sizes(raise).first() == Some(&1)).then(|| raise.operand_value(0))
}

/// The arguments of the exception's constructor that are constants and not written as ones.
fn open_arguments<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    raise: OperationRef<'c, 'a>,
) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let Some(call) = exception(raise).and_then(|exception| exception.defined_by("py.call")) else {
        return Vec::new();
    };
    let operands = call.operand_values();
    let open = (1..operands.len()).filter(|&index| {
        operands[index].defined_by("py.constant").is_none()
            && cx.constant(operands[index]).is_some()
    });
    open.map(|index| (call, index)).collect()
}
