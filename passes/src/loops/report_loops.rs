//! Says which loops there are, and what is left in them that keeps them from being vectorised.
//!
//! LLVM says the same of what it can't vectorise, but of branches and calls of the runtime: what these
//! were in the program is known before they are lowered.

use crate::{
    analysis::nest::Nest,
    infra::{
        OperationAttributes, OperationExt, OperationInterfaces, OptionSpec, PassContext,
        PassResult, PassSpec,
        loop_annotations::is_plain,
        ops::{AnyOp, func, marks, scf, typed},
    },
    types::exception_classes,
};
use melior::ir::{OperationRef, operation::OperationLike};

/// The `typed-report-loops` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Remarks on every loop of a function: as what it was written. With `obstacles` \
        instead on what innermost loops hold that LLVM can't vectorise: exceptions, calls, new \
        arrays, and operations on containers and texts. Copies of loops that are for exceptional \
        values are left out: they are annotated not to be vectorised, or marked to have a copy \
        without checks. Changes nothing.",
    options: &[OptionSpec::bool(
        "obstacles",
        "tell what keeps loops from being vectorised",
        false,
    )],
    anchor: func::Func::NAME,
    ..PassSpec::new("typed-report-loops", "say which loops there are", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let obstacles = cx.options().bool("obstacles");
    for operation in function.pre_order().into_iter().filter(|one| one.is_loop()) {
        if !obstacles {
            cx.remark_on("loop", operation.location(), written(operation));
        } else if is_innermost(operation) && !is_for_exceptions(cx, operation) {
            report(cx, operation);
        }
    }
    Ok(())
}

/// What a loop was in the program.
fn written<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> String {
    match Nest::of(r#loop) {
        Some(nest) => format!("{} loop", nest.pattern),
        None if r#loop.isa::<scf::While>() => "while loop".into(),
        None => "for loop".into(),
    }
}

fn is_innermost<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> bool {
    !r#loop.pre_order()[1..].iter().any(|inner| inner.is_loop())
}

/// Whether a loop has a copy that runs in its place where nothing is exceptional.
fn is_for_exceptions<'c: 'a, 'a>(cx: &PassContext<'c>, r#loop: OperationRef<'c, 'a>) -> bool {
    r#loop.flag_attr(marks::HOISTED) || is_plain(cx.context(), r#loop)
}

/// Remarks on what a loop holds.
fn report<'c, 'a>(cx: &PassContext<'c>, r#loop: OperationRef<'c, 'a>) {
    for operation in r#loop.pre_order() {
        let (kind, message) = match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::RaiseIf(raise)) => {
                let names = exception_classes::names(raise.exception());
                let name = names.first().copied().unwrap_or("an exception");
                let said = raise.message().map(|message| format!(": {message}"));
                ("check", format!("{name}{}", said.unwrap_or_default()))
            }
            AnyOp::Typed(typed::Op::Call(call)) => ("call", callee(call)),
            AnyOp::Typed(typed::Op::Empty(_)) => ("allocation", "a new array".into()),
            _ if operation.is_loop()
                || operation.is_pure()
                || !operation.region_list().is_empty() =>
            {
                continue;
            }
            _ if operation.dialect() == "typed" && operation.cost().is_none() => {
                ("runtime", operation.full_name().to_owned())
            }
            _ => continue,
        };
        cx.remark_on(kind, operation.location(), message);
    }
}

/// The name of the function that is called: a symbol is one and the number of the specialisation.
fn callee(call: typed::Call) -> String {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let symbol = call.callee();
    match symbol.rsplit_once('.') {
        Some((name, number)) if is_number(number) => name.to_owned(),
        _ => symbol.to_owned(),
    }
}
