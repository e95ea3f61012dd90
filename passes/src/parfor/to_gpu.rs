//! Offloads parallel loops to a device, as `scf.parallel`, which upstream's passes map and outline.

use crate::{
    analysis::{nest::Nest, reduction::is_float},
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, OptionSpec, PassContext, PassResult, PassSpec,
        StatisticSpec, ValueExt,
        emit::Emit,
        ops::{AnyOp, func, parfor, scf, typed},
    },
    types::number::Number,
};
use melior::ir::{OperationRef, Type, TypeLike, Value, operation::OperationLike};
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
    anchor: func::Func::NAME,
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
        .nested_ops::<parfor::Loop>()
        .into_iter()
        .filter(|operation| operation.ancestor::<parfor::Loop>().is_none())
        .filter_map(|operation| Nest::of(operation.operation()))
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
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Load(load)) => is_device_array(load.array()) && !load.wraparound(),
        AnyOp::Typed(typed::Op::Store(store)) => {
            is_device_array(store.array()) && !store.wraparound()
        }
        AnyOp::Typed(typed::Op::Binary(binary)) => {
            let float = is_float(binary.lhs().ty());
            numbers() && has_binary(binary.kind(), float, libdevice)
        }
        AnyOp::Typed(typed::Op::Unary(unary)) => {
            let float = is_float(unary.operand().ty());
            numbers() && has_unary(unary.kind(), float, libdevice)
        }
        AnyOp::Typed(typed::Op::Compare(_) | typed::Op::Cast(_) | typed::Op::Constant(_)) => {
            numbers()
        }
        AnyOp::Scf(scf::Op::If(_) | scf::Op::For(_) | scf::Op::Yield(_)) => true,
        AnyOp::Parfor(parfor::Op::Yield(_)) => true,
        AnyOp::Arith(_) => true,
        _ => false,
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

fn is_device_array<'c: 'a, 'a>(array: Value<'c, 'a>) -> bool {
    array_type(array.ty())
        .is_some_and(|array| array.layout == Layout::C && is_device_number(array.element))
}

fn is_device_number(r#type: Type) -> bool {
    let real = |number| !matches!(number, Number::Complex(_));
    r#type.is_index() || Number::of(r#type).is_some_and(real)
}

fn offload<'c: 'a, 'a>(builder: &Builder<'c, 'a>, nest: &Nest<'c, 'a>) {
    let dimensions = nest.extents.len();
    builder.before(nest.operation);
    let (zero, one) = (builder.index(0), builder.index(1));
    let busy = nest
        .extents
        .iter()
        .map(|extent| builder.cmpi(CmpInt::Sgt, *extent, zero))
        .reduce(|a, b| builder.and(a, b))
        .expect("a loop has dimensions");
    let branch = scf::If::create(builder, busy, &[]);
    let block = builder.append_block(branch.then_region(), &[]);

    let lower = vec![zero; dimensions];
    let steps = vec![one; dimensions];
    let grid = scf::Parallel::create(builder, &lower, &nest.extents, &steps, &[], &[]);
    let body = builder.append_block(grid.region(), &vec![builder.index_type(); dimensions]);
    let end = scf::Reduce::create(builder, &[], 0).operation();
    builder.erase_op(nest.terminator());
    let indices = body.argument_values();
    builder.inline_block(nest.body(), end, &indices);
    builder.at_end(block);
    builder.scf_yield(&[]);
    builder.erase_op(nest.operation);
}
