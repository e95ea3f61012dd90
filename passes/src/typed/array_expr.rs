//! Fuses trees of array expressions into one: loop fusion and shortcut deforestation.
//!
//! The intermediate array is never allocated. A producer is only moved to its consumer when no
//! operation between them writes to what it reads, and when the order of errors that the user could
//! observe stays the same.

use crate::{
    analysis::{effects::Footprint, shape::rank},
    infra::{
        BlockExt, Builder, Identity, Key, OperationExt, PassContext, PassResult, PassSpec, Raises,
        RegionExt, StatisticSpec, ValueExt,
        ops::{func, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Type, Value, operation::OperationLike};
use pyopt_dialects::typed::array_type;
use std::collections::HashMap;

/// The `typed-array-expr` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `typed.array_expr` whose only user is another one is computed there, element \
                  by element: `a * b + c` becomes one expression, and its intermediate array is \
                  gone. Expressions of a smaller rank than their consumer are left alone, as they \
                  would be computed more than once an element, and so are those that would have to \
                  move across a write or another error.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    statistics: &[
        StatisticSpec::new("fused", "expressions merged into their consumer"),
        StatisticSpec::new("moved", "operations moved from one region to another"),
    ],
    ..PassSpec::new("typed-array-expr", "fuse trees of array expressions", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let blocks: Vec<_> = function
        .pre_order()
        .into_iter()
        // Fusion erases the producers' blocks, and those of their nested branches.
        .filter(|operation| operation.ancestor::<typed::ArrayExpr>().is_none())
        .filter(|operation| !operation.isa::<typed::ArrayExpr>())
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
    let mut known = Known::of(block);
    // Producers precede consumers, so each has absorbed its own producers before it is visited.
    for operation in block.operation_list() {
        let Some(mut consumer) = typed::ArrayExpr::of(operation) else {
            continue;
        };
        while let Some(producer) = known.find_producer(consumer) {
            let (fused, moved) = known.fuse(builder, producer, consumer);
            consumer = fused;
            cx.bump("fused", 1);
            cx.bump("moved", moved as u64);
        }
    }
}

/// An expression of a block, as far as it doesn't change while others are fused.
#[derive(Clone, Copy)]
struct Expression {
    /// Where it stands among the operations that were in the block at first.
    place: usize,
    /// How many operations its region has.
    size: usize,
    /// Whether the region computes and does nothing else.
    is_scalar: bool,
}

/// What is known about the operations of a block, so that a tree of expressions isn't gone through
/// again for each that is fused.
struct Known<'c, 'a> {
    expressions: HashMap<Key, Expression>,
    /// The operations that change or raise anything, which expressions may not be able to pass, in
    /// order.
    barriers: Vec<(usize, OperationRef<'c, 'a>)>,
}

impl<'c: 'a, 'a> Known<'c, 'a> {
    fn of(block: BlockRef<'c, 'a>) -> Self {
        let mut known = Self {
            expressions: HashMap::new(),
            barriers: Vec::new(),
        };
        for (place, operation) in block.operation_list().into_iter().enumerate() {
            let footprint = Footprint::of(operation);
            if footprint.writes_anything() || footprint.raises == Raises::Anything {
                known.barriers.push((place, operation));
            }
            if let Some(expression) = typed::ArrayExpr::of(operation) {
                let expression = Expression {
                    place,
                    size: body(expression).operation_list().len(),
                    is_scalar: is_scalar(operation),
                };
                known.expressions.insert(operation.key(), expression);
            }
        }
        known
    }

    /// Finds an operand whose defining expression can be computed in its consumer instead.
    fn find_producer(
        &self,
        consumer: typed::ArrayExpr<'c, 'a>,
    ) -> Option<typed::ArrayExpr<'c, 'a>> {
        // From the last operand: the producer nearest to the consumer has the fewest operations to
        // cross.
        consumer
            .inputs()
            .into_iter()
            .rev()
            .filter_map(typed::ArrayExpr::defining)
            .find(|producer| self.can_fuse(*producer, consumer))
    }

    fn can_fuse(
        &self,
        producer: typed::ArrayExpr<'c, 'a>,
        consumer: typed::ArrayExpr<'c, 'a>,
    ) -> bool {
        // It isn't in the block otherwise.
        let Some(from) = self.expressions.get(&producer.key()) else {
            return false;
        };
        let to = &self.expressions[&consumer.key()];
        let array = producer.result();
        let fits = rank(array) == rank(consumer.result()) || rank(array) == 0;
        fits && from.is_scalar
            && to.is_scalar
            && array.users().iter().all(|user| *user == *consumer)
            && self.can_move(*producer, from.place, to.place)
    }

    /// Whether an expression that does nothing but compute may be computed at another place.
    fn can_move(&self, producer: OperationRef<'c, 'a>, from: usize, to: usize) -> bool {
        let first = self.barriers.partition_point(|(place, _)| *place <= from);
        let mut between = self.barriers[first..]
            .iter()
            .take_while(|(place, _)| *place < to)
            .peekable();
        if between.peek().is_none() {
            return true;
        }
        let mut moved = Footprint::default();
        moved.add_alone(producer);
        between.all(|(_, passed)| !Footprint::of(*passed).conflicts(&moved))
    }

    /// Replaces both by one expression, which takes each of their operands once. Returns it, and how
    /// many operations were moved.
    ///
    /// The larger region is kept, so that an operation moves only to where at least as many are.
    fn fuse(
        &mut self,
        builder: &Builder<'c, 'a>,
        producer: typed::ArrayExpr<'c, 'a>,
        consumer: typed::ArrayExpr<'c, 'a>,
    ) -> (typed::ArrayExpr<'c, 'a>, usize) {
        let from = self.expressions.remove(&producer.key()).expect("is known");
        let to = self.expressions.remove(&consumer.key()).expect("is known");
        let between = producer.result();
        let (first, second) = (producer.inputs(), consumer.inputs());
        let inputs = merged_inputs(&first, &second, between);

        builder.before(*consumer);
        let fused = typed::ArrayExpr::create(builder, &inputs, consumer.result().ty());
        let keeps_producer = from.size >= to.size;
        let (kept, operands, moved) = match keeps_producer {
            true => (producer, &first, to.size),
            false => (consumer, &second, from.size),
        };
        builder.move_region(kept.body(), fused.body());
        let block = body(fused);
        let own = block.argument_values();
        // Arguments that have their places already stay.
        let stay = match inputs.starts_with(operands) {
            true => own.len(),
            false => 0,
        };
        let mut arguments = own[..stay].to_vec();
        for input in &inputs[stay..] {
            arguments.push(block.push_argument(element(*input), builder.location()));
        }
        let argument = |input: Value<'c, 'a>| {
            let position = inputs.iter().position(|one| *one == input);
            arguments[position.expect("every operand is an input")]
        };

        if keeps_producer {
            for (before, operand) in own.iter().zip(&first).skip(stay) {
                before.replace_all_uses(argument(*operand));
            }
            let end = terminator(block);
            let value = end.values()[0];
            end.erase();
            let values: Vec<_> = second
                .iter()
                .map(|operand| match *operand == between {
                    true => value,
                    false => argument(*operand),
                })
                .collect();
            builder.merge_blocks(body(consumer), block, &values);
        } else {
            let values: Vec<_> = first.iter().map(|operand| argument(*operand)).collect();
            let end = terminator(body(producer));
            let start = block.first().expect("a verified expression yields");
            builder.inline_block(body(producer), start, &values);
            let value = end.values()[0];
            end.erase();
            for (before, operand) in own.iter().zip(&second) {
                before.replace_all_uses(match *operand == between {
                    true => value,
                    false => argument(*operand),
                });
            }
        }
        for index in (0..own.len() - stay).rev() {
            block.remove_argument(index);
        }
        terminator(block).relocate(consumer.location());

        builder.replace_op(*consumer, &[fused.result()]);
        builder.erase_op(*producer);
        let expression = Expression {
            place: to.place,
            size: from.size + to.size - 1,
            is_scalar: from.is_scalar && to.is_scalar,
        };
        self.expressions.insert(fused.key(), expression);
        (fused, moved)
    }
}

/// What an expression made of two takes: the producer's operands take the place where its result
/// was first used, so that the sizes are still checked from left to right.
fn merged_inputs<'c: 'a, 'a>(
    producer: &[Value<'c, 'a>],
    consumer: &[Value<'c, 'a>],
    between: Value<'c, 'a>,
) -> Vec<Value<'c, 'a>> {
    let mut inputs: Vec<Value> = Vec::new();
    for operand in consumer {
        let replacements = match *operand == between {
            true => producer,
            false => std::slice::from_ref(operand),
        };
        for input in replacements {
            if !inputs.contains(input) {
                inputs.push(*input);
            }
        }
    }
    inputs
}

/// Whether the region has no effects.
pub(crate) fn is_scalar<'c: 'a, 'a>(expression: OperationRef<'c, 'a>) -> bool {
    expression
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list)
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

fn body<'c: 'a, 'a>(expression: typed::ArrayExpr<'c, 'a>) -> BlockRef<'c, 'a> {
    expression
        .body()
        .entry()
        .expect("a verified expression has a body")
}

/// The type of the block argument for an operand.
fn element<'c: 'a, 'a>(operand: Value<'c, 'a>) -> Type<'c> {
    array_type(operand.ty()).map_or(operand.ty(), |array| array.element)
}

fn terminator<'c: 'a, 'a>(body: BlockRef<'c, 'a>) -> typed::Yield<'c, 'a> {
    body.terminator_op()
        .and_then(typed::Yield::of)
        .expect("a verified expression yields")
}
