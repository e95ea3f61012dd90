//! Calls of stencils: the kernel is specialised for the arguments and becomes the region of a
//! `stencil.apply`.
//!
//! In a kernel the arrays that it indexes relatively are marked by a unit attribute as what is
//! known of them: see [`is_relative`]. The kernel is emitted as a function first; [`finish`] puts
//! its body into the regions.

use super::{Kernel, dimension, dimensions, indexing};
use crate::{
    inference::{
        access,
        display::display,
        emit::{Emit, Val},
        functions::Arguments,
        issue::{Stop, Typing},
        number::Number,
        program::{PyFunction, dictionary_entry},
        transfer, tuples,
    },
    infra::{
        AttributeExt, BlockExt, Builder, OperationAttributes, OperationExt, PassContext,
        PassResult, RegionExt, ValueExt,
    },
};
use melior::ir::{
    Attribute, AttributeLike, BlockRef, OperationRef, Region, Type,
    attribute::{DenseI64ArrayAttribute, FlatSymbolRefAttribute},
    operation::OperationLike,
};
use pyopt_dialects::{
    enums::BinaryKind,
    py::PyAttribute,
    typed::{ArrayType, TypedType, array_type},
};

/// The attribute that names the kernel of a `stencil.apply` until its region is filled.
const KERNEL: &str = "pyopt.kernel";

/// Whether an array is one that a kernel indexes relative to the current element.
pub(super) fn is_relative(array: Val) -> bool {
    array_type(array.ty).is_some() && array.literal.is_some_and(|mark| mark.is_unit())
}

/// A problem with a stencil.
fn problem(what: impl std::fmt::Display) -> Stop {
    Stop::issue(format!("stencil: {what}"))
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
    let mut attributes = vec![(
        KERNEL,
        FlatSymbolRefAttribute::new(e.context(), &symbol).into(),
    )];
    if !standard.is_empty() {
        attributes.push(("standard_indexing", i64_array(e, &standard)));
    }
    if let Some(neighborhood) = &neighborhood {
        attributes.push(("neighborhood", i64_array(e, neighborhood)));
    }
    attributes.extend(cval.map(|cval| ("cval", cval)));
    let applied = apply(e, &inputs, ty, &attributes);
    let Some(out) = out else {
        return Ok(applied);
    };
    let kernel = e.program.specializations[id].kernel.as_ref();
    let inside = kernel.map(Kernel::bounds).filter(|_| cval.is_none());
    write_out(e, inputs[0], applied, out, inside)?;
    Ok(out)
}

fn i64_array<'c>(e: &Emit<'_, 'c, '_>, values: &[i64]) -> Attribute<'c> {
    DenseI64ArrayAttribute::new(e.context(), values).into()
}

/// The kernel's arguments, and the array to write to.
#[expect(clippy::type_complexity, reason = "a pair")]
fn bind<'c, 'a>(
    function: &PyFunction<'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<(Vec<Val<'c, 'a>>, Option<Val<'c, 'a>>)> {
    let mut out = None;
    for &(name, value) in &arguments.keywords {
        if name != "out" {
            return Err(problem(format!("unexpected keyword argument '{name}'"))
                .hint("the kernel's arguments are passed by position, the result by out="));
        }
        out = Some(value).filter(|value| !value.is_none());
    }
    let (given, taken) = (arguments.positional.len(), function.parameters.len());
    if given != taken || given == 0 {
        return Err(problem(format!(
            "{}() takes {taken} positional arguments but {given} were given",
            function.name()
        )));
    }
    if let Some(out) = out
        && array_type(out.ty).is_none()
    {
        return Err(problem(format!(
            "out must be an array, not {}",
            display(out.ty)
        )));
    }
    Ok((arguments.positional.clone(), out))
}

/// The positions of the parameters that the kernel indexes absolutely.
fn standard_indexing<'c>(function: &PyFunction<'c, '_>, options: Attribute<'c>) -> Vec<i64> {
    let names = dictionary_entry(options, "standard_indexing").and_then(AttributeExt::elements);
    names
        .unwrap_or_default()
        .into_iter()
        .filter_map(AttributeExt::string_value)
        .filter_map(|name| function.parameters.iter().position(|other| *other == name))
        .map(|position| position as i64)
        .collect()
}

/// Which arguments are arrays that the kernel indexes relatively.
fn relative(inputs: &[Val], first: ArrayType, standard: &[i64]) -> Typing<Vec<bool>> {
    if standard.contains(&0) {
        return Err(problem("the first array must be indexed relatively")
            .hint("leave it out of standard_indexing"));
    }
    let mut relative = Vec::new();
    for (position, input) in inputs.iter().enumerate() {
        let array = array_type(input.ty).filter(|_| !standard.contains(&(position as i64)));
        if let Some(array) = array
            && array.rank != first.rank
        {
            return Err(problem(format!(
                "{} doesn't have the {} dimensions of the first array",
                display(input.ty),
                first.rank
            ))
            .hint("name its parameter in standard_indexing to index it absolutely"));
        }
        relative.push(array.is_some());
    }
    Ok(relative)
}

/// The lowest and highest offset of each dimension as the `neighborhood` option gives them.
fn neighborhood(options: Attribute, rank: usize) -> Typing<Option<Vec<i64>>> {
    let Some(pairs) = dictionary_entry(options, "neighborhood").and_then(AttributeExt::elements)
    else {
        return Ok(None);
    };
    if pairs.len() != rank {
        return Err(problem(format!(
            "{} dimensional neighborhood specified for {rank} dimensional input array",
            pairs.len()
        )));
    }
    let bounds: Vec<_> = pairs
        .into_iter()
        .flat_map(|pair| pair.elements().unwrap_or_default())
        .filter_map(AttributeExt::integer_value)
        .collect();
    match bounds.len() == 2 * rank && bounds.chunks(2).all(|pair| pair[0] <= pair[1]) {
        true => Ok(Some(bounds)),
        false => Err(problem(
            "the neighborhood must be a pair of ints (lowest, highest) for each dimension",
        )),
    }
}

/// The value of the border as an attribute.
fn border<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    options: Attribute<'c>,
    element: Type<'c>,
) -> Typing<Option<Attribute<'c>>> {
    let Some(option) = dictionary_entry(options, "cval") else {
        return Ok(None);
    };
    let value = transfer::constant(e, option)?;
    if value.is_none() {
        return Ok(None);
    }
    let fits = match (value.number(), Number::of(element)) {
        (Some(Number::Complex(_)), Some(to)) => matches!(to, Number::Complex(_)),
        (Some(Number::Float(_)), Some(to)) if to.is_integral() => value
            .literal_float()
            .is_some_and(|value| value.fract() == 0.0),
        (from, _) => from.is_some(),
    };
    match value.literal.filter(|_| fits) {
        Some(literal) => Ok(Some(literal)),
        None => Err(problem(format!(
            "cval type does not match stencil return type: {} and {}",
            display(value.ty),
            display(element)
        ))),
    }
}

/// Makes the operation; its region is filled by [`finish`].
fn apply<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    inputs: &[Val<'c, 'a>],
    ty: Type<'c>,
    attributes: &[(&str, Attribute<'c>)],
) -> Val<'c, 'a> {
    let value = e.builder.map(|builder| {
        let operands: Vec<_> = inputs.iter().filter_map(|input| input.value).collect();
        let operation =
            builder.op_with("stencil.apply", &operands, &[ty], attributes, |operation| {
                operation.add_regions([Region::new()])
            });
        operation.result_value(0)
    });
    Val {
        ty,
        literal: None,
        value,
    }
}

/// Assigns the result to `out`; when the border has no value, to the elements inside of it.
fn write_out<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    input: Val<'c, 'a>,
    result: Val<'c, 'a>,
    out: Val<'c, 'a>,
    inside: Option<Vec<i64>>,
) -> Typing<()> {
    super::require_writable(out)?;
    let rank = |array: Val| array_type(array.ty).map(|array| array.rank);
    if rank(out) != rank(input) {
        return Err(problem(format!(
            "out is {} for a result of {}",
            display(out.ty),
            display(result.ty)
        )));
    }
    let Some(reach) = inside else {
        return indexing::assign(e, out, result);
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
        subscripts.push(access::slice(e, start, end, none)?);
    }
    let from = indexing::view(e, result, &subscripts);
    let to = indexing::view(e, out, &subscripts);
    indexing::assign(e, to, from)
}

/// `array[offsets]` in a kernel.
pub(super) fn access<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    index: Val<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let rank = dimensions(e, array).len();
    let given = tuples::unpack(e, index).unwrap_or_else(|| vec![index]);
    if !given
        .iter()
        .all(|offset| matches!(offset.number(), Some(Number::Int { .. })))
    {
        return Err(problem(format!(
            "{} is no index of a kernel's array",
            display(index.ty)
        ))
        .hint("use ints, one a dimension"));
    }
    if given.len() != rank {
        return Err(problem(format!(
            "index does not match array dimensionality: {} indices for {}",
            given.len(),
            display(array.ty)
        )));
    }
    let si64 = e.si64();
    let mut operands = vec![array];
    for (index, offset) in given.into_iter().enumerate() {
        let known = offset.literal_int();
        let id = e.specialization;
        if let Some(kernel) = &mut e.program.specializations[id].kernel
            && !kernel.reach(index, known)
        {
            return Err(problem(format!(
                "the kernel reads at offset {} of dimension {index}, outside of its neighborhood",
                known.unwrap_or_default()
            )));
        }
        operands.push(match known {
            Some(value) => e.int(value),
            None => e.cast(offset, si64),
        });
    }
    let element = super::element_type(array);
    Ok(e.op("stencil.access", &operands, element, &[]))
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
        .flat_map(|function| function.nested("stencil.apply"))
    {
        let Some(symbol) = apply.symbol_attr(KERNEL) else {
            continue;
        };
        let kernel = functions
            .iter()
            .find(|function| function.symbol_name() == Some(symbol))
            .copied();
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
    apply: OperationRef<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
) -> PassResult {
    let region = apply.region_at(0);
    builder.clone_region(kernel.region_at(0), region, &[]);
    apply.remove_attr(KERNEL);
    for block in region.block_list() {
        if let Some(terminator) = block.terminator_op().filter(|last| last.is("func.return")) {
            builder.before(terminator);
            builder.op("stencil.return", &terminator.operand_values(), &[], &[]);
            terminator.erase();
        }
    }
    let standard = apply
        .i64_array_attr("standard_indexing")
        .unwrap_or_default();
    let arguments = region
        .entry()
        .map(BlockExt::argument_values)
        .unwrap_or_default();
    for (position, argument) in arguments.into_iter().enumerate() {
        let is_array = array_type(argument.ty()).is_some();
        if !is_array || standard.contains(&(position as i64)) {
            continue;
        }
        let other = argument
            .users()
            .into_iter()
            .find(|user| !user.is("stencil.access") && !user.is("typed.dim"));
        if let Some(user) = other {
            return Err(cx.error(
                user.location(),
                "stencil: the kernel's arrays can only be indexed by one int a dimension",
            ));
        }
    }
    Ok(())
}
