//! Error paths of a function, and the layout of its blocks.

use super::{emit::Compare, function::Function, liveness::Id};
use crate::infra::OperationExt;
use melior::ir::{BlockRef, RegionLike, Type, Value};

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    /// Makes a block.
    pub(super) fn block(&mut self) -> BlockRef<'c, 'a> {
        self.block_with(&[])
    }

    /// Makes a block with arguments.
    pub(super) fn block_with(&mut self, arguments: &[Type<'c>]) -> BlockRef<'c, 'a> {
        let block = self.append_block(arguments);
        self.usual.push(block);
        block
    }

    /// Makes a cold block.
    pub(super) fn seldom_block(&mut self) -> BlockRef<'c, 'a> {
        let block = self.append_block(&[]);
        self.seldom.push(block);
        block
    }

    fn append_block(&self, arguments: &[Type<'c>]) -> BlockRef<'c, 'a> {
        let before = self.e.block();
        let block = self.e.append_block(self.region, arguments);
        self.e.at_end(before);
        block
    }

    /// Orders the blocks, hot ones first: the first tier's machine code follows this order.
    pub(super) fn arrange(&mut self) {
        for block in self.usual.drain(..).chain(self.seldom.drain(..)) {
            // SAFETY: the block goes into the region that it comes from; nothing else looks at the
            // region meanwhile.
            if let Some(block) = unsafe { block.detach() } {
                self.region.append_block(block);
            }
        }
    }

    pub(super) fn fail_if_null(&mut self, pointer: Value<'c, 'a>) {
        let failed = self.e.is_null(pointer);
        self.fail_if(failed, true);
    }

    pub(super) fn fail_if_negative(&mut self, status: Value<'c, 'a>, traceback: bool) {
        let zero = self.e.number(32, 0);
        let failed = self.e.compare(Compare::Slt, status, zero);
        self.fail_if(failed, traceback);
    }

    /// Branches to the handler, or out of the function, when a condition holds. The function's own
    /// frame is added to the traceback unless an exception is only re-raised.
    pub(super) fn fail_if(&mut self, failed: Value<'c, 'a>, traceback: bool) {
        let target = self.failure(self.live_now(), traceback);
        let next = self.block();
        self.e.branch_if(failed, target, next);
        self.e.at_end(next);
    }

    /// The references that the function owns while the current operation runs; on failure they are
    /// released from the last to the first.
    pub(super) fn live_now(&self) -> Vec<Id> {
        let operation = self.operation();
        let mut live = self.place.live_after[self.place.at].clone();
        for result in operation.result_values() {
            if let Some(id) = self.liveness.id(result) {
                live.remove(&id);
            }
        }
        live.retain(|id| !self.place.given.contains(id));
        let dying = self.dying_operands().into_iter().rev();
        live.into_iter().chain(dying).collect()
    }

    /// The block that releases what is held and leaves for the handler, or the function. Blocks
    /// that do the same are one.
    pub(super) fn failure(&mut self, live: Vec<Id>, traceback: bool) -> BlockRef<'c, 'a> {
        let source = match self.place.unwind {
            Some(_) => self.place.block,
            None => usize::MAX,
        };
        let known = (source, live, traceback);
        if let Some(block) = self.failures.get(&known) {
            return *block;
        }
        let before = self.e.block();
        let block = self.seldom_block();
        self.e.at_end(block);
        if traceback {
            self.call_only(
                "traceback",
                &[self.parameters.thread, self.parameters.frame],
            );
        }
        let live = known.1.clone();
        match self.place.unwind.clone() {
            None => {
                for id in live.iter().rev() {
                    self.release_value(self.liveness.value(*id));
                }
                self.e.return_value(self.e.null());
            }
            Some((handler, operands)) => {
                let operands = self.settle(&live, handler, &operands);
                let exception = self.call("catch", &[self.parameters.thread]);
                let operands: Vec<_> = std::iter::once(exception).chain(operands).collect();
                self.e
                    .branch(self.targets[self.liveness.block(handler)], &operands);
            }
        }
        self.failures.insert(known, block);
        self.e.at_end(before);
        block
    }

    /// Goes to a block with values, and with new references as its first arguments.
    pub(super) fn leave(
        &mut self,
        successor: BlockRef<'c, 'a>,
        made: &[Value<'c, 'a>],
        operands: &[Value<'c, 'a>],
    ) {
        let live = self.live_now();
        let operands = self.settle(&live, successor, operands);
        let operands: Vec<_> = made.iter().copied().chain(operands).collect();
        let target = self.targets[self.liveness.block(successor)];
        self.e.branch(target, &operands);
    }

    /// On an edge to a block: releases the references that aren't live in it, and acquires those
    /// that are passed more than once. Returns the pointers of the operands.
    fn settle(
        &mut self,
        live: &[Id],
        successor: BlockRef<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Vec<Value<'c, 'a>> {
        let successor = self.liveness.block(successor);
        let pointers: Vec<_> = operands.iter().map(|value| self.pointer(*value)).collect();
        for (value, pointer) in operands.iter().zip(&pointers) {
            if self.liveness.id(*value).is_none() {
                self.acquire(*pointer);
            }
        }
        for id in live.iter().rev() {
            let value = self.liveness.value(*id);
            let passed = operands.iter().filter(|operand| **operand == value).count();
            let needed = passed + usize::from(self.liveness.live_in(successor).contains(id));
            match needed {
                0 => self.release_value(value),
                _ => {
                    for _ in 1..needed {
                        let pointer = self.pointer(value);
                        self.acquire(pointer);
                    }
                }
            }
        }
        pointers
    }
}
