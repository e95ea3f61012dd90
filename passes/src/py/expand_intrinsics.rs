//! `py-expand-intrinsics`: names that stand for what the machine says become calls.
//!
//! Numba's macro expansion: `cuda.threadIdx.x` reads like attributes of objects, but there are no
//! such objects; it is a call of the intrinsic function of that name.

use super::bindings::{Bindings, erase_known};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt, StatisticSpec,
    ValueExt,
};
use melior::ir::{
    OperationRef,
    attribute::{FlatSymbolRefAttribute, StringAttribute},
};
use pyopt_dialects::py::PyAttribute;
use std::collections::BTreeSet;

/// Objects with the attributes `x`, `y` and `z`, and names without attributes.
const POSITIONS: [&str; 4] = ["threadIdx", "blockIdx", "blockDim", "gridDim"];
const SCALARS: [&str; 2] = ["laneid", "warpsize"];

/// Intrinsics.
pub static PASS: PassSpec = PassSpec {
    description: "`cuda.threadIdx.x`, `blockIdx`, `blockDim` and `gridDim` with `x`, `y` and `z`, \
                  `cuda.laneid` and `cuda.warpsize` become calls of the functions of these names, \
                  such as `pyopt.cuda.threadIdx.x`.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new(
        "expanded",
        "intrinsics that became calls",
    )],
    ..PassSpec::new("py-expand-intrinsics", "make calls of intrinsics", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let context = cx.context();
    let bindings = Bindings::read(context, root);
    let builder = Builder::new(context, root);
    let mut used = BTreeSet::new();
    let name_of = |read: OperationRef<'c, '_>| intrinsic(&bindings.name_of(read.result_value(0))?);
    let reads = root.nested("py.getattr").into_iter();
    let reads: Vec<_> = reads
        .filter_map(|read| Some((read, name_of(read)?)))
        .collect();
    for (read, name) in reads {
        let object = read.result_value(0).ty();
        builder.before(read);
        let binding = FlatSymbolRefAttribute::new(context, &name).into();
        let function = builder.value("py.global", &[], object, &[("binding", binding)]);
        let value = builder.value("py.call", &[function], object, &[]);
        let owner = read.operand_value(0);
        builder.replace_op(read, &[value]);
        erase_known([owner]);
        cx.bump("expanded", 1);
        used.insert(name);
    }
    let first = root.region_at(0).entry().and_then(BlockExt::first);
    for name in used.iter().filter(|name| bindings.binding(name).is_none()) {
        builder.before(first.expect("the module holds the function"));
        builder.op(
            "py.binding",
            &[],
            &[],
            &[
                ("sym_name", StringAttribute::new(context, name).into()),
                ("value", PyAttribute::Named(name).to_attribute(context)),
            ],
        );
    }
    Ok(())
}

/// Our name of an intrinsic.
fn intrinsic(name: &str) -> Option<String> {
    let rest = name
        .strip_prefix("numba.cuda.")
        .or(name.strip_prefix("pyopt.cuda."))?;
    let is_intrinsic = match rest.split_once('.') {
        Some((object, axis)) => POSITIONS.contains(&object) && ["x", "y", "z"].contains(&axis),
        None => SCALARS.contains(&rest),
    };
    is_intrinsic.then(|| format!("pyopt.cuda.{rest}"))
}
