//! `py-static-raise`: the arguments of exceptions that are known to be constants become constants.
//!
//! Numba's `RewriteConstRaises`: compiled code raises an exception whose class and arguments are
//! known. What can never be raised is an error here.

use super::{
    Point, RewriteContext, RewriteSpec,
    static_getitem::{is_open, make_static},
};
use crate::infra::{AttributeExt, BlockExt, PassResult, PassSpec, Report, Severity, ops::py};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};

/// `raise ValueError(MESSAGE)` with the message as a constant.
pub static REWRITE: RewriteSpec = RewriteSpec {
    name: "py-static-raise",
    summary: "make the constant arguments of exceptions constants",
    description: "A message that is a constant on every path, also one put together of constants, \
                  becomes one `py.constant`. Raising a constant is an error.",
    point: Point::BeforeInference,
    roots: &[py::Raise::NAME],
    matches,
    apply,
};

/// The rewrite alone.
pub static PASS: PassSpec = REWRITE.pass();

fn matches<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Vec<OperationRef<'c, 'a>> {
    let exception = block.terminator_op().and_then(exception);
    let matching = exception.filter(|exception| {
        cx.constant(*exception).is_some() || !open_arguments(cx, *exception).is_empty()
    });
    matching.and(block.terminator_op()).into_iter().collect()
}

fn apply<'c, 'a>(cx: &RewriteContext<'_, 'c, 'a>, raise: OperationRef<'c, 'a>) -> PassResult {
    let Some(exception) = exception(raise) else {
        return Ok(());
    };
    if let Some(constant) = cx.constant(exception) {
        let message = "exceptions must derive from BaseException";
        let hint = match constant.string_value() {
            Some(text) => format!("hint: raise an exception with the text: RuntimeError({text:?})"),
            None => "hint: raise an exception class or an instance of one".into(),
        };
        let report = Report::new(Severity::Error, raise.location(), message);
        return Err(cx.cx.fail(report.note(raise.location(), hint)));
    }
    for (call, operand) in open_arguments(cx, exception) {
        make_static(cx, call, operand)?;
    }
    Ok(())
}

/// What a `py.raise` raises, if anything new.
fn exception<'c, 'a>(operation: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    py::Raise::of(operation)?.exception()
}

/// The arguments of the exception's constructor that are constants and not written as ones.
fn open_arguments<'c, 'a>(
    cx: &RewriteContext<'_, 'c, 'a>,
    exception: Value<'c, 'a>,
) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let Some(call) = py::Call::defining(exception) else {
        return Vec::new();
    };
    let arguments = call.args_range().zip(call.args());
    let open = arguments.filter(|(_, argument)| is_open(cx, *argument));
    open.map(|(operand, _)| (*call, operand)).collect()
}
