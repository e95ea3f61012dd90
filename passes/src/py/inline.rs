//! `py-inline`: puts functions marked `inline="always"` in the place of their calls.
//!
//! Numba's `InlineInlinables`: the body is inlined before inference, so each call is typed by
//! itself. A function that is inlined into itself without end is an error.

use super::{
    bindings::Bindings,
    inlining::{Default, Inlining},
};
use crate::{
    inference::function::dictionary_entry,
    infra::{
        AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, Report,
        Severity, StatisticSpec,
    },
};
use melior::ir::{OperationRef, operation::OperationLike};

/// How deep inlined functions may call each other.
const MAX_DEPTH: usize = 16;

/// `inline="always"`.
pub static PASS: PassSpec = PassSpec {
    description: "Calls of functions whose options say `inline = \"always\"` are replaced by their \
                  bodies, also in what is inlined. Calls in a protected range, and those whose \
                  arguments don't fit, are left to inference.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("inlined", "calls that were inlined")],
    ..PassSpec::new("py-inline", "inline functions that ask for it", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let operations = root
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list);
    let functions: Vec<_> = operations
        .filter(|operation| operation.is("py.func"))
        .collect();
    if !functions.iter().any(|function| is_inline(*function)) {
        return Ok(());
    }
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    for function in functions {
        let mut open: Vec<_> = calls(function.nested_blocks().into_iter());
        open.iter_mut().for_each(|(_, depth)| *depth = 1);
        while let Some((call, depth)) = open.pop() {
            let callee = bindings.callee(call.operand_value(0));
            let Some(callee) = callee.filter(|callee| is_inline(*callee)) else {
                continue;
            };
            // A function that calls itself stays a function that calls itself.
            if callee == function {
                continue;
            }
            if depth > MAX_DEPTH {
                let message = "functions with inline=\"always\" call each other without end";
                let report = Report::new(Severity::Error, call.location(), message);
                let note = "hint: leave out inline=\"always\" on one of them";
                return Err(cx.fail(report.note(call.location(), note)));
            }
            let defaults = |function: &_, index| default_of(function, index);
            if let Some(inlining) = Inlining::of(call, callee, &defaults)? {
                let made = inlining.apply(&builder);
                cx.bump("inlined", 1);
                let further = calls(made.into_iter()).into_iter();
                open.extend(further.map(|(call, _)| (call, depth + 1)));
            }
        }
    }
    Ok(())
}

fn default_of<'c, 'a>(
    function: &crate::inference::function::PyFunction<'c, 'a>,
    index: usize,
) -> Option<Default<'c, 'a>> {
    function.defaults[index].map(Default::Constant)
}

fn calls<'c: 'a, 'a>(
    blocks: impl Iterator<Item = melior::ir::BlockRef<'c, 'a>>,
) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let operations = blocks.flat_map(BlockExt::operation_list);
    operations
        .filter(|operation| operation.is("py.call"))
        .map(|call| (call, 0))
        .collect()
}

fn is_inline(function: OperationRef) -> bool {
    let inline = function
        .attr("options")
        .and_then(|options| dictionary_entry(options, "inline"));
    inline.and_then(AttributeExt::string_value) == Some("always")
}
