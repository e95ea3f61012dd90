//! Gives functions their Python names in LLVM's debug information.

use super::subprogram::Subprogram;
use crate::infra::{
    OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    ops::{llvm, marks},
};
use melior::ir::OperationRef;

/// The names of subprograms.
pub static PASS: PassSpec = PassSpec {
    description: "Runs behind `ensure-debug-info-scope-on-llvm-func`, which knows symbols: what \
                  debuggers call a function is its name in the program, so that a breakpoint can \
                  be set on it. Entry points for the host keep their symbols.",
    dialects: &["llvm"],
    ..PassSpec::new(
        "name-subprograms",
        "describe functions under their Python names",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    for function in module.nested_ops::<llvm::LLVMFunc>() {
        if let Some(name) = function.str_attr(marks::FUNCTION)
            && function.attr(marks::SIGNATURE).is_none()
            && let Some(subprogram) = Subprogram::of(*function)
        {
            subprogram.rename(cx.context(), *function, name);
        }
    }
    Ok(())
}
