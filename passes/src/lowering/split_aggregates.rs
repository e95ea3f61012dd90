//! Has blocks take numbers and pointers in place of structs and arrays of them, and functions return at one place.

use crate::infra::{
    BlockExt, Builder, Identity, Key, OperationExt, OperationInterfaces, PassContext, PassResult,
    PassSpec, RegionExt, StatisticSpec, ValueExt, array_elements,
    ops::llvm::{self, ExtractValue, InsertValue, LLVMFunc, Poison},
    struct_fields,
};
use melior::ir::{BlockRef, OperationRef, Type, Value, operation::OperationLike};
use std::collections::HashMap;

/// Splits what blocks take into scalars.
pub static PASS: PassSpec = PassSpec {
    description: "Blocks that take structs, or arrays of a few elements, take their parts: LLVM folds, \
                  threads and takes out of loops what is made of a phi of a number, but nothing of a phi of a \
                  struct, and its back end for SPIR-V has none of these. A function that returns a struct in \
                  several places returns it in one, to which the others branch with the parts: where it is \
                  inlined, each of its results is a phi then. Runs on the llvm dialect.",
    dialects: &["llvm"],
    statistics: &[
        StatisticSpec::new("arguments", "arguments of blocks that were split"),
        StatisticSpec::new("returns", "returns that became branches"),
    ],
    ..PassSpec::new(
        "split-aggregates",
        "have blocks take the parts of structs",
        run,
    )
};

/// Arrays of more elements stay whole: what has so many is no descriptor of an array or a tuple.
const FEW_ELEMENTS: usize = 8;

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    for function in module.nested_ops::<LLVMFunc>() {
        cx.bump("returns", merge_returns(&builder, function) as u64);
        cx.bump("arguments", split_arguments(&builder, function) as u64);
    }
    Ok(())
}

/// Has a function that returns a struct in several places return in one; how many did.
fn merge_returns<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: LLVMFunc<'c, 'a>) -> usize {
    let mut returns = Vec::new();
    for block in function.body().block_list() {
        let leave = block.terminator_op().and_then(llvm::Return::of);
        returns.extend(leave.and_then(|leave| Some((leave, leave.arg()?))));
    }
    let [(_, first), _, ..] = returns[..] else {
        return 0;
    };
    if !is_aggregate(first.ty()) {
        return 0;
    }
    let exit = builder
        .at(function.location())
        .append_block(function.body(), &[first.ty()]);
    for &(leave, value) in &returns {
        builder.before(*leave).at(leave.location());
        llvm::Br::create(builder, &[value], exit);
        builder.erase_op(*leave);
    }
    builder.at_end(exit).at(function.location());
    llvm::Return::create(builder, Some(exit.argument_value(0)));
    returns.len()
}

/// Has all blocks of a function but the first take the scalars in structs and arrays behind everything else;
/// how many arguments were split.
fn split_arguments<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: LLVMFunc<'c, 'a>) -> usize {
    let blocks = function.body().block_list();
    let mut split: HashMap<Key, Vec<usize>> = HashMap::new();
    for block in blocks.iter().skip(1) {
        let arguments = block.argument_values();
        let positions: Vec<_> = (arguments.iter().enumerate())
            .filter(|(_, argument)| is_aggregate(argument.ty()))
            .map(|(position, _)| position)
            .collect();
        if !positions.is_empty() {
            take_scalars(builder, *block, &positions);
            split.insert(block.key(), positions);
        }
    }
    for branch in blocks.iter().filter_map(|block| block.terminator_op()) {
        for (index, target) in branch.successor_blocks().into_iter().enumerate() {
            if let Some(positions) = split.get(&target.key()) {
                pass_scalars(builder, branch, index, positions);
            }
        }
    }
    split.values().map(Vec::len).sum()
}

/// Replaces arguments of a block by their scalars, behind its other ones.
fn take_scalars<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
    positions: &[usize],
) {
    builder.at_start(block);
    for &position in positions {
        let argument = block.argument_value(position);
        builder.at(argument.location());
        let nothing = Poison::create(builder, argument.ty()).res();
        let whole = scalars(argument.ty())
            .into_iter()
            .fold(nothing, |whole, (path, ty)| {
                let scalar = block.push_argument(ty, argument.location());
                InsertValue::create(builder, whole, scalar, &path).res()
            });
        argument.replace_all_uses(whole);
    }
    for &position in positions.iter().rev() {
        block.remove_argument(position);
    }
}

/// Has a branch pass the scalars of some of its operands behind the other ones.
fn pass_scalars<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    branch: OperationRef<'c, 'a>,
    successor: usize,
    positions: &[usize],
) {
    let Some((_, operands)) = branch.successor_operands(successor) else {
        return;
    };
    builder.before(branch).at(branch.location());
    let mut passed = branch.operand_values()[operands].to_vec();
    for &position in positions {
        let whole = passed[position];
        let parts = scalars(whole.ty()).into_iter();
        passed.extend(parts.map(|(path, ty)| scalar(builder, whole, path, ty)));
    }
    for &position in positions.iter().rev() {
        passed.remove(position);
    }
    branch.set_successor_operands(successor, &passed);
}

/// The scalar at a path in a value: what was put there, where that is in sight.
fn scalar<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    whole: Value<'c, 'a>,
    mut path: Vec<i64>,
    ty: Type<'c>,
) -> Value<'c, 'a> {
    let mut from = whole;
    while let Some(insertion) = InsertValue::defining(from) {
        let position = insertion.position();
        // A part of what is asked for was put there: it is asked for as a whole.
        if position.len() > path.len() && position.starts_with(&path) {
            break;
        }
        from = match path.strip_prefix(&position[..]) {
            Some([]) => return insertion.value(),
            Some(rest) => {
                path = rest.to_vec();
                insertion.value()
            }
            None => insertion.container(),
        };
    }
    match Poison::defining(from) {
        Some(_) => Poison::create(builder, ty).res(),
        None => ExtractValue::create(builder, from, &path, ty).res(),
    }
}

/// Whether a type is split.
fn is_aggregate(ty: Type) -> bool {
    struct_fields(ty).is_some() || elements(ty).is_some()
}

/// The elements of an array that is split.
fn elements(ty: Type) -> Option<(Type, usize)> {
    array_elements(ty).filter(|(_, count)| *count <= FEW_ELEMENTS)
}

/// The paths and types of the scalars in a type, in order: of itself, if it isn't split.
fn scalars(ty: Type) -> Vec<(Vec<i64>, Type)> {
    let array = || elements(ty).map(|(element, count)| vec![element; count]);
    let Some(parts) = struct_fields(ty).or_else(array) else {
        return vec![(Vec::new(), ty)];
    };
    (0..)
        .zip(parts)
        .flat_map(|(at, part)| {
            let inner = scalars(part).into_iter();
            inner.map(move |(path, ty)| ([&[at], &path[..]].concat(), ty))
        })
        .collect()
}
