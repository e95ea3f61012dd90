//! `py-inline`: puts functions marked `inline="always"` in the place of their calls.
//!
//! Numba's `InlineInlinables`: the body is inlined before inference, so each call is typed by
//! itself. A function that is inlined into itself without end is an error.

use super::{
    bindings::Bindings,
    inlining::{Default, Inlining},
};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, Report,
    Severity, StatisticSpec, ValueExt, dictionary_entry, ops::py,
};
use melior::ir::{BlockRef, OperationRef, operation::OperationLike};

/// How deep inlined functions may call each other.
const MAX_DEPTH: usize = 16;

/// `inline="always"`.
pub static PASS: PassSpec = PassSpec {
    description: "Calls of functions whose options say `inline = \"always\"` are replaced by their \
                  bodies, also in what is inlined; in a protected range their exceptions go to the \
                  handler. Calls whose arguments don't fit, and functions that do more with free \
                  variables than to read them, are left to inference.",
    dialects: &["py", "cf"],
    statistics: &[StatisticSpec::new("inlined", "calls that were inlined")],
    ..PassSpec::new("py-inline", "inline functions that ask for it", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let operations = root
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list);
    let functions: Vec<_> = operations.filter_map(py::Func::of).collect();
    if !functions.iter().any(|function| is_inline(*function)) {
        return Ok(());
    }
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    for function in functions {
        let mut open: Vec<_> = calls(function.nested_blocks().into_iter());
        open.iter_mut().for_each(|(_, depth)| *depth = 1);
        while let Some((call, depth)) = open.pop() {
            let callee = bindings.callee(call.callee());
            let Some(callee) =
                callee.filter(|callee| is_inline(*callee) && reads_free_variables_alone(*callee))
            else {
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
                made.iter()
                    .for_each(|block| bind_free_variables(&builder, *block));
                cx.bump("inlined", 1);
                let further = calls(made.into_iter()).into_iter();
                open.extend(further.map(|(call, _)| (call, depth + 1)));
            }
        }
    }
    Ok(())
}

/// Whether a function does no more with its free variables than to read them: they are then what
/// they are bound to, wherever the body is.
pub(super) fn reads_free_variables_alone<'c: 'a, 'a>(function: py::Func<'c, 'a>) -> bool {
    let cells = function.nested_ops::<py::FreeCell>().into_iter();
    let mut users = cells.flat_map(|cell| cell.result().users());
    users.all(|user| user.isa::<py::LoadCell>())
}

/// Reads of free variables, in a copy of a body, become reads of their bindings.
pub(super) fn bind_free_variables<'c: 'a, 'a>(builder: &Builder<'c, 'a>, block: BlockRef<'c, 'a>) {
    let operations = block.operation_list().into_iter();
    // Before any is erased: the reads stand in the same block.
    let cells: Vec<_> = operations.filter_map(py::FreeCell::of).collect();
    for cell in cells {
        for load in cell.result().users() {
            builder.before(load).at(load.location());
            let value = py::Global::create(builder, cell.binding()).result();
            builder.replace_op(load, &[value]);
        }
        cell.erase();
    }
}

/// The default of a parameter that the function's definition says.
pub(super) fn default_of<'c, 'a>(
    function: &crate::py::function::PyFunction<'c, 'a>,
    index: usize,
) -> Option<Default<'c, 'a>> {
    function.defaults[index].map(Default::Constant)
}

fn calls<'c: 'a, 'a>(
    blocks: impl Iterator<Item = BlockRef<'c, 'a>>,
) -> Vec<(py::Call<'c, 'a>, usize)> {
    let operations = blocks.flat_map(BlockExt::operation_list);
    operations
        .filter_map(py::Call::of)
        .map(|call| (call, 0))
        .collect()
}

fn is_inline(function: py::Func) -> bool {
    let inline = function
        .options()
        .and_then(|options| dictionary_entry(options, "inline"));
    inline.and_then(AttributeExt::string_value) == Some("always")
}
