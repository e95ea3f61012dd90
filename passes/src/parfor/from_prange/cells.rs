//! The partial results of a user-defined reduction: numbers, or tuples of which each number has
//! slots of its own.

use super::{combined::Combined, slots::Slots};
use crate::{
    analysis::reduction::Combiner,
    infra::{BlockExt, Builder, CmpInt, OperationExt, ValueExt, emit::Emit, ops::typed},
};
use melior::ir::{OperationRef, Type, Value, r#type::TupleType};
use pyopt_dialects::typed::TypedType;

/// The slots of one value.
pub(super) struct Cells<'c, 'a> {
    combined: Combined<'c>,
    combiner: Combiner<'c>,
    init: Value<'c, 'a>,
    /// One for each number.
    slots: Vec<Slots<'c, 'a>>,
}

impl<'c: 'a, 'a> Cells<'c, 'a> {
    /// Allocates slots for a value that starts with `init`.
    pub fn new(
        builder: &Builder<'c, 'a>,
        chunks: Value<'c, 'a>,
        init: Value<'c, 'a>,
        combined: Combined<'c>,
        operation: OperationRef<'c, 'a>,
    ) -> Self {
        let combiner = Combiner::find(operation, combined.name)
            .expect("calls that are steps of a reduction name its combiner");
        let slots = numbers(builder, init).into_iter();
        Self {
            combined,
            combiner,
            init,
            slots: slots
                .map(|number| Slots::new(builder, chunks, number))
                .collect(),
        }
    }

    /// The start value of a chunk: the initial value for the first one, so that a single chunk does
    /// just what the loop does, and the identity for the others.
    pub fn start(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>) -> Value<'c, 'a> {
        let first = builder.cmpi(CmpInt::Eq, chunk, builder.index(0));
        let (start, yes, no) = builder.scf_if(first, &[self.init.ty()]);
        builder.at_end(yes).scf_yield(&[self.init]);
        builder.at_end(no);
        let identity = builder.typed_call(self.combiner.identity, &[], &[self.init.ty()]);
        builder.scf_yield(&identity.result_values());
        builder.after(start);
        start.result_value(0)
    }

    /// Stores a chunk's partial result.
    pub fn put(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>, value: Value<'c, 'a>) {
        for (slots, number) in self.slots.iter().zip(numbers(builder, value)) {
            builder.store(number, slots.array, &[chunk]);
        }
    }

    /// Loads a chunk's partial result.
    fn get(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>) -> Value<'c, 'a> {
        let numbers = self.slots.iter();
        let mut numbers = numbers.map(|slots| builder.load(slots.array, &[chunk]));
        of_numbers(builder, self.init.ty(), &mut numbers)
    }

    /// Combines the partial results of all chunks, in their order.
    pub fn combine(&self, builder: &Builder<'c, 'a>, chunks: Value<'c, 'a>) -> Value<'c, 'a> {
        let first = self.get(builder, builder.index(0));
        let (each, block) = builder.scf_for(builder.index(1), chunks, &[first]);
        let (chunk, before) = (block.argument_value(0), block.argument_value(1));
        builder.at_end(block);
        let found = self.get(builder, chunk);
        let both = match self.combined.leads {
            true => [before, found],
            false => [found, before],
        };
        let after = builder.typed_call(self.combiner.combine, &both, &[self.init.ty()]);
        builder.scf_yield(&after.result_values());
        builder.after(each);
        each.result_value(0)
    }
}

/// The items of a tuple type, and whether it is that of an object of a class.
fn items<'c>(r#type: Type<'c>) -> Option<(TupleType<'c>, bool)> {
    match TypedType::from(r#type) {
        TypedType::Sequence(items, _) => Some((TupleType::try_from(items).ok()?, true)),
        _ => Some((TupleType::try_from(r#type).ok()?, false)),
    }
}

/// The numbers that a value consists of.
fn numbers<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let Some((tuple, of_class)) = items(value.ty()) else {
        return vec![value];
    };
    let plain = match of_class {
        true => typed::AsTuple::create(builder, value).result(),
        false => value,
    };
    let items = (0..tuple.type_count()).filter_map(|at| {
        let r#type = tuple.r#type(at).ok()?;
        Some(typed::TupleGet::create(builder, plain, at as i64, r#type).result())
    });
    items.flat_map(|item| numbers(builder, item)).collect()
}

/// A value of a type, of the numbers that it consists of.
fn of_numbers<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    r#type: Type<'c>,
    numbers: &mut impl Iterator<Item = Value<'c, 'a>>,
) -> Value<'c, 'a> {
    let Some((tuple, of_class)) = items(r#type) else {
        return numbers.next().expect("there are slots for all numbers");
    };
    let items: Vec<_> = (0..tuple.type_count())
        .filter_map(|at| tuple.r#type(at).ok())
        .collect();
    let mut made = Vec::new();
    for item in items {
        made.push(of_numbers(builder, item, numbers));
    }
    let plain = typed::Tuple::create(builder, &made, tuple.into()).result();
    match of_class {
        true => typed::AsSequence::create(builder, plain, r#type).result(),
        false => plain,
    }
}
