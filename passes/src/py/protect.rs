//! Putting copied blocks into the protected range that they are copied into.

use super::edges::Edge;
use crate::infra::{Builder, OperationAttributes, OperationExt};
use melior::ir::{Block, BlockRef, OperationRef, Value, attribute::DenseI32ArrayAttribute};

/// Where an exception goes from a block of a lifted function, and what goes with it.
#[derive(Clone, Debug)]
pub(super) struct Handler<'c, 'a> {
    block: BlockRef<'c, 'a>,
    operands: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Handler<'c, 'a> {
    /// The handler of a block that ends with `terminator`; `None` outside of protected ranges.
    pub fn of(terminator: OperationRef<'c, 'a>) -> Option<Self> {
        let edges = Edge::of(terminator).into_iter();
        let unwind = edges.filter(|edge| edge.unwind).last()?;
        Some(Self {
            block: unwind.target,
            operands: unwind.passed(terminator),
        })
    }

    /// Ends the block the builder stands in, whose operations may raise, with a branch.
    pub fn branch(
        &self,
        builder: &Builder<'c, 'a>,
        target: BlockRef<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) {
        self.terminator(builder, "py.try_br", values, &[values.len()], &[target]);
    }

    /// Gives a block this handler, unless it has one of its own. A block that leaves the function
    /// by a return has to be given a branch first.
    pub fn protect(&self, builder: &Builder<'c, 'a>, terminator: OperationRef<'c, 'a>) {
        if Self::of(terminator).is_some() {
            return;
        }
        let operands = terminator.operand_values();
        let targets = terminator.successor_blocks();
        match terminator.full_name() {
            "cf.br" => {
                builder.before(terminator);
                self.branch(builder, targets[0], &operands);
                terminator.erase();
            }
            "py.for_iter" | "py.raise" | "py.reraise" => {
                // The last group is that of the handler, empty so far.
                let mut sizes = terminator.operand_segments();
                sizes.pop();
                builder.before(terminator);
                let name = terminator.full_name();
                self.terminator(builder, name, &operands, &sizes, &targets);
                terminator.erase();
            }
            // What chooses between blocks has no edge for exceptions.
            _ => {
                let block = builder.before(terminator).block();
                let choice = builder.split_block(terminator);
                builder.at_end(block);
                self.branch(builder, choice, &[]);
            }
        }
    }

    /// Makes a terminator with this handler. `sizes` are those of its other groups of operands;
    /// empty where they make one group.
    fn terminator(
        &self,
        builder: &Builder<'c, 'a>,
        name: &str,
        operands: &[Value<'c, 'a>],
        sizes: &[usize],
        targets: &[BlockRef<'c, 'a>],
    ) {
        let passed = self.operands.len();
        let sizes: Vec<i32> = sizes
            .iter()
            .chain([&passed])
            .map(|size| *size as i32)
            .collect();
        let sizes = DenseI32ArrayAttribute::new(builder.context(), &sizes).into();
        let segments = [("operandSegmentSizes", sizes)];
        let has_segments = name != "py.reraise";
        let operands = [operands, &self.operands].concat();
        let attributes = if has_segments { &segments[..] } else { &[] };
        builder.op_with(name, &operands, &[], attributes, |operation| {
            let targets: Vec<&Block> = targets.iter().chain([&self.block]).map(|b| &**b).collect();
            operation.add_successors(&targets)
        });
    }
}
