//! Offloads parallel loops to a device, as `scf.parallel`, which upstream's passes map and outline.

use super::{emit::Emit, nest::Nest};
use crate::infra::{
    BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, OptionSpec, PassContext,
    PassResult, PassSpec, StatisticSpec, ValueExt,
};
use melior::ir::{OperationRef, Region, Type, Value, operation::OperationLike};
use pyopt_dialects::{
    enums::{BinaryKind, UnaryKind},
    typed::{Layout, array_type},
};

/// The `parfor-to-gpu` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `parfor.loop` whose body only computes with numbers and reads and writes \
                  contiguous arrays becomes `scf.parallel`, which is skipped when there is nothing \
                  to do: a grid can't be empty. Loops that reduce, raise or call stay for the \
                  host. What follows is upstream's: tiling, `gpu-map-parallel-loops`, \
                  `convert-parallel-loops-to-gpu` and `gpu-kernel-outlining`, after \
                  `typed-to-memref`.",
    anchor: "func.func",
    dialects: &["arith", "scf"],
    options: &[
        OptionSpec::bool("remarks", "tell why loops stay on the host", false),
        OptionSpec::bool(
            "libdevice",
            "the device has functions such as sqrt and exp",
            false,
        ),
    ],
    statistics: &[StatisticSpec::new("offloaded", "loops for the device")],
    ..PassSpec::new("parfor-to-gpu", "hand parallel loops to the device", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let loops: Vec<_> = function
        .nested("parfor.loop")
        .into_iter()
        .filter(|operation| operation.parent_named("parfor.loop").is_none())
        .filter_map(Nest::of)
        .filter(|nest| !nest.serial)
        .collect();
    for nest in loops {
        match obstacle(&nest, cx.options().bool("libdevice")) {
            None => {
                offload(&builder, &nest);
                cx.bump("offloaded", 1);
            }
            Some(reason) if cx.options().bool("remarks") => cx.remark(
                nest.operation.location(),
                format!("the loop stays on the host: {reason}"),
            ),
            Some(_) => {}
        }
    }
    Ok(())
}

/// Why a loop can't run on the device.
fn obstacle<'c: 'a, 'a>(nest: &Nest<'c, 'a>, libdevice: bool) -> Option<String> {
    if !nest.fresh().is_empty() {
        return Some("its arrays aren't allocated yet".to_owned());
    }
    if !nest.reductions.is_empty() {
        return Some("it reduces".to_owned());
    }
    if nest.extents.len() > 3 {
        return Some("a grid has three dimensions".to_owned());
    }
    nest.operation
        .pre_order()
        .into_iter()
        .skip(1)
        .find(|operation| !runs_on_device(*operation, libdevice))
        .map(|operation| {
            format!(
                "'{}' with these operands doesn't run there",
                operation.full_name()
            )
        })
}

/// Whether an operation has device code without calls and exceptions.
fn runs_on_device<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, libdevice: bool) -> bool {
    let numbers = || {
        let operands = operation
            .operand_values()
            .into_iter()
            .map(|value| value.ty());
        operands
            .chain(operation.result_types())
            .all(is_device_number)
    };
    match operation.full_name() {
        "typed.load" => {
            is_device_array(operation.operand_value(0)) && !operation.flag_attr("wraparound")
        }
        "typed.store" => {
            is_device_array(operation.operand_value(1)) && !operation.flag_attr("wraparound")
        }
        "typed.binary" => {
            let kind = operation.attr("kind").and_then(BinaryKind::from_attribute);
            let float = is_float(operation.operand_value(0).ty());
            numbers() && kind.is_some_and(|kind| has_binary(kind, float, libdevice))
        }
        "typed.unary" => {
            let kind = operation.attr("kind").and_then(UnaryKind::from_attribute);
            let float = is_float(operation.operand_value(0).ty());
            numbers() && kind.is_some_and(|kind| has_unary(kind, float, libdevice))
        }
        "typed.compare" | "typed.cast" | "typed.constant" => numbers(),
        "scf.if" | "scf.for" | "scf.yield" | "parfor.yield" => true,
        name => name.starts_with("arith."),
    }
}

/// Whether an operator becomes instructions, or calls of libdevice if there is one.
fn has_binary(kind: BinaryKind, float: bool, libdevice: bool) -> bool {
    match kind {
        BinaryKind::Add | BinaryKind::Sub | BinaryKind::Mul | BinaryKind::TrueDiv => true,
        BinaryKind::And | BinaryKind::Or | BinaryKind::Xor => true,
        BinaryKind::LShift | BinaryKind::RShift | BinaryKind::Min | BinaryKind::Max => true,
        BinaryKind::FloorDiv | BinaryKind::Mod => libdevice || !float,
        BinaryKind::Pow
        | BinaryKind::Atan2
        | BinaryKind::Hypot
        | BinaryKind::CopySign
        | BinaryKind::Fmod
        | BinaryKind::NextAfter => false,
    }
}

/// Whether a function becomes instructions, or calls of libdevice if there is one. The rest are the
/// host's libm.
fn has_unary(kind: UnaryKind, float: bool, libdevice: bool) -> bool {
    match kind {
        UnaryKind::Neg | UnaryKind::Invert | UnaryKind::Real | UnaryKind::Conj => true,
        UnaryKind::Abs => libdevice || !float,
        UnaryKind::Sqrt
        | UnaryKind::Exp
        | UnaryKind::Exp2
        | UnaryKind::Log
        | UnaryKind::Log2
        | UnaryKind::Log10
        | UnaryKind::Sin
        | UnaryKind::Cos
        | UnaryKind::Floor
        | UnaryKind::Ceil => libdevice,
        _ => false,
    }
}

fn is_float(r#type: Type) -> bool {
    r#type.to_string().starts_with('f')
}

fn is_device_array<'c: 'a, 'a>(array: Value<'c, 'a>) -> bool {
    array_type(array.ty())
        .is_some_and(|array| array.layout == Layout::C && is_device_number(array.element))
}

fn is_device_number(r#type: Type) -> bool {
    let name = r#type.to_string();
    name == "index"
        || name == "i1"
        || ["si", "ui", "f"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

fn offload<'c: 'a, 'a>(builder: &Builder<'c, 'a>, nest: &Nest<'c, 'a>) {
    let dimensions = nest.extents.len();
    builder.before(nest.operation);
    let (zero, one) = (builder.index(0), builder.index(1));
    let busy = nest
        .extents
        .iter()
        .map(|extent| builder.cmpi(CmpInt::Sgt, *extent, zero))
        .reduce(|a, b| builder.bin("arith.andi", a, b))
        .expect("a loop has dimensions");
    let branch = builder.op_with("scf.if", &[busy], &[], &[], |operation| {
        operation.add_regions([Region::new(), Region::new()])
    });
    let block = builder.append_block(branch.region_at(0), &[]);

    let mut operands = vec![zero; dimensions];
    operands.extend(&nest.extents);
    operands.extend(vec![one; dimensions]);
    let segments = builder.segments(&[dimensions, dimensions, dimensions, 0]);
    let (_, body) = builder.op_with_body(
        "scf.parallel",
        &operands,
        &[],
        &[("operandSegmentSizes", segments)],
        &vec![builder.index_type(); dimensions],
    );
    let end = builder.op("scf.reduce", &[], &[], &[]);
    builder.erase_op(nest.terminator());
    let indices = body.argument_values();
    builder.inline_block(nest.body(), end, &indices);
    builder.at_end(block);
    builder.scf_yield(&[]);
    builder.erase_op(nest.operation);
}
