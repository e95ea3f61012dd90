//! Generators and coroutines: `py.yield` leaves the function, and a later call resumes it.
//!
//! Values that are live across a suspension are on the frame's value stack meanwhile, where the
//! garbage collector and the clearing of frames find them, and in allocas while the function runs.
//! The entry dispatches on the instruction that the frame records.

use super::{
    emit::Compare,
    function::{Function, Held, OFFSET},
    liveness::{Id, key},
};
use crate::infra::{BlockExt, OperationAttributes, OperationExt, PassResult, ValueExt};
use melior::ir::{Attribute, BlockRef, OperationRef, Value};
use pyopt_frontend::frame_311::{frame, generator};

/// What a delegation's receiver must be when the function is suspended in it: on top of the stack.
fn receiver_of<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let send = operation.operand_value(0).defined_by("py.send")?;
    Some(send.operand_value(0))
}

impl<'c: 'a, 'a> Function<'_, 'c, 'a> {
    pub(super) fn lower_suspension(&mut self, name: &str) -> PassResult<bool> {
        match name {
            "py.yield" => self.suspend()?,
            "py.send" => {
                let arguments = [self.operand(0), self.operand(1), self.scratch(0)];
                self.mark();
                let status = self.call_status("send", &arguments);
                self.fail_if_negative(status, true);
                let result = self.e.load_pointer(self.prologue.scratch, 0);
                let done = self.flag(status);
                self.release_operands();
                // Control also comes here when an exception thrown into the receiver has ended it.
                let answered = self.block_with(&[self.e.ptr(), self.e.i(1)]);
                self.e.branch(answered, &[result, done]);
                self.e.at_end(answered);
                let operation = self.operation();
                self.answers
                    .insert(key(operation.result_value(0)), answered);
                self.own(operation.result_value(0), answered.argument_value(0));
                let done = Held::Flag(answered.argument_value(1));
                self.hold(operation.result_value(1), done);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn suspend(&mut self) -> PassResult {
        let operation = self.operation();
        let offset = self.required(OFFSET, operation.int_attr(OFFSET))?;
        let value = self.give(0);
        let live = self.stack_order(operation);
        self.place.instruction = None;
        self.mark();
        for (place, id) in live.iter().enumerate() {
            let pointer = self.e.load_pointer(self.spills[id], 0);
            self.e.store(pointer, self.prologue.stack, 8 * place);
        }
        let count = self.e.number(32, live.len() as i64);
        self.call_only("suspend", &[self.parameters.frame, count]);
        self.e.return_value(value);

        let resumed = self.block();
        self.resumptions.push((offset, resumed));
        self.end_delegation(offset, &live);
        self.e.at_end(resumed);
        let sent = self.take_over(&live);
        self.throw_or_go_on(sent);
        self.release_operands();
        self.own(operation.result_value(0), sent);
        if receiver_of(operation).is_none() {
            self.interrupt_behind();
        }
        Ok(())
    }

    /// Loads the value sent, and the live values below it on the frame's stack.
    fn take_over(&self, live: &[Id]) -> Value<'c, 'a> {
        let sent = self.call("resume", &[self.parameters.frame]);
        for (place, id) in live.iter().enumerate() {
            let pointer = self.e.load_pointer(self.prologue.stack, 8 * place);
            self.e.store(pointer, self.spills[id], 0);
        }
        sent
    }

    /// The resume point of a delegation whose receiver was ended by a thrown exception: CPython has
    /// popped the receiver then, and sends its result or throws its exception.
    fn end_delegation(&mut self, offset: i64, live: &[Id]) {
        let yielded = self.operation().operand_value(0);
        let Some(answered) = self.answers.get(&key(yielded)).copied() else {
            return;
        };
        let Some((receiver, rest)) = live.split_last() else {
            return;
        };
        let ended = self.seldom_block();
        self.resumptions
            .push((offset + generator::DELEGATION_ENDED, ended));
        self.e.at_end(ended);
        let result = self.take_over(rest);
        // The receiver is gone, but its slot is released all the same.
        let none = Attribute::parse(self.cx.context(), "#py.none").expect("well-formed");
        let none = self.environment.value(none);
        let none = self.entry(none);
        self.acquire(none);
        self.e.store(none, self.spills[receiver], 0);
        self.throw_or_go_on(result);
        let done = self.e.number(1, 1);
        self.e.branch(answered, &[result, done]);
    }

    /// After a resumption: raises the exception thrown in, if there is one; `sent` isn't used then.
    fn throw_or_go_on(&mut self, sent: Value<'c, 'a>) {
        let zero = self.e.number(32, 0);
        let throws = self.e.compare(Compare::Ne, self.parameters.throws, zero);
        let (throw, next) = (self.seldom_block(), self.block());
        self.e.branch_if(throws, throw, next);
        self.e.at_end(throw);
        self.release_pointer(sent);
        let failure = self.failure(self.live_now(), true);
        self.e.branch(failure, &[]);
        self.e.at_end(next);
    }

    /// The values that are live across a suspension, in the order of the frame's stack, the
    /// receiver of a delegation on top.
    fn stack_order(&self, operation: OperationRef<'c, 'a>) -> Vec<Id> {
        let mut live = self.live_now();
        let receiver = receiver_of(operation).and_then(|value| self.liveness.id(value));
        if let Some(receiver) = receiver
            && let Some(at) = live.iter().position(|id| *id == receiver)
        {
            live.remove(at);
            live.push(receiver);
        }
        live
    }

    /// Begins the function: a first resumption, or behind the suspension that the frame is at.
    pub(super) fn lower_resumption(&mut self, dispatch: BlockRef<'c, 'a>, start: BlockRef<'c, 'a>) {
        self.e.at_end(dispatch);
        let instruction = self
            .e
            .load_pointer(self.parameters.frame, frame::INSTRUCTION);
        let [instruction, bytecode] = [instruction, self.prologue.bytecode]
            .map(|pointer| self.e.value("llvm.ptrtoint", &[pointer], self.e.i(64), &[]));
        let offset = self.e.binary("llvm.sub", instruction, bytecode);
        let offset = self.e.value("llvm.trunc", &[offset], self.e.i(32), &[]);
        self.e.switch(offset, start, &self.resumptions);
    }

    /// The first resumption: drops what was sent, which is None, or raises what was thrown in.
    pub(super) fn lower_first_resumption(&mut self) {
        let sent = self.call("resume", &[self.parameters.frame]);
        self.release_pointer(sent);
        let zero = self.e.number(32, 0);
        let throws = self.e.compare(Compare::Ne, self.parameters.throws, zero);
        let (throw, next) = (self.seldom_block(), self.block());
        self.e.branch_if(throws, throw, next);
        self.e.at_end(throw);
        self.call_only(
            "traceback",
            &[self.parameters.thread, self.parameters.frame],
        );
        self.e.return_value(self.e.null());
        self.e.at_end(next);
    }
}
