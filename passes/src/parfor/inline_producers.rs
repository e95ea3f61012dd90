//! Computes elements in the loop over rows that reads them, in the place of an array.
//!
//! `((x - y) ** 2).sum(axis=1)` is a loop over a matrix and one over its rows, in which another loop reads the
//! row. The spaces differ, so that `parfor-fuse` can't merge them; but each element is read once, and can be
//! computed there.

use super::{diagnostics::described, fuse::settle_sizes};
use crate::{
    analysis::{
        effects::{Footprint, Raises},
        nest::Nest,
    },
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, REMARKS, StatisticSpec,
        ValueExt,
        emit::{Emit, mapped},
        ops::{func, typed},
    },
    types::number::Number,
};
use melior::ir::{BlockRef, OperationRef, TypeLike, Value, operation::OperationLike};

/// The `parfor-inline-producers` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A `parfor.loop` that makes one fresh array, of which each element is read once, in an inner \
                  loop of a later one over its rows, is computed in the place of that load. Loops stay where \
                  their elements could change or an error could be raised meanwhile.",
    anchor: func::Func::NAME,
    dialects: &["parfor", "typed"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "inlined",
        "loops computed where their elements are read",
    )],
    ..PassSpec::new(
        "parfor-inline-producers",
        "compute the elements of rows where they are read",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    settle_sizes(&builder, function);
    // Bodies of producers go with them: what is inside of a block is looked at after it.
    let mut waiting = vec![function];
    while let Some(operation) = waiting.pop() {
        for block in operation.nested_blocks() {
            inline_in(cx, &builder, block);
            waiting.extend(block.operation_list());
        }
    }
    Ok(())
}

/// Inlines the producers of a block.
fn inline_in<'c: 'a, 'a>(cx: &PassContext<'c>, builder: &Builder<'c, 'a>, block: BlockRef<'c, 'a>) {
    // Consumers first: what a producer reads may be computed in them then, too.
    let nests = block.operation_list().into_iter().filter_map(Nest::of);
    for producer in nests.collect::<Vec<_>>().into_iter().rev() {
        let Some(rows) = Rows::of(&producer, block) else {
            continue;
        };
        if cx.options().bool("remarks") {
            let message = format!("fused with {}", described(&producer));
            cx.remark_on("fused", rows.consumer.operation.location(), message);
        }
        rows.inline(builder, &producer);
        cx.bump("inlined", 1);
    }
}

/// The loop over rows that reads the elements of an array.
struct Rows<'c, 'a> {
    consumer: Nest<'c, 'a>,
    /// The only load of an element.
    load: typed::Load<'c, 'a>,
    /// The view of a row that it is from, unless it is from the array.
    row: Option<typed::View<'c, 'a>>,
    /// The indices of the element.
    indices: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Rows<'c, 'a> {
    /// Finds what reads the array of a producer, if its elements can be computed there.
    fn of(producer: &Nest<'c, 'a>, block: BlockRef<'c, 'a>) -> Option<Self> {
        let ([array], []) = (&producer.fresh()[..], &producer.reductions[..]) else {
            return None;
        };
        let user = only_user(*array)?;
        let (load, row, leading) = match typed::View::of(user) {
            Some(view) => {
                let load = typed::Load::of(only_user(view.result())?)?;
                (load, Some(view), view.subscripts())
            }
            None => (typed::Load::of(user)?, None, Vec::new()),
        };
        let indices = [leading, load.indices()].concat();
        let indices: Vec<_> = indices.into_iter().map(without_casts).collect();
        let inner = Nest::of(load.parent()?)?;
        let consumer = Nest::of(inner.operation.parent()?)?;
        let counted = [consumer.indices(), inner.indices()].concat();
        let is_next = consumer.operation.parent_block() == Some(block) && indices == counted;
        (is_next && may_move(producer, &consumer)).then_some(Self {
            consumer,
            load,
            row,
            indices,
        })
    }

    /// Computes the element in the place of its load.
    fn inline(&self, builder: &Builder<'c, 'a>, producer: &Nest<'c, 'a>) {
        builder.before(*self.load);
        let own = producer.indices().into_iter();
        let mut mapping = own.zip(self.indices.iter().copied()).collect();
        builder.copy_block(producer.body(), &mut mapping);
        let element = mapped(&mapping, producer.yielded()[0]);
        builder.replace_op(*self.load, &[element]);
        if let Some(row) = self.row {
            let dimensions = producer.extents.iter().skip(row.subscripts().len());
            for user in row.result().users() {
                let dim = typed::Dim::of(user).expect("a row has a load and sizes as users");
                let extent = dimensions.clone().nth(dim.dimension() as usize);
                let extent = *extent.expect("a row has no more dimensions than its array");
                builder.before(user);
                builder.replace_op(user, &[builder.cast(extent, dim.result().ty())]);
            }
            builder.erase_op(*row);
        }
        builder.erase_op(producer.operation);
    }
}

/// The user of an array besides those that ask for sizes.
fn only_user<'c: 'a, 'a>(array: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut users = array.users();
    users.retain(|user| typed::Dim::of(*user).is_none());
    match users[..] {
        [user] => Some(user),
        _ => None,
    }
}

/// The index that a value is a cast of, between types that hold all indices.
fn without_casts<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    let holds_indices = |value: Value| {
        let number = Number::of(value.ty());
        value.ty().is_index() || number == Some(Number::INT64) || number == Some(Number::UINT64)
    };
    while let Some(cast) = typed::Cast::defining(value)
        && holds_indices(value)
        && holds_indices(cast.operand())
    {
        value = cast.operand();
    }
    value
}

/// Whether elements have the same values, and raise nothing, where they are computed by a later loop.
fn may_move<'c: 'a, 'a>(producer: &Nest<'c, 'a>, consumer: &Nest<'c, 'a>) -> bool {
    let effects = Footprint::of(producer.operation);
    if effects.raises != Raises::Nothing || effects.writes_anything() {
        return false;
    }
    let mut next = producer.operation.next_in_block();
    while let Some(operation) = next {
        if effects.conflicts(&Footprint::of(operation)) {
            return false;
        }
        if operation == consumer.operation {
            return true;
        }
        next = operation.next_in_block();
    }
    false
}
