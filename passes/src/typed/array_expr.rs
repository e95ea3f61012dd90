//! Fuses trees of array expressions into one: loop fusion and shortcut deforestation.
//!
//! The intermediate array is never allocated. A producer is only moved to its consumer when no
//! operation between them writes to what it reads, and when the order of errors that the user could
//! observe stays the same.

use crate::{
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
        StatisticSpec, ValueExt,
    },
    parfor::{
        effects::Footprint,
        emit::{Emit, mapped},
        shape::rank,
    },
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};

/// The `typed-array-expr` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `typed.array_expr` whose only user is another one is computed there, element \
                  by element: `a * b + c` becomes one expression, and its intermediate array is \
                  gone. Expressions of a smaller rank than their consumer are left alone, as they \
                  would be computed more than once an element, and so are those that would have to \
                  move across a write or another error.",
    anchor: "func.func",
    dialects: &["typed"],
    statistics: &[StatisticSpec::new(
        "fused",
        "expressions merged into their consumer",
    )],
    ..PassSpec::new("typed-array-expr", "fuse trees of array expressions", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let blocks: Vec<_> = function
        .pre_order()
        .into_iter()
        // Fusion erases the producers' blocks, and those of their nested branches.
        .filter(|operation| operation.parent_named("typed.array_expr").is_none())
        .filter(|operation| !operation.is("typed.array_expr"))
        .flat_map(|operation| operation.nested_blocks())
        .collect();
    for block in blocks {
        run_on_block(cx, &builder, block);
    }
    Ok(())
}

fn run_on_block<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    builder: &Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
) {
    // Producers precede consumers, so each has absorbed its own producers before it is visited.
    for consumer in block.operation_list() {
        if !consumer.is("typed.array_expr") {
            continue;
        }
        let mut consumer = consumer;
        while let Some(producer) = find_producer(consumer) {
            consumer = fuse(builder, producer, consumer);
            cx.bump("fused", 1);
        }
    }
}

/// Finds an operand whose defining expression can be computed in its consumer instead.
fn find_producer<'c: 'a, 'a>(consumer: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // From the last operand: the producer nearest to the consumer has the fewest operations to
    // cross.
    consumer
        .operand_values()
        .into_iter()
        .rev()
        .filter_map(|operand| operand.defined_by("typed.array_expr"))
        .find(|producer| can_fuse(*producer, consumer))
}

fn can_fuse<'c: 'a, 'a>(producer: OperationRef<'c, 'a>, consumer: OperationRef<'c, 'a>) -> bool {
    let array = producer.result_value(0);
    let fits = rank(array) == rank(consumer.result_value(0)) || rank(array) == 0;
    fits && producer.parent_block() == consumer.parent_block()
        && array.users().iter().all(|user| *user == consumer)
        && is_scalar(producer)
        && is_scalar(consumer)
        && can_move(producer, consumer)
}

/// Whether the region has no effects.
pub(crate) fn is_scalar<'c: 'a, 'a>(expression: OperationRef<'c, 'a>) -> bool {
    body(expression)
        .operation_list()
        .into_iter()
        .all(|operation| operation.is_pure() || operation.is_terminator())
}

/// Whether an expression may be moved down to right before another operation of its block.
pub(crate) fn can_move<'c: 'a, 'a>(
    producer: OperationRef<'c, 'a>,
    consumer: OperationRef<'c, 'a>,
) -> bool {
    let moved = Footprint::of(producer);
    let mut next = producer.next_in_block();
    while let Some(operation) = next {
        if operation == consumer {
            return true;
        }
        if Footprint::of(operation).conflicts(&moved) {
            return false;
        }
        next = operation.next_in_block();
    }
    false
}

fn body<'c: 'a, 'a>(expression: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
    expression
        .region_at(0)
        .entry()
        .expect("a verified expression has a body")
}

/// Replaces producer and consumer by one expression that has each of their operands once.
fn fuse<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    producer: OperationRef<'c, 'a>,
    consumer: OperationRef<'c, 'a>,
) -> OperationRef<'c, 'a> {
    let between = producer.result_value(0);
    let mut inputs: Vec<Value> = Vec::new();
    for operand in consumer.operand_values() {
        // The producer's operands are inserted where its result was first used, so that sizes are
        // still checked from left to right.
        let replacements = if operand == between {
            producer.operand_values()
        } else {
            vec![operand]
        };
        for input in replacements {
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
    }

    builder.before(consumer);
    let elements: Vec<_> = inputs.iter().map(|input| element(*input)).collect();
    let (fused, block) = builder.op_with_body(
        "typed.array_expr",
        &inputs,
        &consumer.result_types(),
        &[],
        &elements,
    );
    let argument = |input: Value<'c, 'a>| {
        let position = inputs.iter().position(|one| *one == input);
        block.argument_value(position.expect("every operand is an input"))
    };

    let mut mapping: Vec<_> = body(producer)
        .argument_values()
        .into_iter()
        .zip(producer.operand_values().into_iter().map(argument))
        .collect();
    builder.copy_block(body(producer), &mut mapping);
    let value = mapped(&mapping, yielded(producer));

    for (parameter, operand) in body(consumer)
        .argument_values()
        .into_iter()
        .zip(consumer.operand_values())
    {
        let becomes = if operand == between {
            value
        } else {
            argument(operand)
        };
        mapping.push((parameter, becomes));
    }
    builder.copy_block(body(consumer), &mut mapping);
    let result = mapped(&mapping, yielded(consumer));
    builder
        .at(consumer.location())
        .op("typed.yield", &[result], &[], &[]);

    builder.replace_op(consumer, &fused.result_values());
    builder.erase_op(producer);
    fused
}

/// The block argument for an operand.
fn element<'c: 'a, 'a>(operand: Value<'c, 'a>) -> melior::ir::Type<'c> {
    pyopt_dialects::typed::array_type(operand.ty()).map_or(operand.ty(), |array| array.element)
}

fn yielded<'c: 'a, 'a>(expression: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    body(expression)
        .terminator_op()
        .expect("a verified expression yields")
        .operand_value(0)
}
