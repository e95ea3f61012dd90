//! `py-resolve-names`: attributes of the program's own modules and classes become globals.
//!
//! `settings.LIMIT` and `helpers.norm(x)` are known when a function is compiled, as globals are. The
//! host binds what a dotted name means to a symbol that ends with it; what isn't bound is left as it
//! is, an attribute of a value or of a host's module.

use super::bindings::{Bindings, dotted_symbol, erase_known};
use crate::infra::{
    Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ops::py,
};
use melior::ir::OperationRef;

/// Dotted names.
pub static PASS: PassSpec = PassSpec {
    description: "A chain of attributes of a global or free variable becomes a `py.global` where \
                  its dotted name, such as `settings.LIMIT`, is bound.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("resolved", "names that became globals")],
    ..PassSpec::new(
        "py-resolve-names",
        "resolve attributes of modules and classes",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    for attribute in root.nested_ops::<py::GetAttr>() {
        let symbol = dotted_symbol(attribute.result());
        let Some(symbol) = symbol.filter(|symbol| bindings.binding(symbol).is_some()) else {
            continue;
        };
        let object = attribute.object();
        builder.before(*attribute);
        let global = py::Global::create(&builder, &symbol).result();
        builder.replace_op(*attribute, &[global]);
        erase_known([object]);
        cx.bump("resolved", 1);
    }
    Ok(())
}
