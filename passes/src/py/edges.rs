//! Where the terminators of lifted functions go, and what they pass there.

use crate::infra::{BlockExt, OperationAttributes, OperationExt};
use melior::{
    Context,
    ir::{BlockRef, OperationRef, Value, attribute::DenseI32ArrayAttribute},
};
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
        Self::with_missing(terminator, &|_| 0)
    }

    /// The edges of a terminator to blocks whose last arguments are not passed yet: as many as
    /// `missing` says.
    pub fn with_missing(
        terminator: OperationRef<'c, 'a>,
        missing: &dyn Fn(BlockRef<'c, 'a>) -> usize,
    ) -> Vec<Self> {
        let targets = terminator.successor_blocks();
        // How many successors are reached without an exception, those that come first.
        let normal = match terminator.full_name() {
            "py.raise" | "py.reraise" => 0,
            "py.try_br" => 1,
            _ => targets.len().min(2),
        };
        let mut edges = Vec::with_capacity(targets.len());
        let mut end = terminator.operand_values().len();
        for (index, target) in targets.into_iter().enumerate().rev() {
            let unwind = index >= normal;
            let item = index == 0 && terminator.is("py.for_iter");
            let produced = usize::from(unwind || item);
            let passed = target.argument_values().len() - produced - missing(target);
            edges.push(Self {
                index,
                target,
                produced,
                unwind,
                operands: end - passed..end,
            });
            end -= passed;
        }
        edges.reverse();
        edges
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
    pub fn pass(
        &self,
        context: &'c Context,
        terminator: OperationRef<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) {
        let mut operands = terminator.operand_values();
        operands.splice(self.operands.clone(), values.iter().copied());
        terminator.set_operand_values(&operands);
        let mut sizes = terminator.operand_segments();
        if sizes.is_empty() {
            return;
        }
        let own = match terminator.full_name() {
            "cf.cond_br" | "py.for_iter" => 1,
            "py.raise" => 2,
            _ => 0,
        };
        sizes[own + self.index] = values.len();
        let sizes: Vec<_> = sizes.into_iter().map(|size| size as i32).collect();
        let sizes = DenseI32ArrayAttribute::new(context, &sizes);
        terminator.set_attr("operandSegmentSizes", sizes);
    }

    /// Goes to another block and passes nothing. The terminator's later edges, found before, are
    /// out of date then.
    pub fn redirect(
        &self,
        context: &'c Context,
        terminator: OperationRef<'c, 'a>,
        target: BlockRef<'c, 'a>,
    ) {
        self.pass(context, terminator, &[]);
        terminator.set_successor_block(self.index, target);
    }
}
