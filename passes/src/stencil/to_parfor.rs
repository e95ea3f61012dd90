//! Makes parallel loops of stencils.
//!
//! The interior of the array, where the whole neighborhood exists, gets a loop without bounds
//! tests; the runtime fills the border, so that every element is written once.

use super::kernel::{Access, Kernel, constant};
use crate::{
    analysis::{
        nest::NestBuilder,
        reduction::identity,
        shape::{Sizes, rank},
    },
    infra::{
        AttributeExt, BlockExt, Builder, CmpInt, OperationAttributes, OperationExt, OptionSpec,
        PassContext, PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt,
        emit::{Emit, element_type, mapped},
        ops::{arith, func, stencil, typed},
    },
};
use melior::ir::{
    AttributeLike, OperationRef, Value,
    attribute::{BoolAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::IntegerType,
};
use pyopt_dialects::enums::{CombineKind, PatternKind};

/// The `stencil-to-parfor` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `stencil.apply` becomes an allocation, a `parfor.loop` over the elements whose \
                  neighborhood lies inside of the array, and `typed.fill_border`, which sets the rest to \
                  `cval` or 0. Another array that the kernel indexes relatively and that is smaller than \
                  the first one raises ValueError.",
    anchor: func::Func::NAME,
    dialects: &["arith", "parfor", "typed"],
    options: &[OptionSpec::bool(
        "stencil",
        "off: the loops stay on one thread",
        true,
    )],
    statistics: &[StatisticSpec::new("converted", "stencils converted")],
    ..PassSpec::new("stencil-to-parfor", "make parallel loops of stencils", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let mut sizes = Sizes::default();
    for apply in function.nested_ops::<stencil::Apply>() {
        convert(cx, &builder, &mut sizes, Kernel(apply))?;
        cx.bump("converted", 1);
    }
    Ok(())
}

/// One dimension of the array. The border is `0..head` and `tail..size`; the inside is `inside`
/// elements from `below` on, a constant, so that the offsets of accesses fold into it.
struct Dimension<'c, 'a> {
    below: i64,
    above: i64,
    head: Value<'c, 'a>,
    tail: Value<'c, 'a>,
    inside: Value<'c, 'a>,
    neighborhood: [i64; 2],
}

fn convert<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    sizes: &mut Sizes<'c, 'a>,
    kernel: Kernel<'c, 'a>,
) -> PassResult {
    let location = kernel.0.location();
    let Some(neighborhood) = kernel.neighborhood() else {
        return Err(cx.error(
            location,
            "'stencil.apply' op has no neighborhood: run stencil-infer-neighborhood first",
        ));
    };
    let inputs = kernel.relative_inputs();
    let first = kernel.0.inputs()[0];
    if inputs.iter().any(|input| rank(*input) != rank(first)) {
        return Err(cx.error(
            location,
            "arrays that the kernel indexes relatively must have the same number of dimensions",
        ));
    }
    builder.before(*kernel.0);
    let extents = sizes.all(builder, first);
    check_sizes(builder, sizes, &inputs, &extents);

    let result = kernel.0.result();
    let border = border_value(cx, builder, kernel)?;
    let output = builder.empty(&extents, result.ty());
    let dimensions: Vec<_> = extents
        .iter()
        .zip(neighborhood)
        .map(|(size, neighborhood)| dimension(builder, *size, neighborhood))
        .collect();
    fill_border(builder, &dimensions, border, output);
    apply(
        builder,
        kernel,
        &dimensions,
        output,
        !cx.options().bool("stencil"),
    );
    builder.replace_op(*kernel.0, &[output]);
    Ok(())
}

fn check_sizes<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sizes: &mut Sizes<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    extents: &[Value<'c, 'a>],
) {
    for input in inputs.iter().skip(1) {
        for (size, extent) in sizes.all(builder, *input).into_iter().zip(extents) {
            if size != *extent {
                let smaller = builder.cmpi(CmpInt::Slt, size, *extent);
                builder.raise_if(
                    smaller,
                    "ValueError",
                    "an array that a stencil indexes relatively is smaller than the first one",
                );
            }
        }
    }
}

/// The end of the border, also for arrays that are smaller than the neighborhood.
fn dimension<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    size: Value<'c, 'a>,
    neighborhood: [i64; 2],
) -> Dimension<'c, 'a> {
    let below = (-neighborhood[0]).max(0);
    let above = neighborhood[1].max(0);
    let head = match below {
        0 => builder.index(0),
        _ => builder.bin(arith::MinSI::NAME, builder.index(below), size),
    };
    let tail = match above {
        0 => size,
        _ => {
            let end = builder.bin(arith::SubI::NAME, size, builder.index(above));
            builder.bin(arith::MaxSI::NAME, end, head)
        }
    };
    let inside = match below + above {
        0 => size,
        border => {
            let length = builder.bin(arith::SubI::NAME, size, builder.index(border));
            builder.bin(arith::MaxSI::NAME, length, builder.index(0))
        }
    };
    Dimension {
        below,
        above,
        head,
        tail,
        inside,
        neighborhood,
    }
}

/// Stores the border value, if there is a border.
fn fill_border<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    dimensions: &[Dimension<'c, 'a>],
    value: Value<'c, 'a>,
    output: Value<'c, 'a>,
) {
    if dimensions
        .iter()
        .any(|dimension| dimension.below + dimension.above > 0)
    {
        let starts: Vec<_> = dimensions.iter().map(|dimension| dimension.head).collect();
        let ends: Vec<_> = dimensions.iter().map(|dimension| dimension.tail).collect();
        typed::FillBorder::create(builder, value, output, &starts, &ends);
    }
}

/// Runs the kernel at every element of the interior.
fn apply<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kernel: Kernel<'c, 'a>,
    dimensions: &[Dimension<'c, 'a>],
    output: Value<'c, 'a>,
    serial: bool,
) {
    let lengths: Vec<_> = dimensions
        .iter()
        .map(|dimension| dimension.inside)
        .collect();
    let starts: Vec<_> = dimensions
        .iter()
        .map(|dimension| builder.index(dimension.below))
        .collect();
    let inputs = kernel.0.inputs();
    let block = kernel.0.body().entry().expect("a stencil has a kernel");
    let end = block.terminator_op().and_then(stencil::Return::of);
    let end = end.expect("a kernel returns");
    let mut nest = NestBuilder::new(&lengths, PatternKind::Stencil);
    nest.serial = serial;
    nest.build(builder, |indices| {
        let body = builder.block();
        let indices = shifted(builder, indices, &starts);
        let becomes: Vec<_> = block
            .argument_values()
            .into_iter()
            .zip(inputs.iter().copied())
            .collect();
        for access in kernel.accesses() {
            let after = load(builder, access, &inputs, &indices, dimensions);
            builder.replace_op(*access.operation, &[after]);
        }
        for position in kernel.0.nested_ops::<stencil::Position>() {
            let index = indices[position.dimension() as usize];
            let after = builder
                .before(*position)
                .cast(index, position.result().ty());
            builder.replace_op(*position, &[after]);
        }
        let value = mapped(&becomes, end.value());
        builder.erase_op(*end);
        builder.merge_blocks(block, body, &inputs);
        builder.at_end(body).at(kernel.0.location());
        builder.store(value, output, &indices);
        vec![]
    });
}

/// Replaces an access in the kernel.
fn load<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    access: Access<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    indices: &[Value<'c, 'a>],
    dimensions: &[Dimension<'c, 'a>],
) -> Value<'c, 'a> {
    builder.before(*access.operation);
    let array = match access.input {
        Some(position) => inputs[position],
        None => access.operation.array(),
    };
    let offsets = access.offsets();
    let (positions, inside): (Vec<_>, bool) = if access.relative {
        let inside = offsets.iter().zip(dimensions).all(|(offset, dimension)| {
            let [low, high] = dimension.neighborhood;
            constant(*offset).is_some_and(|offset| low <= offset && offset <= high)
        });
        let positions = offsets
            .iter()
            .zip(indices)
            .map(|(offset, index)| match constant(*offset) {
                Some(0) => *index,
                Some(number) => builder.bin(arith::AddI::NAME, *index, builder.index(number)),
                None => {
                    let offset = builder.cast(*offset, builder.index_type());
                    builder.bin(arith::AddI::NAME, *index, offset)
                }
            })
            .collect();
        (positions, inside)
    } else {
        (offsets, false)
    };
    let load = typed::Load::create(builder, array, &positions, element_type(array));
    // An index that isn't known to lie inside may be negative, and then counts from the end.
    load.set_wraparound(!inside);
    load.result()
}

/// The indices of the interior, of those of its loop, which count from 0.
fn shifted<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    indices: &[Value<'c, 'a>],
    starts: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    indices
        .iter()
        .zip(starts)
        .map(|(index, start)| {
            if constant(*start) == Some(0) {
                *index
            } else {
                builder.bin(arith::AddI::NAME, *index, *start)
            }
        })
        .collect()
}

/// What elements of the border are set to.
fn border_value<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    kernel: Kernel<'c, 'a>,
) -> PassResult<Value<'c, 'a>> {
    let element = element_type(kernel.0.result());
    let Some(value) = kernel.0.cval() else {
        return kernel.0.required(
            stencil::Apply::CVAL_ATTR,
            identity(builder, CombineKind::Add, element),
        );
    };
    // Numbers in attributes may have types that values can't have.
    let value = match value.integer_value() {
        Some(number) if value.bool_value().is_none() => {
            let si64 = IntegerType::signed(cx.context(), 64).into();
            let attribute = IntegerAttribute::new(si64, number).into();
            builder.typed_constant(si64, attribute)
        }
        Some(number) => builder.typed_constant(
            builder.i(1),
            BoolAttribute::new(cx.context(), number != 0).into(),
        ),
        None if value.is_float() => builder.typed_constant(value.value_type(), value),
        // The two parts of a complex number.
        None => return Ok(builder.typed_constant(element, value)),
    };
    Ok(builder.cast(value, element))
}
