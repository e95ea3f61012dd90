//! Sets fast-math flags: what `fastmath=` of the decorators asks for.
//!
//! Python's floats follow IEEE 754, so no operation has a flag unless the program asks. A function whose
//! decorator says nothing is compiled as its callers are, as in Numba; where these differ it may assume no
//! more than each of them. The pass runs on LLVM's dialect, where each float operation has the attribute, however it came about.

use crate::infra::{
    AttributeExt, OperationAttributes, OperationExt, OptionSpec, PassContext, PassFailure,
    PassResult, PassSpec,
    ops::{AnyOp, llvm, marks},
};
use melior::ir::OperationRef;
use pyopt_dialects::enums::FastmathFlags;
use std::collections::{HashMap, HashSet};

/// The names of LLVM's flags.
const FLAGS: &[&str] = &[
    "afn", "arcp", "contract", "fast", "ninf", "nnan", "nsz", "reassoc",
];

/// The attribute of LLVM's float operations.
const ATTRIBUTE: &str = llvm::FAdd::FASTMATH_FLAGS_ATTR;

/// Sets the flags on all float operations of LLVM's dialect.
pub static PASS: PassSpec = PassSpec {
    description: "Sets `fastmathFlags` on every operation of LLVM's dialect that has it, but not in \
                  the functions of `expand-elementary`. Functions that name flags (`pyopt.fastmath`) have \
                  these, others those that all their callers have, and what nobody calls those of the option. Flags that \
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
    let default = flags(cx.options().texts("flags"))?;
    let functions = module.nested_ops::<llvm::LLVMFunc>();
    let mut own = HashMap::new();
    for function in &functions {
        let names = function.array_attr(marks::FASTMATH).into_iter().flatten();
        let names: Vec<_> = names.filter_map(AttributeExt::string_value).collect();
        if function.attr(marks::FASTMATH).is_some() {
            own.insert(function.sym_name(), flags(&names)?);
        }
    }
    if own.values().all(|flags| *flags == default) {
        set(cx, module, default);
        return Ok(());
    }
    let settled = of_callers(&functions, own, default);
    for function in functions {
        set(cx, *function, settled[function.sym_name()]);
    }
    Ok(())
}

/// The flags of these names.
fn flags(names: &[impl AsRef<str>]) -> PassResult<FastmathFlags> {
    names.iter().try_fold(FastmathFlags::NONE, |flags, name| {
        let name = name.as_ref();
        let known = FLAGS
            .contains(&name)
            .then(|| FastmathFlags::from_name(name));
        let flag = known.flatten().ok_or_else(|| {
            PassFailure::Message(format!(
                "unknown fast-math flag '{name}': expected one of {}",
                FLAGS.join(", ")
            ))
        })?;
        Ok(flags | flag)
    })
}

/// Sets flags on the float operations in an operation.
fn set(cx: &PassContext, root: OperationRef, flags: FastmathFlags) {
    if flags == FastmathFlags::NONE {
        return;
    }
    let attribute = flags.to_attribute(cx.context());
    for operation in root.pre_order() {
        let is_float = operation.dialect() == "llvm" && operation.attr(ATTRIBUTE).is_some();
        if is_float && !is_exact(operation) {
            operation.set_attr(ATTRIBUTE, attribute);
        }
    }
}

/// The flags of all functions, by name. Those that say nothing have the flags that all functions have that
/// refer to them: the greatest fixed point, over a lattice of as many bits as there are flags. What nobody
/// refers to has the default ones.
fn of_callers<'c: 'a, 'a>(
    functions: &[llvm::LLVMFunc<'c, 'a>],
    own: HashMap<&'c str, FastmathFlags>,
    default: FastmathFlags,
) -> HashMap<&'c str, FastmathFlags> {
    let mut callees: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut is_called = HashSet::new();
    for function in functions {
        let referred: Vec<_> = function
            .pre_order()
            .into_iter()
            .filter_map(referred)
            .collect();
        is_called.extend(referred.iter().copied());
        callees.insert(function.sym_name(), referred);
    }
    let initial = |function: &llvm::LLVMFunc<'c, 'a>| {
        let name = function.sym_name();
        let is_free = is_called.contains(name) && !own.contains_key(name);
        let flags = match is_free {
            true => FastmathFlags::FAST,
            false => own.get(name).copied().unwrap_or(default),
        };
        (name, flags)
    };
    let mut found: HashMap<_, _> = functions.iter().map(initial).collect();
    let mut waiting: Vec<_> = found.keys().copied().collect();
    while let Some(caller) = waiting.pop() {
        let of_caller = found[caller];
        for callee in callees.get(caller).into_iter().flatten() {
            let Some(flags) = found.get_mut(callee).filter(|_| !own.contains_key(callee)) else {
                continue;
            };
            if *flags & of_caller != *flags {
                *flags = *flags & of_caller;
                waiting.push(callee);
            }
        }
    }
    found
}

/// The function that an operation calls, or takes the address of.
fn referred<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<&'c str> {
    match AnyOp::of(operation) {
        AnyOp::Llvm(llvm::Op::Call(call)) => call.callee(),
        AnyOp::Llvm(llvm::Op::AddressOf(address)) => Some(address.global_name()),
        _ => None,
    }
}

/// Whether an operation is in one of our elementary functions, whose error bound depends on each
/// rounding.
fn is_exact(operation: OperationRef) -> bool {
    operation
        .ancestor::<llvm::LLVMFunc>()
        .is_some_and(|function| function.flag_attr(marks::ELEMENTARY))
}
