//! Makes LLVM's IR of kernels, for devices that compile it themselves.

use super::require_llvm::require_llvm;
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
    ops::{builtin, marks},
};
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMDisposeMessage, LLVMDisposeModule,
    LLVMPrintModuleToString,
};
use melior::ir::{OperationRef, attribute::StringAttribute, operation::OperationLike};
use mlir_sys::mlirTranslateModuleToLLVMIR;
use std::ffi::CStr;

/// The `kernels-to-llvm-ir` pass.
pub static PASS: PassSpec = PassSpec {
    description: "The module's functions go, and it gets their LLVM IR as text in the attribute `pyopt.image`.",
    anchor: builtin::Module::NAME,
    ..PassSpec::new("kernels-to-llvm-ir", "make LLVM's IR of kernels", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    require_llvm(cx, module)?;
    let Some(text) = translate(module) else {
        return Err(cx.error(
            module.location(),
            "the kernels can't be translated to LLVM's IR",
        ));
    };
    let builder = Builder::new(cx.context(), module);
    let body = module.region_at(0).entry().expect("a module has a block");
    for operation in body.operation_list() {
        builder.erase_op(operation);
    }
    module.set_attr(marks::IMAGE, StringAttribute::new(cx.context(), &text));
    Ok(())
}

/// The LLVM IR of a module in which only LLVM's dialect is left; `None` if the translation fails.
fn translate(module: OperationRef) -> Option<String> {
    // SAFETY: the context is fresh, and goes behind the module that is made in it; the message is copied
    // before it is given back.
    unsafe {
        let context = LLVMContextCreate();
        let made = mlirTranslateModuleToLLVMIR(module.to_raw(), context.cast());
        let text = (!made.is_null()).then(|| {
            let message = LLVMPrintModuleToString(made.cast());
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            LLVMDisposeModule(made.cast());
            text
        });
        LLVMContextDispose(context);
        text
    }
}
