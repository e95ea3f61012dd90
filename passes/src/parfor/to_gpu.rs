//! Offloads parallel loops to a device: their bodies become kernels.

mod grid;
mod kernel;
mod obstacles;
mod parameters;
mod strides;
mod undefined;

use self::{
    grid::Grid,
    kernel::Kernels,
    obstacles::{Device, obstacle},
    parameters::Parameters,
    strides::with_shared_strides,
};
use super::to_threads::outermost;
use crate::{
    analysis::{
        nest::{Nest, NestBuilder, Reduction, is_constant},
        reduction::{self, Combination, Combiner},
    },
    devices::{self, DeviceSpec},
    infra::{
        BlockExt, Builder, OperationExt, OptionSpec, PassContext, PassFailure, PassResult,
        PassSpec, StatisticSpec, ValueExt,
        emit::Emit,
        ops::{AnyOp, func, parfor, scf, typed},
    },
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use pyopt_dialects::typed::{ArrayType, array_type};
use std::collections::BTreeSet;

/// The `parfor-to-gpu` pass.
pub static PASS: PassSpec = PassSpec {
    description: "The body of a `parfor.loop` that only computes, and reads and writes arrays, \
                  becomes a kernel: a function in a module of its own, marked `pyopt.device`. A thread \
                  takes an iteration; the three innermost dimensions of the loop are those of the \
                  grid, and that along which most accesses are to neighbours in memory is the first one. \
                  The loop becomes a `parfor.offload` of it. Where arrays with any strides are likely \
                  to have the same ones, as slices of arrays of the same shape, these are compared, \
                  and a kernel of its own takes the strides once. Numbers are passed as they are; of an \
                  array its address, sizes and, unless it is contiguous, strides are; tuples in \
                  their parts. For reductions there are only as many threads as a device runs at a time: \
                  each reduces every so many iterations, and stores that in an array; \
                  a second kernel does so with that, and the host combines what is left, in order: \
                  the result depends on the grid alone. Of what raises, the offload \
                  lists the sites, whose statuses the kernel gets; values of messages come with them. What \
                  allocates, calls, or holds other values than numbers and arrays of them \
                  stays for the host, and so does what host threads call. With `chosen` the host keeps its \
                  version of each loop, and `parfor.on_device` says which of both runs.",
    dialects: &[
        "arith", "builtin", "func", "gpu", "parfor", "pyopt", "scf", "typed",
    ],
    options: &[
        OptionSpec::bool("remarks", "tell why loops stay on the host", false),
        OptionSpec::text(
            "device",
            "whose conditions on loops count; none without a name",
            "",
        ),
        OptionSpec::bool("fp64", "the device has double precision", true),
        OptionSpec::texts(
            "lacks",
            "operators and functions of floats that the device doesn't have",
            &[],
        ),
        OptionSpec::bool(
            "chosen",
            "which device loops are for is known where they run: the host has its version of each",
            false,
        ),
    ],
    statistics: &[StatisticSpec::new("offloaded", "loops for the device")],
    ..PassSpec::new("parfor-to-gpu", "hand parallel loops to the device", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    let spec = match cx.options().text("device") {
        "" => &DeviceSpec::NONE,
        name => devices::find(name).map_err(PassFailure::Message)?,
    };
    let device = Device {
        spec,
        fp64: cx.options().bool("fp64"),
        lacks: cx.options().texts("lacks"),
    };
    let called = called_by_threads(module);
    let mut kernels = Kernels::new(&builder, module);
    for function in module.nested_ops::<func::Func>() {
        for operation in outermost(function) {
            let nest = Nest::of(operation).expect("only parallel loops are offloaded");
            let threads = called.contains(function.sym_name());
            let obstacle = match threads {
                true => Some("threads of the host call the function".to_owned()),
                false => obstacle(&nest, &device),
            };
            let offloaded = match obstacle {
                Some(reason) => Err(reason),
                None => {
                    let nest = match cx.options().bool("chosen") {
                        true => version_on_device(&builder, &nest, spec.name),
                        false => nest,
                    };
                    let mut versions = with_shared_strides(&builder, &nest).into_iter();
                    let shared = versions.try_for_each(|version| {
                        offload(&builder, &mut kernels, function, &version, false)
                    });
                    shared.and_then(|()| offload(&builder, &mut kernels, function, &nest, false))
                }
            };
            match offloaded {
                Ok(()) => cx.bump("offloaded", 1),
                Err(reason) if cx.options().bool("remarks") => cx.remark(
                    operation.location(),
                    format!("the loop stays on the host: {reason}"),
                ),
                Err(_) => {}
            }
        }
    }
    Ok(())
}

/// Makes a version of a loop for where it runs on a device of a driver; gives that, and the loop stays for the host.
fn version_on_device<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    driver: &str,
) -> Nest<'c, 'a> {
    let original = nest.operation;
    builder.before(original).at(original.location());
    let chosen = parfor::OnDevice::create(builder, driver).result();
    let results = original.result_values();
    let types: Vec<_> = results.iter().map(|value| value.ty()).collect();
    let (branch, device, host) = builder.scf_if(chosen, &types);
    for (result, joined) in results.iter().zip(branch.result_values()) {
        result.replace_all_uses(joined);
    }
    builder.at_end(device);
    let version = builder.clone_op(original, &[]);
    builder.scf_yield(&version.result_values());
    let end = scf::Yield::create(builder.at_end(host), &results);
    builder.move_before(original, *end);
    Nest::of(version).expect("the copy of a loop is one")
}

/// The functions that threads of the host may call: these have no device of their own.
fn called_by_threads<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut from: Vec<OperationRef> = Vec::new();
    for function in module.nested_ops::<func::Func>() {
        from.extend(outermost(function));
    }
    from.extend(
        module
            .nested_ops::<parfor::Combiner>()
            .into_iter()
            .map(|one| *one),
    );
    while let Some(operation) = from.pop() {
        for callee in operation.pre_order().into_iter().flat_map(callees) {
            if found.insert(callee.to_owned())
                && let Some(function) = module.lookup_symbol(callee)
            {
                from.push(function);
            }
        }
    }
    found
}

/// The functions that an operation calls, or makes values of.
fn callees<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<&'c str> {
    match AnyOp::of(operation) {
        AnyOp::Typed(typed::Op::Call(call)) => vec![call.callee()],
        AnyOp::Typed(typed::Op::TryCall(call)) => vec![call.callee()],
        AnyOp::Func(func::Op::Call(call)) => vec![call.callee()],
        AnyOp::Func(func::Op::Constant(constant)) => vec![constant.value()],
        AnyOp::Parfor(parfor::Op::Combiner(combiner)) => {
            vec![combiner.identity(), combiner.combine()]
        }
        _ => vec![],
    }
}

fn offload<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kernels: &mut Kernels<'_, 'c, 'a>,
    function: func::Func<'c, 'a>,
    nest: &Nest<'c, 'a>,
    last: bool,
) -> Result<(), String> {
    let starts = starts(builder.before(nest.operation), nest)?;
    let mut used = nest.extents.clone();
    used.extend(
        nest.live_ins()
            .into_iter()
            .filter(|value| !nest.extents.contains(value)),
    );
    let grid = Grid::new(builder.before(nest.operation), nest, last);
    let partial = partial_results(builder, nest, &grid);
    let (name, kernel, entry) = kernels.add(function.sym_name(), nest.operation.location());

    let mut parameters = Parameters::new(builder, nest, entry);
    let starts: Vec<_> = starts
        .into_iter()
        .map(|start| match start {
            Start::Constant(start) => parameters.copy(start),
            Start::Call(identity) => kernel::inline(parameters.inside(), nest, identity, &[]),
        })
        .collect();
    let mut replaced: Vec<(Value, Value)> = Vec::new();
    for value in used {
        let inside = match is_constant(value) && array_type(value.ty()).is_none() {
            true => parameters.copy(value),
            false => parameters.pass(value),
        };
        replaced.push((value, inside));
    }
    let slots: Vec<_> = partial
        .iter()
        .map(|array| parameters.pass_fresh(*array))
        .collect();
    let extents: Vec<_> = replaced[..nest.extents.len()]
        .iter()
        .map(|pair| pair.1)
        .collect();
    let sites = parameters.pass_sites();
    let firsts = match grid.is_split() {
        true => parameters.pass_firsts().to_vec(),
        false => Vec::new(),
    };
    let (arguments, access) = (parameters.arguments.clone(), parameters.access.clone());
    let carried = (&starts[..], &slots[..]);
    kernel::fill(builder, nest, &grid, (entry, &extents), carried, &firsts);
    for (outside, inside) in replaced {
        outside.replace_uses_if(inside, |r#use| r#use.user.is_within(kernel));
    }

    builder.before(nest.operation);
    let (blocks, block) = (&grid.blocks, &grid.block);
    let launch = parfor::Offload::create(builder, &name, blocks, block, &arguments, &access, &[]);
    launch.set_sites((!sites.is_empty()).then_some(&sites[..]));
    launch.set_split(grid.is_split());
    if partial.is_empty() || last {
        let results = combine_results(builder, nest, &partial);
        builder.replace_op(nest.operation, &results);
        return Ok(());
    }
    let combine = combining_loop(builder, nest, &partial);
    builder.replace_op(nest.operation, &combine.reduced());
    offload(builder, kernels, function, &combine, true)
}

/// A loop over the partial results of a reduction, with the same result.
fn combining_loop<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    partial: &[Value<'c, 'a>],
) -> Nest<'c, 'a> {
    let threads = builder.dim(partial[0], 0);
    let mut combine = NestBuilder::new(&[threads], nest.pattern);
    combine.reductions = nest.reductions.clone();
    combine.build(builder, |indices| {
        let partial = partial.iter();
        partial.map(|array| builder.load(*array, indices)).collect()
    })
}

/// What a thread starts a reduction with.
enum Start<'c, 'a> {
    /// A constant outside of the kernel.
    Constant(Value<'c, 'a>),
    /// The result of a function.
    Call(&'c str),
}

/// What the threads start the reductions with.
fn starts<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
) -> Result<Vec<Start<'c, 'a>>, String> {
    let start = |reduction: &Reduction<'c, 'a>| match &reduction.kind {
        Combination::Operator(kind) => {
            let r#type = reduction.init.ty();
            let reason = || format!("'{}' of {type} doesn't run there", kind.name());
            let start = reduction::neutral(builder, *kind, r#type).ok_or_else(reason)?;
            Ok(Start::Constant(start))
        }
        Combination::Combiner(name) => {
            let combiner = Combiner::find(nest.operation, name);
            let combiner = combiner.expect("a verified loop names combiners");
            Ok(Start::Call(combiner.identity))
        }
    };
    nest.reductions.iter().map(start).collect()
}

/// Allocates, for each reduction, an element for each thread of the grid.
fn partial_results<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    grid: &Grid<'c, 'a>,
) -> Vec<Value<'c, 'a>> {
    if nest.reductions.is_empty() {
        return Vec::new();
    }
    let threads = grid.threads(builder);
    let reductions = nest.reductions.iter();
    reductions
        .map(|reduction| {
            let array = ArrayType::contiguous(1, reduction.init.ty());
            builder.empty(&[threads], array.to_type(builder.context()))
        })
        .collect()
}

/// Combines the results of the threads with the initial values, in the order of the threads.
fn combine_results<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    partial: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let Some(first) = partial.first() else {
        return Vec::new();
    };
    let inits: Vec<_> = nest
        .reductions
        .iter()
        .map(|reduction| reduction.init)
        .collect();
    let threads = builder.dim(*first, 0);
    let (combine, block) = builder.scf_for(builder.index(0), threads, &inits);
    let (index, carried) = (block.argument_value(0), &block.argument_values()[1..]);
    let combined: Vec<_> = (nest.reductions.iter().zip(partial).zip(carried))
        .map(|((reduction, array), before)| {
            let value = builder.load(*array, &[index]);
            kernel::step(builder, (nest, reduction), *before, value)
        })
        .collect();
    builder.scf_yield(&combined);
    builder.after(combine);
    combine.result_values()
}
