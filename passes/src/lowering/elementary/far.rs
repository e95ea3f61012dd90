//! Arguments too large for the vectorised sine, cosine and tangent: libm is called if there are
//! any.
//!
//! A loop that calls a scalar function under a condition is vectorised if that function has vector
//! variants with a mask: one test of the mask, and a loop over its lanes in the rare case.

use crate::{
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassFailure, PassResult,
        ops::marks::ELEMENTARY, parse_operation,
    },
    lowering::control_flow::module_block,
};
use melior::ir::OperationRef;

/// Arguments from this magnitude on are far.
pub(super) const FAR: f64 = (1u64 << 30) as f64;

/// The vector types that loops may be vectorised with.
const LANES: [u32; 3] = [2, 4, 8];

/// The function for far arguments.
pub(super) fn symbol(function: &str) -> String {
    format!("pyopt.far.{function}")
}

/// Adds libm's function under its own name, and its vector variants, to a module.
pub(super) fn define<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    function: &str,
) -> PassResult {
    let name = symbol(function);
    if module.lookup_symbol(&name).is_some() {
        return Ok(());
    }
    let variants = LANES.map(|lanes| variant(&name, lanes)).concat();
    let source = format!("module {{ {} {variants} }}", scalar(&name, function));
    let definitions = parse_operation(cx.context(), &source, &name)
        .ok_or_else(|| PassFailure::Message(format!("{name} does not parse")))?;
    let body = module_block(module).expect("a module has a block");
    let definitions = builder.at_end(body).insert(definitions);
    let contents = module_block(definitions);
    for definition in contents.into_iter().flat_map(BlockExt::operation_list) {
        builder.move_before(definition, definitions);
    }
    builder.erase_op(definitions);
    Ok(())
}

/// A wrapper of its own, so that LLVM doesn't treat it as an intrinsic that may be executed
/// speculatively.
fn scalar(name: &str, function: &str) -> String {
    let variants: Vec<_> = LANES
        .iter()
        .map(|lanes| format!("_ZGV_LLVM_M{lanes}v_{name}({name}.{lanes})"))
        .collect();
    let variants = variants.join(",");
    format!(
        r#"func.func private @{name}(%x: f64) -> f64 attributes {{
          {ELEMENTARY}, passthrough = ["noinline", "nounwind", "willreturn", ["memory", "0"],
            ["vector-function-abi-variant", "{variants}"]]
        }} {{
          %0 = llvm.intr.{function}(%x) : (f64) -> f64
          return %0 : f64
        }}"#
    )
}

/// Kept though nothing calls it until loops are vectorised; rarely called, so that optimising it isn't
/// worth its time.
fn variant(name: &str, lanes: u32) -> String {
    format!(
        r#"llvm.func weak_odr @{name}.{lanes}(%x: vector<{lanes}xf64>, %mask: vector<{lanes}xi1>)
            -> vector<{lanes}xf64> attributes {{
          {ELEMENTARY},
          passthrough = ["noinline", "optnone", "nounwind", "willreturn", ["memory", "0"]]
        }} {{
          %zero = llvm.mlir.constant(0 : i64) : i64
          %one = llvm.mlir.constant(1 : i64) : i64
          %lanes = llvm.mlir.constant({lanes} : i64) : i64
          %any = "llvm.intr.vector.reduce.or"(%mask) : (vector<{lanes}xi1>) -> i1
          llvm.cond_br %any, ^lane(%zero, %x : i64, vector<{lanes}xf64>), ^end(%x : vector<{lanes}xf64>)
        ^lane(%i: i64, %y: vector<{lanes}xf64>):
          %far = llvm.extractelement %mask[%i : i64] : vector<{lanes}xi1>
          llvm.cond_br %far, ^call, ^next(%y : vector<{lanes}xf64>)
        ^call:
          %argument = llvm.extractelement %x[%i : i64] : vector<{lanes}xf64>
          %value = func.call @{name}(%argument) : (f64) -> f64
          %with = llvm.insertelement %value, %y[%i : i64] : vector<{lanes}xf64>
          llvm.br ^next(%with : vector<{lanes}xf64>)
        ^next(%result: vector<{lanes}xf64>):
          %j = llvm.add %i, %one : i64
          %more = llvm.icmp "ult" %j, %lanes : i64
          llvm.cond_br %more, ^lane(%j, %result : i64, vector<{lanes}xf64>),
            ^end(%result : vector<{lanes}xf64>)
        ^end(%last: vector<{lanes}xf64>):
          llvm.return %last : vector<{lanes}xf64>
        }}"#
    )
}
