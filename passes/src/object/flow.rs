//! Branches, iteration, return and raise.

use super::{emit::Compare, function::Function, liveness::Id};
use crate::infra::{OperationAttributes, OperationExt, PassResult};
use melior::ir::{BlockLike, BlockRef, OperationRef, Value};
use pyopt_frontend::frame_311::{object, types};

/// The handler of a terminator, and the operands of the edge there.
pub(super) fn unwind<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
) -> Option<(BlockRef<'c, 'a>, Vec<Value<'c, 'a>>)> {
    let successors = operation.successor_blocks();
    let (normal, own) = match operation.full_name() {
        "py.try_br" => (
            1,
            operation.operand_segments().first().copied().unwrap_or(0),
        ),
        "py.for_iter" => (2, operation.operand_segments().iter().take(3).sum()),
        "py.raise" => (0, operation.operand_segments().iter().take(2).sum()),
        "py.reraise" => (0, 1),
        _ => return None,
    };
    let handler = successors.get(normal)?;
    Some((*handler, operation.operand_values().split_off(own)))
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_flow(&mut self, name: &str) -> PassResult<bool> {
        let operation = self.operation();
        let successors = operation.successor_blocks();
        let operands = operation.operand_values();
        match name {
            "cf.br" => {
                self.poll(successors[0]);
                self.leave(successors[0], &[], &operands);
            }
            "py.try_br" => {
                let own = operation.operand_segments().first().copied().unwrap_or(0);
                self.poll(successors[0]);
                self.leave(successors[0], &[], &operands[..own]);
            }
            "cf.cond_br" => {
                let super::function::Held::Flag(condition) = self.held(operands[0]) else {
                    return Err(self.error("a truth value is needed"));
                };
                let sizes = operation.operand_segments();
                let on_true = 1 + sizes.get(1).copied().unwrap_or(0);
                let (yes, no) = (self.block(), self.block());
                self.e.branch_if(condition, yes, no);
                let instruction = self.place.instruction;
                for (block, successor, operands) in [
                    (yes, successors[0], &operands[1..on_true]),
                    (no, successors[1], &operands[on_true..]),
                ] {
                    self.place.instruction = instruction;
                    self.e.at_end(block);
                    self.poll(successor);
                    self.leave(successor, &[], operands);
                }
            }
            "py.for_iter" => self.iterate(&successors, &operands),
            "py.return" => {
                let value = self.give(0);
                for id in self.live_now().into_iter().rev() {
                    self.release_value(self.liveness.value(id));
                }
                self.e.return_value(value);
            }
            "py.raise" => self.raise(),
            "py.reraise" => {
                let exception = self.operand(0);
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

    fn iterate(&mut self, successors: &[BlockRef<'c, 'a>], operands: &[Value<'c, 'a>]) {
        let sizes = self.operation().operand_segments();
        let body = 1 + sizes.get(1).copied().unwrap_or(0);
        let exit = body + sizes.get(2).copied().unwrap_or(0);
        let iterator = self.operand(0);
        self.mark();
        let ty = self.e.load_pointer(iterator, object::TYPE);
        let next = self.e.load_pointer(ty, types::NEXT);
        let item = self.e.call_address(next, iterator);
        let ended = self.e.is_null(item);
        let (end, next) = (self.block(), self.block());
        self.e.branch_if(ended, end, next);
        self.e.at_end(next);
        self.leave(successors[0], &[item], &operands[1..body]);
        self.e.at_end(end);
        let status = self.call_status("end_iteration", &[]);
        self.fail_if_negative(status, true);
        self.leave(successors[1], &[], &operands[body..exit]);
    }

    fn raise(&mut self) {
        let sizes = self.operation().operand_segments();
        let given = sizes.iter().take(2).sum::<usize>();
        self.mark();
        if given == 0 {
            self.call_only(
                "raise_handled",
                &[self.parameters.thread, self.parameters.frame],
            );
            return self.always_fail(false);
        }
        let exception = self.operand(0);
        let cause = match given {
            1 => self.e.null(),
            _ => self.operand(1),
        };
        self.call_only("raise", &[exception, cause]);
        self.always_fail(true);
    }

    /// Where a loop begins again: lets signals and other threads have their turn. A delegation
    /// leaves that to what it delegates to, so that an exception is raised there.
    fn poll(&mut self, successor: BlockRef<'c, 'a>) {
        let first = successor.first_operation();
        let delegates = first.is_some_and(|first| first.is("py.send"));
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
