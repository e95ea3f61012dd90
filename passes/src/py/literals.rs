//! `py-literals`: `literally(x)` becomes the value that x is known to be.
//!
//! Numba's `FindLiterallyCalls`. There the dispatcher compiles again with the argument's value;
//! here a value must be known from the program, or from a literal type in `py.specialize`.

use super::{
    bindings::{Bindings, erase_known},
    fixup_args::known_value,
};
use crate::infra::{
    Builder, OperationExt, PassContext, PassResult, PassSpec, Report, Severity, StatisticSpec,
    ops::py,
};
use melior::ir::{OperationRef, operation::OperationLike};

/// `literally`.
pub static PASS: PassSpec = PassSpec {
    description: "A call of `literally` becomes the constant that its argument is on every path. \
                  An argument that is not known is an error.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new(
        "literals",
        "calls that became constants",
    )],
    ..PassSpec::new("py-literals", "replace literally() by constants", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    if !bindings.mentions("literally") {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), root);
    for call in root.nested_ops::<py::Call>() {
        let callee = call.callee();
        if !bindings.is_ours(callee, "literally") {
            continue;
        }
        let location = call.location();
        let &[argument] = call.args().as_slice() else {
            return Err(cx.error(location, "literally() takes one argument"));
        };
        if call.keywords().is_some() {
            return Err(cx.error(location, "literally() takes no keyword arguments"));
        }
        let Some(value) = known_value(&bindings, argument) else {
            let message = "literally() needs a value that is known when the function is compiled";
            let hint = "hint: make it a global constant, or a closure variable of the function";
            let report = Report::new(Severity::Error, location, message);
            return Err(cx.fail(report.note(location, hint)));
        };
        builder.before(*call);
        let constant = py::Constant::create(&builder, value).result();
        builder.replace_op(*call, &[constant]);
        erase_known([callee, argument]);
        cx.bump("literals", 1);
    }
    Ok(())
}
