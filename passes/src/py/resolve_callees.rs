//! `py-resolve-callees`: says by symbol which Python function a call means.
//!
//! A plain Python function that compiled code calls is compiled as if it were decorated. A callee
//! may be written as an attribute of a module (`helpers.norm`): behind this pass it is a global
//! that is bound to the function, like a callee that is named directly.

use super::bindings::{Bindings, erase_known};
use crate::infra::{
    Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ops::py,
};
use melior::ir::OperationRef;

/// Callees by symbol.
pub static PASS: PassSpec = PassSpec {
    description: "A callee that is an attribute of a module and bound to a lifted function becomes \
                  a `py.global` of that binding.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("resolved", "callees that were resolved")],
    ..PassSpec::new(
        "py-resolve-callees",
        "resolve Python functions that are called",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let context = cx.context();
    let bindings = Bindings::read(context, root);
    let builder = Builder::new(context, root);
    for call in root.nested_ops::<py::Call>() {
        let callee = call.callee();
        let Some(attribute) = py::GetAttr::defining(callee) else {
            continue;
        };
        let owner = bindings.name_of(attribute.object());
        let (Some(owner), Some(_)) = (owner, bindings.callee(callee)) else {
            continue;
        };
        let name = format!("{owner}.{}", attribute.name());
        builder.before(*attribute);
        let global = py::Global::create(&builder, &name).result();
        let owner = attribute.object();
        builder.replace_op(*attribute, &[global]);
        erase_known([owner]);
        cx.bump("resolved", 1);
    }
    Ok(())
}
