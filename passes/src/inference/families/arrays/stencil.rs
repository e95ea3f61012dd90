//! Calls of stencils: the kernel is specialised for the arguments and becomes the region of a
//! `stencil.apply`.
//!
//! In a kernel the arrays that it indexes relatively are marked by a unit attribute as what is
//! known of them: see [`is_relative`]. The kernel is emitted as a function first; [`finish`] puts
//! its body into the regions.

use super::{
    assignment::assign,
    stencil_options::{bind, border, neighborhood, relative, standard_indexing},
    views,
};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::{
            elements::{dimension, require_writable},
            slices,
        },
        issue::{Stop, Typing},
        program::kernel::{Kernel, problem},
        val::{Val, values},
    },
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, RegionExt,
        ValueExt,
        ops::{func, marks, stencil, typed},
    },
    types::{display::display, number::Number},
};
use melior::ir::{
    AttributeLike, BlockRef, attribute::FlatSymbolRefAttribute, operation::OperationLike,
};
use pyopt_dialects::{
    enums::BinaryKind,
    py::PyAttribute,
    typed::{ArrayType, TypedType, array_type},
};

/// Whether an array is one that a kernel indexes relative to the current element.
pub(crate) fn is_relative(array: Val) -> bool {
    array_type(array.ty).is_some() && array.literal.is_some_and(|mark| mark.is_unit())
}

/// Calls a value that is known by its type: a stencil.
pub(crate) fn call_literal<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    callee: Val<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let stencil = match TypedType::from(callee.ty) {
        TypedType::Literal(value) => PyAttribute::from(value),
        _ => PyAttribute::None,
    };
    let PyAttribute::Stencil(kernel, options) = stencil else {
        return Err(Stop::issue(format!(
            "{} can't be called",
            display(callee.ty)
        )));
    };
    let Some(function) = e.program.function(kernel) else {
        return Err(problem(format!(
            "the kernel '{kernel}' is not a function of this module"
        )));
    };
    if e.program.specializations[e.specialization].kernel.is_some() {
        return Err(
            problem("a kernel can't apply another stencil").hint("apply one after the other")
        );
    }
    let (inputs, out) = bind(&function, arguments)?;
    let first = array_type(inputs[0].ty).ok_or_else(|| {
        problem(format!(
            "the first argument must be an array, not {}",
            display(inputs[0].ty)
        ))
    })?;
    let standard = standard_indexing(&function, options);
    let relative = relative(&inputs, first, &standard)?;
    let neighborhood = neighborhood(options, first.rank)?;
    let types: Vec<_> = inputs.iter().map(|input| input.ty).collect();
    let (location, caller) = (e.location, e.specialization);
    let kernel = Kernel::new(relative, neighborhood.clone(), first.rank);
    let id = e
        .program
        .demand_kernel(function.clone(), types, kernel, location, caller);
    let result = e.program.specializations[id].result;
    if let Some((a, b)) = result.conflict {
        return Err(problem(format!(
            "the kernel returns {} or {}",
            display(a),
            display(b)
        )));
    }
    let element = result.ty.ok_or(Stop::Unknown)?;
    if Number::of(element).is_none() {
        return Err(problem(format!(
            "the kernel must return a number, not {}",
            display(element)
        )));
    }
    let cval = border(e, options, element)?;
    if e.is_emitting() {
        e.program.want(id);
    }
    let symbol = e.program.specializations[id].symbol.clone();
    let ty = ArrayType::contiguous(first.rank, element).to_type(e.context());
    // The region is filled by `finish`.
    let symbol = FlatSymbolRefAttribute::new(e.context(), &symbol);
    let applied = e.op(ty, |b| {
        let apply = stencil::Apply::create(b, &values(&inputs), ty);
        apply.set_attr(marks::KERNEL, symbol);
        if !standard.is_empty() {
            apply.set_standard_indexing(&standard);
        }
        apply.set_neighborhood(neighborhood.as_deref());
        apply.set_cval(cval);
        apply
    });
    let Some(out) = out else {
        return Ok(applied);
    };
    let kernel = e.program.specializations[id].kernel.as_ref();
    let inside = kernel.map(Kernel::bounds).filter(|_| cval.is_none());
    write_out(e, inputs[0], applied, out, inside)?;
    Ok(out)
}

/// Assigns the result to `out`; when the border has no value, to the elements inside of it.
fn write_out<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    input: Val<'c, 'a>,
    result: Val<'c, 'a>,
    out: Val<'c, 'a>,
    inside: Option<Vec<i64>>,
) -> Typing<()> {
    require_writable(out)?;
    let rank = |array: Val| array_type(array.ty).map(|array| array.rank);
    if rank(out) != rank(input) {
        return Err(problem(format!(
            "out is {} for a result of {}",
            display(out.ty),
            display(result.ty)
        )));
    }
    let Some(reach) = inside else {
        return assign(e, out, result);
    };
    let zero = e.int(0);
    let none = e.none();
    let mut subscripts = Vec::new();
    for (index, bounds) in reach.chunks(2).enumerate() {
        let size = dimension(e, input, index);
        let start = e.int((-bounds[0]).max(0));
        let above = e.int(bounds[1].max(0));
        let end = e.binary(BinaryKind::Sub, size, above);
        let end = e.binary(BinaryKind::Max, end, zero);
        subscripts.push(slices::slice(e, start, end, none)?);
    }
    let from = views::view(e, result, &subscripts);
    let to = views::view(e, out, &subscripts);
    assign(e, to, from)
}

/// Puts the bodies of kernels into the regions of the operations that apply them.
pub(crate) fn finish<'c, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    module: BlockRef<'c, 'a>,
) -> PassResult {
    let functions = module.operation_list();
    let mut kernels = Vec::new();
    for apply in functions
        .iter()
        .flat_map(|function| function.nested_ops::<stencil::Apply>())
    {
        let Some(symbol) = apply.symbol_attr(marks::KERNEL) else {
            continue;
        };
        let kernel = functions
            .iter()
            .filter_map(|function| func::Func::of(*function))
            .find(|function| function.sym_name() == symbol);
        let Some(kernel) = kernel else {
            return Err(cx.error(
                apply.location(),
                format!("the kernel '{symbol}' is missing"),
            ));
        };
        fill(cx, builder, apply, kernel)?;
        if !kernels.contains(&kernel) {
            kernels.push(kernel);
        }
    }
    for kernel in kernels {
        kernel.erase();
    }
    Ok(())
}

fn fill<'c, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    apply: stencil::Apply<'c, 'a>,
    kernel: func::Func<'c, 'a>,
) -> PassResult {
    let region = apply.body();
    builder.clone_region(kernel.body(), region, &[]);
    apply.remove_attr(marks::KERNEL);
    for block in region.block_list() {
        if let Some(r#return) = block.terminator_op().and_then(func::Return::of) {
            builder.before(*r#return);
            stencil::Return::create(builder, r#return.operands()[0]);
            r#return.erase();
        }
    }
    let standard = apply.standard_indexing();
    let arguments = region
        .entry()
        .map(BlockExt::argument_values)
        .unwrap_or_default();
    for (position, argument) in arguments.into_iter().enumerate() {
        let is_array = array_type(argument.ty()).is_some();
        if !is_array || standard.contains(&(position as i64)) {
            continue;
        }
        let other = argument.users().into_iter().find(|user| {
            !user.isa::<stencil::Access>()
                && !user.isa::<typed::View>()
                && !user.isa::<typed::Dim>()
        });
        if let Some(user) = other {
            return Err(cx.error(
                user.location(),
                "stencil: the kernel's arrays can only be indexed, by an int or slice a dimension",
            ));
        }
    }
    Ok(())
}
