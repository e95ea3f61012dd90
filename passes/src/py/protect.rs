//! Putting copied blocks into the protected range that they are copied into.

use super::edges::Edge;
use crate::infra::{
    Builder, OperationExt,
    ops::{AnyOp, cf, py},
};
use melior::ir::{BlockRef, OperationRef, Value};

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
        py::TryBr::create(builder, values, &self.operands, target, self.block);
    }

    /// Gives a block this handler, unless it has one of its own. A block that leaves the function
    /// by a return has to be given a branch first.
    pub fn protect(&self, builder: &Builder<'c, 'a>, terminator: OperationRef<'c, 'a>) {
        if Self::of(terminator).is_some() {
            return;
        }
        let (operands, handlers) = (&self.operands, [self.block]);
        match AnyOp::of(terminator) {
            AnyOp::Cf(cf::Op::Branch(branch)) => {
                builder.before(terminator);
                self.branch(builder, branch.dest(), &branch.dest_operands());
                terminator.erase();
            }
            AnyOp::Py(py::Op::ForIter(next)) => {
                py::ForIter::create(
                    builder.before(terminator),
                    next.iterator(),
                    &next.body_operands(),
                    &next.exit_operands(),
                    operands,
                    next.body(),
                    next.exit(),
                    &handlers,
                );
                terminator.erase();
            }
            AnyOp::Py(py::Op::Raise(raise)) => {
                let builder = builder.before(terminator);
                py::Raise::create(
                    builder,
                    raise.exception(),
                    raise.cause(),
                    operands,
                    &handlers,
                );
                terminator.erase();
            }
            AnyOp::Py(py::Op::Reraise(raise)) => {
                let builder = builder.before(terminator);
                py::Reraise::create(builder, raise.exception(), operands, &handlers);
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
}
