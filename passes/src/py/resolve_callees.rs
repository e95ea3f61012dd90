//! `py-resolve-callees`: says by symbol which Python function a call means.
//!
//! A plain Python function that compiled code calls is compiled as if it were decorated. A callee
//! may be written as an attribute of a module (`helpers.norm`): behind this pass it is a global
//! that is bound to the function, like a callee that is named directly.

use super::bindings::{Bindings, erase_known};
use crate::infra::{
    Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
    ValueExt,
};
use melior::ir::{OperationRef, attribute::FlatSymbolRefAttribute};

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
    for call in root.nested("py.call") {
        let callee = call.operand_value(0);
        let Some(attribute) = callee.defined_by("py.getattr") else {
            continue;
        };
        let owner = bindings.name_of(attribute.operand_value(0));
        let (Some(owner), Some(_)) = (owner, bindings.callee(callee)) else {
            continue;
        };
        let name = format!("{owner}.{}", attribute.str_attr("name").unwrap_or_default());
        let binding = FlatSymbolRefAttribute::new(context, &name).into();
        builder.before(attribute);
        let global = builder.value("py.global", &[], callee.ty(), &[("binding", binding)]);
        let owner = attribute.operand_value(0);
        builder.replace_op(attribute, &[global]);
        erase_known([owner]);
        cx.bump("resolved", 1);
    }
    Ok(())
}
