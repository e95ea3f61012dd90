//! `py-expand-intrinsics`: names that stand for what the machine says become calls.
//!
//! Numba's macro expansion: `cuda.threadIdx.x` reads like attributes of objects, but there are no
//! such objects; it is a call of the intrinsic function of that name.

use super::bindings::{Bindings, erase_known};
use crate::infra::{
    BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt, StatisticSpec,
    ops::py,
};
use melior::ir::OperationRef;
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
    let reads = root.nested_ops::<py::GetAttr>().into_iter();
    let reads: Vec<_> = reads
        .filter_map(|read| Some((read, intrinsic(&bindings.name_of(read.result())?)?)))
        .collect();
    for (read, name) in reads {
        builder.before(*read);
        let function = py::Global::create(&builder, &name).result();
        let value = py::Call::create(&builder, function, &[]).result();
        let owner = read.object();
        builder.replace_op(*read, &[value]);
        erase_known([owner]);
        cx.bump("expanded", 1);
        used.insert(name);
    }
    let first = root.region_at(0).entry().and_then(BlockExt::first);
    for name in used.iter().filter(|name| bindings.binding(name).is_none()) {
        builder.before(first.expect("the module holds the function"));
        let value = PyAttribute::Named(name).to_attribute(context);
        py::Binding::create(&builder, name, value);
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
