//! What is known of the operations of a block while its loops are merged.
//!
//! Each pair of loops is asked whether it may be merged; what an operation does is found out once.

use crate::{
    analysis::{effects::Footprint, nest::Nest},
    infra::{Identity, Key, OperationExt, ValueExt, ops},
};
use melior::ir::{OperationRef, Value};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// What one operation of a body does to an array.
pub(super) struct Touch<'c, 'a> {
    pub operation: OperationRef<'c, 'a>,
    pub array: Value<'c, 'a>,
    pub writes: bool,
}

/// What an operation does with all that is inside of it.
pub(super) struct Summary<'c, 'a> {
    /// What it reads, writes and raises; each array once.
    pub footprint: Footprint<'c, 'a>,
    /// All that a loop does to arrays.
    pub touches: Vec<Touch<'c, 'a>>,
    /// The operations of its block whose results it uses.
    sources: HashSet<Key>,
}

impl<'c: 'a, 'a> Summary<'c, 'a> {
    fn of(operation: OperationRef<'c, 'a>) -> Self {
        let mut footprint = Footprint::of(operation);
        for arrays in [&mut footprint.reads, &mut footprint.writes] {
            let mut seen = HashSet::new();
            arrays.retain(|array| seen.insert(melior::ir::ValueLike::to_raw(array).ptr));
        }
        let inside = operation.pre_order();
        let block = operation.parent_block();
        let operands = inside.iter().flat_map(|inner| inner.operand_values());
        let sources = operands
            .filter_map(ValueExt::defining_op)
            .filter(|source| source.parent_block() == block)
            .map(|source| source.key())
            .collect();
        let touches = match operation.isa::<ops::parfor::Loop>() {
            true => inside.into_iter().flat_map(touches).collect(),
            false => Vec::new(),
        };
        Self {
            footprint,
            touches,
            sources,
        }
    }

    /// Whether the operation uses a result of another one of its block.
    pub fn uses(&self, other: OperationRef) -> bool {
        self.sources.contains(&other.key())
    }

    /// Whether the operation uses a result of one of others.
    pub fn uses_any(&self, others: &HashSet<Key>) -> bool {
        self.sources.iter().any(|source| others.contains(source))
    }
}

/// What an operation does to arrays, without what is inside of it.
fn touches<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Touch<'c, 'a>> {
    let mut alone = Footprint::default();
    alone.add_alone(operation);
    let reads = alone.reads.into_iter().map(|array| (array, false));
    let writes = alone.writes.into_iter().map(|array| (array, true));
    reads
        .chain(writes)
        .map(|(array, writes)| Touch {
            operation,
            array,
            writes,
        })
        .collect()
}

/// Summaries of operations of a block.
#[derive(Default)]
pub(super) struct Summaries<'c, 'a>(HashMap<Key, Rc<Summary<'c, 'a>>>);

impl<'c: 'a, 'a> Summaries<'c, 'a> {
    /// What an operation does.
    pub fn of(&mut self, operation: OperationRef<'c, 'a>) -> Rc<Summary<'c, 'a>> {
        let known = self.0.entry(operation.key());
        known
            .or_insert_with(|| Rc::new(Summary::of(operation)))
            .clone()
    }

    /// Whether the second loop uses a result of the first.
    pub fn feeds(&mut self, first: &Nest<'c, 'a>, second: &Nest<'c, 'a>) -> bool {
        self.of(second.operation).uses(first.operation)
    }

    /// Forgets an operation, which changes or goes.
    pub fn forget(&mut self, operation: OperationRef<'c, 'a>) {
        self.0.remove(&operation.key());
    }
}
