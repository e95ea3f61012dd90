//! Makes counted loops of loops over iterators.
//!
//! A loop whose only exit is the exhaustion of its iterator becomes an `scf.for` over the indices
//! `0..length`, with its blocks in an `scf.execute_region`. A loop that is also left by `break` or
//! `return` stays in the control flow graph, with an index in place of the iterator;
//! `typed-lift-control-flow` makes an `scf.while` of it.

use super::{
    branch::{Edge, branch, conditional_branch, erase_unreachable, move_block, redirect},
    counting::Sequence,
};
use crate::{
    analysis::iterator_loops::IteratorLoop,
    infra::{
        BlockExt, Builder, CmpInt, Dominance, Identity, OperationExt, OptionSpec, PassContext,
        PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt, erase_unused,
        ops::{arith, func, marks, scf, typed},
    },
};
use melior::ir::{
    BlockRef, OperationRef, RegionRef, Type, Value, block::BlockLike, operation::OperationLike,
};
use pyopt_dialects::{enums::IntegerOverflowFlags, typed::TypedType};
use std::collections::HashMap;

/// Replaces every `typed.for_iter`.
pub static PASS: PassSpec = PassSpec {
    description: "A loop over a range, an array, a str or a tuple counts positions from 0; the \
        item is computed from the position. Lengths follow Python: negative steps, dynamic and \
        empty ranges are right. An iterator that is used in any other way than by one loop is an \
        error. A prange loop that is left by `break` or `return` is a loop like any other.",
    anchor: func::Func::NAME,
    dialects: &["arith", "cf", "scf", "typed"],
    options: &[OptionSpec::bool(
        "parallel",
        "warn of prange loops that therefore run one iteration after another",
        false,
    )],
    statistics: &[
        StatisticSpec::new("counted", "loops that became scf.for"),
        StatisticSpec::new(
            "left-early",
            "loops that got a counter but stay as they are",
        ),
        StatisticSpec::new("searches", "times the loops of a region were looked for"),
    ],
    ..PassSpec::new(
        "typed-range-to-for",
        "turn loops over ranges and arrays into counted loops",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), root);
    let mut waiting = root.region_list();
    waiting.iter().copied().for_each(erase_unreachable);
    while let Some(region) = waiting.pop() {
        while convert_outermost(cx, &builder, root, region)? {}
        let operations = region
            .block_list()
            .into_iter()
            .flat_map(BlockExt::operation_list);
        waiting.extend(operations.flat_map(OperationExt::region_list));
    }
    // Inference drops loops over empty iterables, but not their iterators.
    let operations: Vec<_> = root.pre_order().into_iter().collect();
    for operation in operations.into_iter().rev() {
        if is_iterator(operation) && operation.is_unused() {
            builder.erase_op(operation);
        }
    }
    Ok(())
}

/// Converts the loops directly in a region that aren't part of others; whether there were any.
///
/// Outer loops come first: the positions of an outer loop tell about the bounds of inner ones.
fn convert_outermost<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    root: OperationRef<'c, 'a>,
    region: RegionRef<'c, 'a>,
) -> PassResult<bool> {
    // Converting a loop changes no loop that it doesn't hold, and neither what dominates these.
    let dominance = Dominance::new(root);
    let loops = IteratorLoop::outermost_first(region, &dominance);
    cx.bump("searches", 1);
    // The blocks of loops that were converted, which may be gone; whether they moved.
    let mut taken = HashMap::new();
    for found in &loops {
        match taken.get(&found.header.key()) {
            // It is in the body of a counted loop now, which is looked at later.
            Some(true) => continue,
            // It is part of a loop that has other blocks now.
            Some(false) => return Ok(true),
            None => {}
        }
        let moved = convert(cx, builder, found, &dominance)?;
        let blocks = found.body.iter();
        taken.extend(blocks.map(|block| (block.key(), moved)));
    }
    Ok(!loops.is_empty())
}

/// Whether an operation makes an iterator.
fn is_iterator(operation: OperationRef) -> bool {
    use typed::Op::{Enumerate, Iter, Reversed, Zip};
    let operation = typed::Op::of(operation);
    matches!(
        operation,
        Some(Iter(_) | Reversed(_) | Enumerate(_) | Zip(_))
    )
}

/// Converts a loop; whether its blocks moved to a region of their own.
fn convert<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    found: &IteratorLoop<'c, 'a>,
    dominance: &Dominance<'c, 'a>,
) -> PassResult<bool> {
    let for_iter = typed::ForIter::of(found.for_iter).expect("is the end of the header");
    let location = for_iter.location();
    let iterator = for_iter.iterator();
    let Some(made) = iterators(found, iterator, dominance) else {
        return Err(cx.error(
            location,
            "an iterator can be used by one for loop only, right where it is made",
        ));
    };
    let item = for_iter.body().argument_value(0).ty();
    let Some(sequence) = Sequence::of_iterator(made[0], item) else {
        let kind = match TypedType::from(iterator.ty()) {
            TypedType::Iter(iterable) => iterable,
            _ => iterator.ty(),
        };
        return Err(cx.error(
            location,
            format!("can't iterate over a value of type '{kind}'"),
        ));
    };

    let moved = match found.early_exit().or_else(|| found.suspension()) {
        None if !sequence.is_variable() => {
            to_for(builder, found, for_iter, &sequence);
            cx.bump("counted", 1);
            true
        }
        exit => {
            let exit = exit.filter(|_| cx.options().bool("parallel"));
            if let Some(exit) = exit.filter(|_| sequence.parallel_mark().is_some()) {
                let reason = reason_to_stay(exit);
                cx.warning(
                    exit.location(),
                    format!("the iterations of this prange run one after another: {reason}"),
                );
            }
            to_counter(builder, found, for_iter, &sequence, made[0]);
            cx.bump("left-early", 1);
            false
        }
    };
    for iterator in made {
        let iterables = iterator.operand_values();
        builder.erase_op(iterator);
        erase_unused(iterables, |iterable| iterable.isa::<typed::Range>());
    }
    Ok(moved)
}

/// Why a `prange` loop with an early exit or a suspension can't run on threads.
fn reason_to_stay(exit: OperationRef) -> &'static str {
    // `typed-expand-try` makes such blocks.
    let raises = exit.successor_blocks().into_iter().any(|target| {
        let first = target.first().and_then(typed::Op::of);
        matches!(first, Some(typed::Op::Exception(_) | typed::Op::Catch(_)))
    });
    if raises {
        "what it raises is caught by a handler that needs what variables are at that point"
    } else if exit.isa::<typed::YieldValue>() {
        "it yields"
    } else {
        "it is left by break or return"
    }
}

/// The operation that makes a loop's iterator, then those of the iterators that it wraps; each has
/// no other use, and is executed once per execution of the loop.
fn iterators<'c: 'a, 'a>(
    found: &IteratorLoop<'c, 'a>,
    iterator: Value<'c, 'a>,
    dominance: &Dominance<'c, 'a>,
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let makes = |value: Value<'c, 'a>| {
        let operation = value.defining_op()?;
        let fresh =
            value.uses().len() == 1 && found.starts_at(operation.parent_block()?, dominance);
        fresh.then_some(operation)
    };
    let is_iterator =
        |value: &Value<'c, 'a>| matches!(TypedType::from(value.ty()), TypedType::Iter(_));
    let mut made = vec![makes(iterator)?];
    let mut next = 0;
    while let Some(operation) = made.get(next) {
        let operands = operation.operand_values().into_iter().filter(is_iterator);
        let further: Option<Vec<_>> = operands.map(makes).collect();
        made.extend(further?);
        next += 1;
    }
    Some(made)
}

/// Makes an `scf.for` in the header. The header's arguments are its initial values; the other
/// operations of the header are cloned to the start of each iteration, and run once more after the
/// loop.
fn to_for<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    found: &IteratorLoop<'c, 'a>,
    for_iter: typed::ForIter<'c, 'a>,
    sequence: &Sequence<'c, 'a>,
) {
    let header = found.header;
    let location = for_iter.location();
    let carried = header.argument_values();
    let types: Vec<_> = carried.iter().map(|argument| argument.ty()).collect();
    let repeated: Vec<_> = header
        .operation_list()
        .into_iter()
        .filter(|operation| *operation != *for_iter)
        .collect();

    builder.at_start(header).at(location);
    let length = sequence.length(builder);
    let zero = builder.index(0);
    let one = builder.index(1);
    let loop_op = scf::For::create(builder, zero, length, one, &carried, &types);
    if let Some(mark) = sequence.parallel_mark() {
        loop_op.set_attr(marks::PRANGE, mark);
    }
    let arguments = [&[builder.index_type()], &types[..]].concat();
    let loop_block = builder
        .at(location)
        .append_block(loop_op.region(), &arguments);
    let loop_arguments = loop_block.argument_values();

    // The body of the loop.
    builder.at_start(loop_block).at(location);
    let mut mapping: Vec<_> = carried
        .iter()
        .copied()
        .zip(loop_arguments[1..].iter().copied())
        .collect();
    for operation in &repeated {
        let copy = builder.clone_op(*operation, &mapping);
        mapping.extend(
            operation
                .result_values()
                .into_iter()
                .zip(copy.result_values()),
        );
    }
    let item = sequence.item(builder.at(location), loop_arguments[0]);
    let region_op = scf::ExecuteRegion::create(builder, &types);
    scf::Yield::create(builder, &region_op.part0());
    let entry = body_edge(for_iter, item);
    let (exit, exit_operands) = (for_iter.exit(), for_iter.exit_operands());
    branch(builder.before(*for_iter), exit, &exit_operands);
    builder.erase_op(*for_iter);
    move_body(
        builder.at(location),
        found,
        region_op.region(),
        entry,
        &types,
    );

    // In the body, uses of the header's values refer to this iteration's; after the loop to the
    // final ones, which the header's own operations compute.
    for (outside, inside) in &mapping {
        outside.replace_uses_if(*inside, |r#use| r#use.user.is_within(*region_op));
    }
    for (argument, result) in carried.iter().zip(loop_op.results()) {
        argument.replace_uses_if(result, |r#use| {
            r#use.user != *loop_op && !r#use.user.is_within(*loop_op)
        });
    }
}

/// The edge into the body, with the item as an operand.
fn body_edge<'c: 'a, 'a>(for_iter: typed::ForIter<'c, 'a>, item: Value<'c, 'a>) -> Edge<'c, 'a> {
    Edge {
        target: for_iter.body(),
        operands: [&[item], &for_iter.body_operands()[..]].concat(),
    }
}

/// Moves the blocks of a loop to an empty region, whose entry continues along `entry`. Back edges
/// are redirected to a new block that yields the header's operands.
fn move_body<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    found: &IteratorLoop<'c, 'a>,
    region: RegionRef<'c, 'a>,
    mut entry: Edge<'c, 'a>,
    types: &[Type<'c>],
) {
    let start = builder.append_block(region, &[]);
    for block in &found.body {
        move_block(*block, region);
    }
    let latch = builder.append_block(region, types);
    scf::Yield::create(builder, &latch.argument_values());
    for block in &found.latches {
        redirect(*block, found.header, latch);
    }

    // The edge into an empty body is itself the back edge.
    if entry.target == found.header {
        entry.target = latch;
    }
    if entry.target.predecessor_count() == 0 {
        builder.merge_blocks(entry.target, start, &entry.operands);
    } else {
        builder.at_end(start);
        branch(builder, entry.target, &entry.operands);
    }
}

/// Gives the loop an index as a further header argument, which is compared with the length in the
/// header.
fn to_counter<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    found: &IteratorLoop<'c, 'a>,
    for_iter: typed::ForIter<'c, 'a>,
    sequence: &Sequence<'c, 'a>,
    iter: OperationRef<'c, 'a>,
) {
    let header = found.header;
    let context = builder.context();
    let location = for_iter.location();
    let region = header.region().expect("is part of a region");
    let index = Type::index(context);
    let types: Vec<_> = header
        .argument_values()
        .into_iter()
        .map(|argument| argument.ty())
        .collect();

    let mut sequence = sequence.clone();
    let fixed = match sequence.is_variable() {
        true => {
            sequence.begin(builder);
            None
        }
        false => Some(sequence.length(builder.before(iter).at(location))),
    };
    let zero = builder.before(iter).at(location).index(0);
    let position = if found.latches.is_empty() {
        zero
    } else {
        let one = builder.index(1);
        let position = header.push_argument(index, location);
        let come_from = |blocks: &[BlockRef<'c, 'a>], next: &dyn Fn() -> Value<'c, 'a>| {
            let way = builder.append_block(region, &types);
            let operands = [way.argument_values(), vec![next()]].concat();
            for block in blocks {
                redirect(*block, header, way);
            }
            branch(builder, header, &operands);
        };
        come_from(&found.entries, &|| zero);
        come_from(&found.latches, &|| {
            let next = arith::AddI::create(builder, position, one);
            // The counter is less than the length.
            next.set_overflow_flags(IntegerOverflowFlags::NSW);
            next.result()
        });
        position
    };

    let inside = builder.at(location).append_block(region, &[]);
    let entry = body_edge(for_iter, sequence.item(builder, position));
    branch(builder, entry.target, &entry.operands);
    let inside = Edge {
        target: inside,
        operands: Vec::new(),
    };
    let exit = Edge {
        target: for_iter.exit(),
        operands: for_iter.exit_operands(),
    };
    builder.before(*for_iter);
    let more = match fixed {
        Some(length) => builder.cmpi(CmpInt::Slt, position, length),
        None => sequence.goes_on(builder, position),
    };
    conditional_branch(builder, more, &inside, &exit);
    builder.erase_op(*for_iter);
}
