//! The functions that are kernels.

use super::grid::{Grid, Share};
use crate::{
    analysis::{
        nest::{Nest, Reduction},
        reduction::{Combination, Combiner, combine},
    },
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, RegionExt, ValueExt,
        emit::{Emit, mapped},
        ops::{arith, builtin, func, gpu, marks, scf},
    },
};
use melior::ir::{
    Attribute, BlockRef, Location, OperationRef, Value, operation::OperationLike,
    r#type::FunctionType,
};
use std::collections::BTreeSet;

/// The module of kernels of a module.
pub(super) struct Kernels<'x, 'c, 'a> {
    builder: &'x Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
    /// Where the kernels are, once there is one.
    block: Option<BlockRef<'c, 'a>>,
    names: BTreeSet<String>,
}

impl<'x, 'c: 'a, 'a> Kernels<'x, 'c, 'a> {
    pub fn new(builder: &'x Builder<'c, 'a>, module: OperationRef<'c, 'a>) -> Self {
        Self {
            builder,
            module,
            block: None,
            names: BTreeSet::new(),
        }
    }

    /// Adds a kernel without parameters and operations, and says what it is called.
    pub fn add(
        &mut self,
        function: &str,
        location: Location<'c>,
    ) -> (String, OperationRef<'c, 'a>, BlockRef<'c, 'a>) {
        let plain = plain(function);
        let name = (0..)
            .map(|number| format!("{plain}_kernel{number}"))
            .find(|name| !self.names.contains(name))
            .expect("there are more numbers than kernels");
        self.names.insert(name.clone());

        let builder = self.builder;
        let block = *self
            .block
            .get_or_insert_with(|| module_of_kernels(builder, self.module));
        let none = FunctionType::new(builder.context(), &[], &[]);
        builder.at_end(block).at(location);
        let kernel = func::Func::create(builder, &name, none.into());
        kernel.set_attr(marks::DEVICE, Attribute::unit(builder.context()));
        let entry = builder.append_block(kernel.body(), &[]);
        (name, *kernel, entry)
    }
}

/// Adds a module to a module, for what runs on the device.
fn module_of_kernels<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: OperationRef<'c, 'a>,
) -> BlockRef<'c, 'a> {
    let body = module.region_at(0).entry().expect("a module has a block");
    builder.at_end(body).at(module.location());
    let kernels = builtin::Module::create(builder);
    kernels.set_attr(marks::DEVICE, Attribute::unit(builder.context()));
    builder.append_block(kernels.body_region(), &[])
}

/// A name that devices take: ASCII letters, digits and underscores.
fn plain(name: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric();
    let letters = name
        .chars()
        .map(|letter| if fits(letter) { letter } else { '_' });
    let mut plain: String = letters.collect();
    if !plain.starts_with(|first: char| first.is_ascii_alphabetic()) {
        plain.insert(0, 'k');
    }
    plain
}

/// Combines the contribution of an iteration, or of a thread, with what was before it.
pub(super) fn step<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    (nest, reduction): (&Nest<'c, 'a>, &Reduction<'c, 'a>),
    before: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    match &reduction.kind {
        Combination::Operator(kind) => {
            combine(builder, *kind, reduction.reassociate, before, value)
        }
        Combination::Combiner(name) => {
            let combiner = Combiner::find(nest.operation, name);
            let combiner = combiner.expect("a verified loop names combiners");
            inline(builder, nest, combiner.combine, &[before, value])
        }
    }
}

/// Copies the body of a function of a combiner to where the builder stands; gives its result.
pub(super) fn inline<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    function: &str,
    arguments: &[Value<'c, 'a>],
) -> Value<'c, 'a> {
    let function = nest
        .operation
        .lookup_symbol(function)
        .and_then(func::Func::of);
    let body = function.and_then(|function| function.body().entry());
    let body = body.expect("a function that is copied has a block");
    let parameters = body.argument_values().into_iter();
    let mut mapping: Vec<_> = parameters.zip(arguments.iter().copied()).collect();
    builder.copy_block(body, &mut mapping);
    let end = body.terminator_op().expect("a block has a terminator");
    mapped(&mapping, end.operand_value(0))
}

/// Fills a kernel: the body of a loop in loops over what each thread takes, or in a condition that there
/// is an iteration for it, and stores of its partial results. The function gets the type that its
/// parameters say. `firsts` are, along the other axes than x, the numbers of the first block of a part of
/// the grid.
pub(super) fn fill<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    grid: &Grid<'c, 'a>,
    (entry, extents): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
    (starts, slots): (&[Value<'c, 'a>], &[Value<'c, 'a>]),
    firsts: &[Value<'c, 'a>],
) {
    builder.at_end(entry).at(nest.operation.location());
    let threads = Threads::new(builder, grid, firsts);
    let mut carried = starts.to_vec();
    let mut indices = vec![None; extents.len()];
    let mut loops: Vec<(OperationRef, BlockRef)> = Vec::new();
    if grid.share == Share::One {
        for (dimension, extent) in extents.iter().enumerate() {
            let Some(axis) = grid.axis(dimension) else {
                continue;
            };
            let position = threads.position(axis);
            indices[dimension] = Some(position);
            let exists = builder.cmpi(CmpInt::Slt, position, *extent);
            let branch = scf::If::create(builder, exists, &[]);
            loops.push((*branch, builder.append_block(branch.then_region(), &[])));
        }
    }
    for dimension in &grid.order {
        if indices[*dimension].is_some() {
            continue;
        }
        let extent = extents[*dimension];
        let (first, end, step) = match grid.axis(*dimension) {
            Some(axis) if grid.share == Share::InOrder => threads.part(builder, axis, extent),
            Some(axis) => (threads.position(axis), extent, threads.count(builder, axis)),
            None => (builder.index(0), extent, builder.index(1)),
        };
        let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let each = scf::For::create(builder, first, end, step, &carried, &types);
        let mut arguments = vec![builder.index_type()];
        arguments.extend(&types);
        let block = builder.append_block(each.region(), &arguments);
        let mut arguments = block.argument_values();
        indices[*dimension] = Some(arguments.remove(0));
        carried = arguments;
        loops.push((*each, block));
    }
    let indices: Vec<_> = indices.into_iter().flatten().collect();
    let (_, innermost) = *loops.last().expect("a loop has dimensions");
    let combined = inline_body(builder, nest, (innermost, &indices), &carried);

    builder.at_end(innermost);
    builder.scf_yield(&combined);
    for pair in loops.windows(2) {
        builder.at_end(pair[0].1);
        builder.scf_yield(&pair[1].0.result_values());
    }
    builder.at_end(entry);
    let results = loops[0].0.result_values();
    if !results.is_empty() {
        let thread = threads.number(builder);
        for (slot, result) in slots.iter().zip(results) {
            builder.store(result, *slot, &[thread]);
        }
    }
    func::Return::create(builder, &[]);
    set_type(builder, entry);
}

/// Moves the body of a loop to the end of a block, and combines what it yields with what is carried.
fn inline_body<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    (block, indices): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
    carried: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let placeholder = scf::Yield::create(builder.at_end(block), &[]).operation();
    let parameters: Vec<_> = nest
        .indices()
        .into_iter()
        .zip(indices.iter().copied())
        .collect();
    let contributions: Vec<_> = (nest.yielded().into_iter())
        .map(|value| mapped(&parameters, value))
        .collect();
    builder.erase_op(nest.terminator());
    builder.inline_block(nest.body(), placeholder, indices);
    builder.before(placeholder);
    let combined = (nest.reductions.iter().zip(carried).zip(contributions))
        .map(|((reduction, before), value)| step(builder, (nest, reduction), *before, value))
        .collect();
    builder.erase_op(placeholder);
    combined
}

/// Gives the function of a block the type that the block's arguments say.
fn set_type<'c: 'a, 'a>(builder: &Builder<'c, 'a>, entry: BlockRef<'c, 'a>) {
    let inputs: Vec<_> = entry
        .argument_values()
        .iter()
        .map(|value| value.ty())
        .collect();
    let r#type = FunctionType::new(builder.context(), &inputs, &[]);
    let function = entry.parent().and_then(func::Func::of);
    function
        .expect("kernels are functions")
        .set_function_type(r#type.into());
}

/// Where a thread is in the grid.
struct Threads<'c, 'a> {
    /// Its position along each axis.
    positions: Vec<Value<'c, 'a>>,
    /// The extents of a block.
    block: Vec<Value<'c, 'a>>,
}

/// The axes of a grid.
const AXES: [gpu::Dimension; 3] = [gpu::Dimension::X, gpu::Dimension::Y, gpu::Dimension::Z];

impl<'c: 'a, 'a> Threads<'c, 'a> {
    fn new(builder: &Builder<'c, 'a>, grid: &Grid<'c, 'a>, firsts: &[Value<'c, 'a>]) -> Self {
        let add = |x, y| builder.bin(arith::AddI::NAME, x, y);
        let axes = 0..grid.order.len().min(AXES.len());
        let block: Vec<_> = (axes.clone())
            .map(|axis| match grid.fixed {
                Some(fixed) => builder.index(fixed[axis]),
                None => gpu::BlockDim::create(builder, AXES[axis])
                    .operation()
                    .result_value(0),
            })
            .collect();
        let positions = axes.map(|axis| {
            let number = gpu::BlockId::create(builder, AXES[axis])
                .operation()
                .result_value(0);
            let thread = gpu::ThreadId::create(builder, AXES[axis])
                .operation()
                .result_value(0);
            let number = match axis.checked_sub(1).and_then(|at| firsts.get(at)) {
                Some(first) => add(*first, number),
                None => number,
            };
            let before = builder.bin(arith::MulI::NAME, number, block[axis]);
            add(before, thread)
        });
        Self {
            positions: positions.collect(),
            block,
        }
    }

    /// The position of the thread along an axis.
    fn position(&self, axis: usize) -> Value<'c, 'a> {
        self.positions[axis]
    }

    /// How many threads there are along an axis.
    fn count(&self, builder: &Builder<'c, 'a>, axis: usize) -> Value<'c, 'a> {
        let blocks = gpu::GridDim::create(builder, AXES[axis])
            .operation()
            .result_value(0);
        builder.bin(arith::MulI::NAME, blocks, self.block[axis])
    }

    /// The iterations of the thread if each takes some that follow each other: the first one, the one
    /// behind the last, and the distance.
    fn part(
        &self,
        builder: &Builder<'c, 'a>,
        axis: usize,
        extent: Value<'c, 'a>,
    ) -> (Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) {
        let count = self.count(builder, axis);
        let one = builder.index(1);
        let less = builder.bin(arith::SubI::NAME, count, one);
        let rounded = builder.bin(arith::AddI::NAME, extent, less);
        let length = builder.bin(arith::DivUI::NAME, rounded, count);
        let first = builder.bin(arith::MulI::NAME, self.position(axis), length);
        let end = builder.bin(arith::AddI::NAME, first, length);
        (first, builder.bin(arith::MinSI::NAME, end, extent), one)
    }

    /// The number of the thread among all of them.
    fn number(&self, builder: &Builder<'c, 'a>) -> Value<'c, 'a> {
        let (last, axes) = self.positions.split_last().expect("a loop has dimensions");
        let axes = axes.iter().enumerate().rev();
        axes.fold(*last, |number, (axis, position)| {
            let count = self.count(builder, axis);
            let before = builder.bin(arith::MulI::NAME, number, count);
            builder.bin(arith::AddI::NAME, before, *position)
        })
    }
}
