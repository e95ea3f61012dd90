//! `py-expand-device-contexts`: `with device_context("…"):` becomes calls that enter and leave.

use super::{
    bindings::{Bindings, erase_known},
    known_contexts::{replace_entry, replace_exits},
};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt, Report,
    Severity, StatisticSpec, ValueExt, ops::py,
};
use melior::ir::{OperationRef, operation::OperationLike};
use pyopt_dialects::{enums::FunctionKind, py::PyAttribute};

/// The functions that enter and leave, and the symbols they are bound to.
const ENTER: &str = "pyopt.library.intrinsics.enter_device";
const LEAVE: &str = "pyopt.library.intrinsics.leave_device";

/// `with device_context("…"):`.
pub static PASS: PassSpec = PassSpec {
    description: "Entering the context of a call of `device_context` becomes a call of `enter_device` with the \
                  same arguments, and leaving it, also by an exception, one of `leave_device`. A generator that \
                  enters one is an error: what it is resumed by would be in that context, too.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("expanded", "contexts that became calls")],
    ..PassSpec::new(
        "py-expand-device-contexts",
        "make calls of with device_context(…)",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let contexts = root.nested_ops::<py::EnterContext>();
    if contexts.is_empty() {
        return Ok(());
    }
    let bindings = Bindings::read(cx.context(), root);
    let builder = Builder::new(cx.context(), root);
    let mut expanded = 0;
    for enter in contexts {
        let manager = enter.manager();
        let Some(call) = py::Call::defining(manager).filter(|call| {
            bindings.is_ours(call.callee(), "device_context") && manager.uses().len() == 1
        }) else {
            continue;
        };
        let refuse = |message| cx.fail(Report::new(Severity::Error, enter.location(), message));
        let function = enter.ancestor::<py::Func>();
        if function.is_some_and(|function| function.kind() == FunctionKind::Generator) {
            return Err(refuse("a generator can't enter a device_context"));
        }
        if enter.value().has_uses() {
            return Err(refuse(
                "device_context gives no value in compiled code: leave out 'as …'",
            ));
        }
        // The arguments are the manager's, so that wrong ones are reported where they are written.
        builder.before(*call).at(call.location());
        let manager = call.callee();
        call.set_callee(py::Global::create(&builder, ENTER).result());
        erase_known([manager]);
        replace_exits(&builder, enter, &|| {
            let leave = py::Global::create(&builder, LEAVE).result();
            py::Call::create(&builder, leave, &[]).result()
        });
        replace_entry(&builder, enter, call.result());
        expanded += 1;
    }
    cx.bump("expanded", expanded);
    let first = root.region_at(0).entry().and_then(BlockExt::first);
    if let Some(first) = first.filter(|_| expanded > 0) {
        for name in [ENTER, LEAVE] {
            if bindings.binding(name).is_none() {
                let value = PyAttribute::Named(name).to_attribute(cx.context());
                py::Binding::create(builder.before(first), name, value);
            }
        }
    }
    Ok(())
}
