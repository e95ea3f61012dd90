//! Branches, iteration, return and raise.

use super::{emit::Compare, function::Function, liveness::Id};
use crate::infra::{
    OperationExt, PassResult,
    ops::{cf, py},
};
use melior::ir::{BlockLike, BlockRef, OperationRef, Value};
use pyopt_frontend::frame_311::{object, types};

/// The handler of a terminator, and the operands of the edge there.
pub(super) fn unwind<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
) -> Option<(BlockRef<'c, 'a>, Vec<Value<'c, 'a>>)> {
    let (handlers, operands) = match py::Op::of(operation)? {
        py::Op::TryBr(branch) => (vec![branch.unwind()], branch.unwind_operands()),
        py::Op::ForIter(iterate) => (iterate.unwind(), iterate.unwind_operands()),
        py::Op::Raise(raise) => (raise.unwind(), raise.unwind_operands()),
        py::Op::Reraise(reraise) => (reraise.unwind(), reraise.unwind_operands()),
        _ => return None,
    };
    Some((*handlers.first()?, operands))
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_branch(&mut self, operation: cf::Op<'c, 'a>) -> PassResult<bool> {
        match operation {
            cf::Op::Branch(branch) => {
                self.poll(branch.dest());
                self.leave(branch.dest(), &[], &branch.dest_operands());
            }
            cf::Op::CondBranch(branch) => self.branch_on_truth(branch)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn branch_on_truth(&mut self, branch: cf::CondBranch<'c, 'a>) -> PassResult {
        let super::function::Held::Flag(condition) = self.held(branch.condition()) else {
            return Err(self.error("a truth value is needed"));
        };
        let (yes, no) = (self.block(), self.block());
        self.e.branch_if(condition, yes, no);
        let instruction = self.place.instruction;
        for (block, successor, operands) in [
            (yes, branch.true_dest(), branch.true_dest_operands()),
            (no, branch.false_dest(), branch.false_dest_operands()),
        ] {
            self.place.instruction = instruction;
            self.e.at_end(block);
            self.poll(successor);
            self.leave(successor, &[], &operands);
        }
        Ok(())
    }

    pub(super) fn lower_flow(&mut self, operation: py::Op<'c, 'a>) -> PassResult<bool> {
        match operation {
            py::Op::TryBr(branch) => {
                self.poll(branch.normal());
                self.leave(branch.normal(), &[], &branch.normal_operands());
            }
            py::Op::ForIter(iterate) => self.iterate(iterate),
            py::Op::Return(_) => {
                let value = self.give(py::Return::VALUE_OPERAND);
                for id in self.live_now().into_iter().rev() {
                    self.release_value(self.liveness.value(id));
                }
                self.e.return_value(value);
            }
            py::Op::Raise(raise) => self.raise(raise),
            py::Op::Reraise(reraise) => {
                let exception = self.pointer(reraise.exception());
                self.call_only("reraise", &[exception]);
                self.always_fail(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Leaves for the handler, or the function.
    fn always_fail(&mut self, traceback: bool) {
        let failure = self.failure(self.live_now(), traceback);
        self.e.branch(failure, &[]);
    }

    fn iterate(&mut self, iterate: py::ForIter<'c, 'a>) {
        let iterator = self.pointer(iterate.iterator());
        self.mark();
        let ty = self.e.load_pointer(iterator, object::TYPE);
        let next = self.e.load_pointer(ty, types::NEXT);
        let item = self.e.call_address(next, iterator);
        let ended = self.e.is_null(item);
        let (end, next) = (self.block(), self.block());
        self.e.branch_if(ended, end, next);
        self.e.at_end(next);
        self.leave(iterate.body(), &[item], &iterate.body_operands());
        self.e.at_end(end);
        let status = self.call_status("end_iteration", &[]);
        self.fail_if_negative(status, true);
        self.leave(iterate.exit(), &[], &iterate.exit_operands());
    }

    fn raise(&mut self, raise: py::Raise<'c, 'a>) {
        self.mark();
        let Some(exception) = raise.exception() else {
            self.call_only(
                "raise_handled",
                &[self.parameters.thread, self.parameters.frame],
            );
            return self.always_fail(false);
        };
        let exception = self.pointer(exception);
        let cause = self.pointer_or_null(raise.cause());
        self.call_only("raise", &[exception, cause]);
        self.always_fail(true);
    }

    /// Where a loop begins again: lets signals and other threads have their turn. A delegation
    /// leaves that to what it delegates to, so that an exception is raised there.
    fn poll(&mut self, successor: BlockRef<'c, 'a>) {
        let first = successor.first_operation();
        let delegates = first.is_some_and(|first| first.isa::<py::Send>());
        if self.liveness.block(successor) <= self.place.block && !delegates {
            self.interrupt(self.live_now());
        }
    }

    /// As [`Self::interrupt`], behind the current operation, which is done with its operands.
    pub(super) fn interrupt_behind(&mut self) {
        let live = &self.place.live_after[self.place.at];
        self.interrupt(live.iter().copied().collect());
    }

    /// Asks whether somebody wants to interrupt, and lets them; `live` is what the function holds.
    fn interrupt(&mut self, live: Vec<Id>) {
        let wish = self.e.load(self.e.i(32), self.prologue.breaker, 0);
        let zero = self.e.number(32, 0);
        let wanted = self.e.compare(Compare::Ne, wish, zero);
        let (handle, next) = (self.seldom_block(), self.block());
        self.e.branch_if(wanted, handle, next);
        self.e.at_end(handle);
        let instruction = self.place.instruction;
        self.mark();
        self.place.instruction = instruction;
        let status = self.call_status("interrupt", &[self.parameters.thread]);
        let negative = self.e.compare(Compare::Slt, status, zero);
        let failure = self.failure(live, true);
        self.e.branch_if(negative, failure, next);
        self.e.at_end(next);
    }
}
