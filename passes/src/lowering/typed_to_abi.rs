//! Converts functions to the calling convention of compiled code: errors become status codes.

use super::{
    abi::{
        c_entry, catching, device, entry, launch::Launches, object, precondition, raising,
        sites::Sites,
    },
    emit::Emit,
    externals::Externals,
};
use crate::infra::{
    Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    ops::{AnyOp, func, marks, parfor, typed},
};
use melior::ir::{OperationRef, operation::OperationLike};

/// Errors to status codes, launches to calls of the scheduler, entry points.
pub static PASS: PassSpec = PassSpec {
    description: "A function that may raise gets the error record as last argument and a status \
                  as first result: 0, or the id of a site in the module's attribute \
                  `pyopt.sites`. `typed.raise_if` becomes a branch to a block that releases what \
                  is owned and returns the id; an exception that is a value is \
                  such an id and the owner of its arguments, and `typed.exc_match` looks up the id in a \
                  table; `typed.stack_exhausted` compares the address of \
                  the stack with the limit in the error record; `typed.call` checks the status and notes its own \
                  site; `parfor.launch` packs its operands for the scheduler and combines the \
                  parts' results in order, by calls where they have combiners, which go; `parfor.offload` passes the runtime the kernels' \
                  code, which is in the `gpu.binary` of the module that is marked `pyopt.device`, and its operands; what enters \
                  contexts of devices leaves them when an exception leaves the function; a function with `pyopt.object` calls the host, which finds \
                  what to run in the module's attribute `pyopt.objects`; one with `pyopt.linked` calls it with \
                  the address of that symbol. A function with `pyopt.signature` gets an entry point \
                  of the uniform C signature, one with `pyopt.c_entry` another one with C's calling convention. Runs on branches: after `lower-structured-control-flow`.",
    dialects: &[
        "arith", "builtin", "cf", "complex", "func", "llvm", "pyopt", "ub",
    ],
    ..PassSpec::new(
        "typed-to-abi",
        "turn errors into status codes and make entry points",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    precondition::require(cx, module)?;
    let builder = Builder::new(cx.context(), module);
    let externals = Externals::default();
    object::open(&builder, module)?;
    let raising = raising::raising_functions(module);
    let raises = |name: &str| raising.contains(name);
    let mut sites = Sites::new(cx.context(), module);
    let mut launches = Launches::new(cx, module, &raising);
    let functions = raising::functions(module);
    let image = device::take_image(module).map_err(|_| {
        let what = "LLVM's SPIR-V back end gave two blocks of a kernel one id: compile it again";
        cx.error(module.location(), what)
    })?;
    let entering = device::entering_functions(&functions);
    let mut host_functions = Vec::new();
    let mut matches = Vec::new();

    for &function in &functions {
        let body = function.pre_order();
        let raises_itself = raises(function.sym_name());
        let mut this = raising::Function::new(&builder, &externals, function, raises_itself)?;
        if entering.contains(function.sym_name()) {
            this.leave_contexts(function);
        }
        if object::is_host_function(function) {
            object::define(cx, &this, function, &host_functions)?;
            host_functions.push(function);
        }
        for operation in body {
            match AnyOp::of(operation) {
                AnyOp::Func(func::Op::Return(leave)) => this.rewrite_return(leave),
                AnyOp::Typed(typed::Op::RaiseIf(raise)) => this.rewrite_raise(raise, &mut sites),
                AnyOp::Typed(typed::Op::RaiseValueIf(raise)) => this.rewrite_raise_value(raise),
                AnyOp::Typed(typed::Op::Exception(exception)) => {
                    this.rewrite_exception(exception, &mut sites)?;
                }
                AnyOp::Typed(typed::Op::Catch(catch)) => this.rewrite_catch(catch, &mut sites),
                AnyOp::Typed(typed::Op::TryCall(call)) => {
                    this.rewrite_try_call(call, raises(call.callee()));
                }
                AnyOp::Typed(typed::Op::ExcMatch(r#match)) => matches.push(r#match),
                AnyOp::Typed(typed::Op::StackExhausted(check)) => {
                    this.rewrite_stack_exhausted(check);
                }
                AnyOp::Typed(typed::Op::Call(call)) => {
                    this.rewrite_call(call, raises(call.callee()), &mut sites);
                }
                AnyOp::Parfor(parfor::Op::Launch(launch)) => {
                    launches.rewrite(&this, launch, &mut sites)?;
                }
                AnyOp::Parfor(parfor::Op::Offload(offload)) => {
                    device::rewrite_offload(cx, &this, offload, image.as_deref(), &mut sites)?;
                }
                AnyOp::Parfor(parfor::Op::Fence(fence)) => {
                    device::rewrite_fence(&this, fence, &mut sites);
                }
                AnyOp::Parfor(parfor::Op::EnterDevice(enter)) => {
                    device::rewrite_enter(&this, enter, &mut sites);
                }
                AnyOp::Parfor(parfor::Op::LeaveDevice(leave)) => {
                    device::rewrite_leave(&this, leave);
                }
                _ => {}
            }
        }
    }

    object::finish(cx.context(), module, &host_functions)?;

    let emit = Emit::new(&builder, &externals);
    for combiner in module.nested_ops::<parfor::Combiner>() {
        combiner.erase();
    }
    for r#match in matches {
        catching::rewrite_match(&emit, r#match, &sites, !host_functions.is_empty());
    }
    for &function in &functions {
        if function.attr(marks::SIGNATURE).is_some() {
            let raises = raises(function.sym_name());
            if function.flag_attr(marks::C_ENTRY) {
                c_entry::define(cx, &emit, module, function, raises)?;
            }
            entry::define(cx, &emit, module, function, raises)?;
        }
    }
    if !raising.is_empty() {
        raising::define_trace(cx.context(), &emit, module);
    }
    sites.finish(module);
    externals.declare(&builder, module);
    Ok(())
}
