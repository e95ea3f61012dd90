//! `py-expand-chunksize`: `with parallel_chunksize(n):` becomes calls that set the size of parts.
//!
//! The context manager is known, so there need be no object: what enters it sets the size and keeps the old
//! one, which everything that leaves it sets again.

use super::{
    bindings::{Bindings, erase_known},
    known_contexts::{replace_entry, replace_exits},
};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt, StatisticSpec,
    ValueExt, ops::py,
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::py::PyAttribute;

/// The function that sets the size, and the symbol it is bound to.
const SETTER: &str = "pyopt.set_parallel_chunksize";

/// `with parallel_chunksize(n):`.
pub static PASS: PassSpec = PassSpec {
    description: "Entering the context of a call of `parallel_chunksize` becomes a call of \
                  `set_parallel_chunksize`, and leaving it, also by an exception, one that sets what \
                  was set before.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("expanded", "contexts that became calls")],
    ..PassSpec::new(
        "py-expand-chunksize",
        "make calls of with parallel_chunksize(…)",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let context = cx.context();
    let contexts = root.nested_ops::<py::EnterContext>();
    if contexts.is_empty() {
        return Ok(());
    }
    let bindings = Bindings::read(context, root);
    let builder = Builder::new(context, root);
    let mut expanded = 0;
    for enter in contexts {
        let manager = enter.manager();
        let call = py::Call::defining(manager).filter(|call| {
            bindings.is_ours(call.callee(), "parallel_chunksize") && manager.uses().len() == 1
        });
        if let Some(call) = call {
            expand(&builder, enter, call);
            expanded += 1;
        }
    }
    let first = root.region_at(0).entry().and_then(BlockExt::first);
    if let Some(first) = first.filter(|_| expanded > 0 && bindings.binding(SETTER).is_none()) {
        builder.before(first);
        let value = PyAttribute::Named(SETTER).to_attribute(context);
        py::Binding::create(&builder, SETTER, value);
        cx.bump("expanded", expanded);
    }
    Ok(())
}

fn expand<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    enter: py::EnterContext<'c, 'a>,
    call: py::Call<'c, 'a>,
) {
    let setter = || py::Global::create(builder, SETTER).result();
    let set = |size: Value<'c, 'a>| py::Call::create(builder, setter(), &[size]).result();

    // The arguments are the manager's, so that wrong ones are reported where they are written.
    builder.before(*call).at(call.location());
    let own = setter();
    let manager = call.callee();
    call.set_callee(own);
    erase_known([manager]);
    let before = call.result();

    replace_exits(builder, enter, &|| set(before));
    replace_entry(builder, enter, before);
}
