//! Sets fast-math flags: what `fastmath=` of the decorators asks for.
//!
//! Python's floats follow IEEE 754, so no operation has a flag unless the program asks. The pass
//! runs on LLVM's dialect, where each float operation has the attribute, however it came about.

use crate::infra::{
    OperationAttributes, OperationExt, OptionSpec, PassContext, PassFailure, PassResult, PassSpec,
    ops::{llvm, marks},
};
use melior::ir::OperationRef;
use pyopt_dialects::enums::FastmathFlags;
use std::ops::BitOr;

/// The names of LLVM's flags.
const FLAGS: &[&str] = &[
    "afn", "arcp", "contract", "fast", "ninf", "nnan", "nsz", "reassoc",
];

/// The attribute of LLVM's float operations.
const ATTRIBUTE: &str = llvm::FAdd::FASTMATH_FLAGS_ATTR;

/// Sets the flags on all float operations of LLVM's dialect.
pub static PASS: PassSpec = PassSpec {
    description: "Sets `fastmathFlags` on every operation of LLVM's dialect that has it, but not in \
                  the functions of `expand-elementary`. Flags that \
                  an operation had are replaced. Without flags, nothing changes.",
    options: &[OptionSpec::texts(
        "flags",
        "afn, arcp, contract, fast, ninf, nnan, nsz, reassoc",
        &[],
    )],
    ..PassSpec::new(
        "set-fastmath",
        "set fast-math flags on llvm's float operations",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let flags = cx.options().texts("flags");
    if let Some(unknown) = flags.iter().find(|flag| !FLAGS.contains(&flag.as_str())) {
        return Err(PassFailure::Message(format!(
            "unknown fast-math flag '{unknown}': expected one of {}",
            FLAGS.join(", ")
        )));
    }
    if flags.is_empty() {
        return Ok(());
    }
    let flags = flags
        .iter()
        .filter_map(|flag| FastmathFlags::from_name(flag));
    let flags = flags.fold(FastmathFlags::NONE, BitOr::bitor);
    let attribute = flags.to_attribute(cx.context());
    for operation in module.pre_order() {
        let is_float = operation.dialect() == "llvm" && operation.attr(ATTRIBUTE).is_some();
        if is_float && !is_exact(operation) {
            operation.set_attr(ATTRIBUTE, attribute);
        }
    }
    Ok(())
}

/// Whether an operation is in one of our elementary functions, whose error bound depends on each
/// rounding.
fn is_exact(operation: OperationRef) -> bool {
    operation
        .ancestor::<llvm::LLVMFunc>()
        .is_some_and(|function| function.flag_attr(marks::ELEMENTARY))
}
