//! Where the terminators of lifted functions go, and what they pass there.

use crate::infra::{OperationExt, OperationInterfaces};
use melior::ir::{BlockRef, OperationRef, Value};
use std::ops::Range;

/// One successor of a terminator.
#[derive(Clone, Debug)]
pub(crate) struct Edge<'c, 'a> {
    /// Its number among the successors.
    pub index: usize,
    /// Where it goes.
    pub target: BlockRef<'c, 'a>,
    /// How many of the target's first arguments the terminator itself makes: the item of a loop,
    /// the exception of a handler.
    pub produced: usize,
    /// Whether control goes here when something in the block raises.
    pub unwind: bool,
    /// Which of the terminator's operands are passed.
    operands: Range<usize>,
}

impl<'c, 'a> Edge<'c, 'a> {
    /// The edges of a terminator, in order.
    pub fn of(terminator: OperationRef<'c, 'a>) -> Vec<Self> {
        let unwind = terminator.unwind_successor();
        let targets = terminator.successor_blocks().into_iter().enumerate();
        let edges = targets.filter_map(|(index, target)| {
            let (produced, operands) = terminator.successor_operands(index)?;
            Some(Self {
                index,
                target,
                produced,
                unwind: unwind == Some(index),
                operands,
            })
        });
        edges.collect()
    }

    /// The values that are passed.
    pub fn passed(&self, terminator: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
        terminator.operand_values()[self.operands.clone()].to_vec()
    }

    /// Replaces one of the values that are passed.
    pub fn replace(&self, terminator: OperationRef<'c, 'a>, position: usize, value: Value<'c, 'a>) {
        terminator.set_operand_value(self.operands.start + position, value);
    }

    /// Passes other values. The terminator's later edges, found before, are out of date then.
    pub fn pass(&self, terminator: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) {
        terminator.set_successor_operands(self.index, values);
    }

    /// Goes to another block and passes nothing. The terminator's later edges, found before, are
    /// out of date then.
    pub fn redirect(&self, terminator: OperationRef<'c, 'a>, target: BlockRef<'c, 'a>) {
        self.pass(terminator, &[]);
        terminator.set_successor_block(self.index, target);
    }
}
